//! The predicted bindings of names when extensions of real wheels are loaded into one process, compared
//! with the loader's own (`LD_DEBUG=bindings`).

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{ImageKind, Input, Load, Wheel, bindings, is_image, read_image};
use mondo_build::{Error, ErrorKind, Result, collect};
use mondo_testbed::Venv;

use super::compared::{Compared, LARGEST, add, unreadable};
use super::seen::Aspect;

/// Sets of images that are loaded into one process: a wheel's name in data/wheels.toml, and prefixes of the
/// names of its images.
const SETS: &[&[(&str, &[&str])]] = &[
    &[
        (
            "iree-base-compiler",
            &[
                "iree/compiler/_mlir_libs/_mlir.",
                "iree/compiler/_mlir_libs/_mlirDialectsLinalg.",
            ],
        ),
        (
            "torch-mlir",
            &[
                "torch_mlir/_mlir_libs/_mlir.",
                "torch_mlir/_mlir_libs/_mlirDialectsLinalg.",
            ],
        ),
    ],
    &[
        (
            "circt",
            &["circt/_mlir_libs/_mlir.", "circt/_mlir_libs/_circt."],
        ),
        ("torch-mlir", &["torch_mlir/_mlir_libs/_mlir."]),
    ],
    &[(
        "numpy",
        &[
            "numpy/_core/_multiarray_umath.",
            "numpy/fft/_pocketfft_umath.",
            "numpy/random/_bounded_integers.",
            "numpy/random/_generator.",
        ],
    )],
    &[(
        "pyarrow",
        &["pyarrow/lib.", "pyarrow/_compute.", "pyarrow/_fs."],
    )],
];

/// Loads the libraries of its arguments in their order: `global:<path>` with `RTLD_GLOBAL`, `local:<path>`
/// with `RTLD_LOCAL`.
const HOST: &str = "import ctypes, sys
for argument in sys.argv[1:]:
    mode, path = argument.split(':', 1)
    ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL if mode == 'global' else ctypes.RTLD_LOCAL)
";

/// A binding: the image that refers to a name, the name, and the image whose definition it is bound to.
type Bound = (String, String, String);

/// Compares each set, loaded in both orders, with `RTLD_LOCAL` and with `RTLD_GLOBAL`.
pub(super) fn compare(
    python: &Venv,
    scratch: &Utf8Path,
    wheel_of: &dyn Fn(&str) -> Option<Utf8PathBuf>,
) -> Result<Vec<Compared>> {
    let mut all = Vec::new();
    for set in SETS {
        let folder = scratch.join("loads");
        if folder.exists() {
            fs_err::remove_dir_all(&folder)?;
        }
        let mut images = Vec::new();
        let mut order = Vec::new();
        for (name, roots) in *set {
            let path = wheel_of(name).ok_or_else(|| {
                Error::new(
                    ErrorKind::Check,
                    format!("no wheel of {name} for Linux is in the list"),
                )
            })?;
            let unpacked = unpack(&path, &folder)?;
            for root in *roots {
                let image = unpacked
                    .iter()
                    .find(|image| relative(image, &folder).starts_with(root));
                order.push(image.cloned().ok_or_else(|| {
                    Error::new(ErrorKind::Check, format!("{name} has no {root}"))
                })?);
            }
            images.extend(unpacked);
        }
        let names: Vec<&str> = set.iter().map(|(name, _)| *name).collect();
        for (backwards, global) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut order = order.clone();
            if backwards {
                order.reverse();
            }
            let title = format!(
                "{} loaded {}, {}",
                names.join(" and "),
                if backwards {
                    "backwards"
                } else {
                    "in this order"
                },
                if global { "RTLD_GLOBAL" } else { "RTLD_LOCAL" },
            );
            all.push(one(python, &folder, &images, &order, global, title)?);
        }
        fs_err::remove_dir_all(&folder)?;
    }
    Ok(all)
}

fn one(
    python: &Venv,
    folder: &Utf8Path,
    images: &[Utf8PathBuf],
    order: &[Utf8PathBuf],
    global: bool,
    title: String,
) -> Result<Compared> {
    let maps = images
        .iter()
        .map(|path| collect::map(path))
        .collect::<Result<Vec<_>>>()?;
    let inputs: Vec<Input<'_>> = images
        .iter()
        .zip(&maps)
        .map(|(path, bytes)| Input {
            name: path.as_str(),
            bytes,
        })
        .collect();
    let loads: Vec<Load> = order
        .iter()
        .map(|path| Load {
            image: path.to_string(),
            global,
        })
        .collect();
    let predicted = bindings(&inputs, &loads).map_err(unreadable)?;
    let ours: BTreeSet<Bound> = predicted
        .into_iter()
        .filter_map(|bound| Some((bound.image, bound.symbol, bound.to?)))
        .collect();

    let mode = if global { "global" } else { "local" };
    let tool = python
        .python("load extensions")
        .args(["-c", HOST])
        .env("LD_DEBUG", "bindings");
    let output = tool
        .args(order.iter().map(|path| format!("{mode}:{path}")))
        .output_unchecked()?;
    let known: BTreeSet<&str> = images.iter().map(|path| path.as_str()).collect();
    let of_set = output.stderr.lines().filter_map(traced);
    let (real, outside): (BTreeSet<Bound>, BTreeSet<Bound>) = of_set
        .filter(|(from, ..)| known.contains(from.as_str()))
        .partition(|(_, _, to)| known.contains(to.as_str()));
    // Two LLVMs in one process may abort it. Images that had bound no name by then are not compared.
    let died = !output.status.success();
    let asking: BTreeSet<&str> = real.iter().map(|bound| bound.0.as_str()).collect();
    let ours: BTreeSet<Bound> = ours
        .into_iter()
        .filter(|bound| !died || asking.contains(bound.0.as_str()))
        .collect();
    // mondo-audit does not know the definitions of libraries outside of the set.
    let outside: BTreeMap<(String, String), String> = outside
        .into_iter()
        .map(|(from, name, to)| ((from, name), to))
        .collect();
    let asked = |(from, name, _): &Bound| (from.clone(), name.clone());
    let (elsewhere, ours): (BTreeSet<Bound>, BTreeSet<Bound>) = ours
        .into_iter()
        .partition(|bound| outside.contains_key(&asked(bound)));
    let in_truth: BTreeSet<Bound> = elsewhere
        .iter()
        .map(|bound| {
            let to = &outside[&asked(bound)];
            let file = to.rsplit('/').next().unwrap_or(to);
            (bound.0.clone(), bound.1.clone(), file.to_owned())
        })
        .collect();
    let mut compared = Compared {
        title: if died {
            format!("{title} (the process dies)")
        } else {
            title
        },
        images: real
            .iter()
            .map(|bound| &bound.0)
            .collect::<BTreeSet<_>>()
            .len(),
        ..Compared::default()
    };
    let shown = |all: BTreeSet<Bound>| -> BTreeSet<String> {
        all.into_iter()
            .map(|(from, name, to)| {
                format!(
                    "{name} of {} from {}",
                    relative(&from, folder),
                    relative(&to, folder)
                )
            })
            .collect()
    };
    add(
        &mut compared,
        "ld.so",
        Aspect::Bindings,
        String::new(),
        shown(ours),
        shown(real),
    );
    add(
        &mut compared,
        "ld.so",
        Aspect::Outside,
        String::new(),
        shown(elsewhere),
        shown(in_truth),
    );
    Ok(compared)
}

/// Parses a line of `LD_DEBUG=bindings`, with the paths normalised.
fn traced(line: &str) -> Option<Bound> {
    let (_, line) = line.split_once("binding file ")?;
    let (from, line) = line.split_once(" [0] to ")?;
    let (to, line) = line.split_once(" [0]: ")?;
    let (_, line) = line.split_once('`')?;
    let (name, _) = line.split_once('\'')?;
    Some((plain(from), name.to_owned(), plain(to)))
}

/// The path without the `..` that come from run paths such as `$ORIGIN/../x`.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn relative<'p>(path: &'p (impl AsRef<str> + ?Sized), folder: &Utf8Path) -> &'p str {
    let path = path.as_ref();
    path.strip_prefix(folder.as_str())
        .map_or(path, |rest| rest.trim_start_matches('/'))
}

/// Writes a wheel's shared libraries into a folder, under the names by which they are installed. Programs are
/// left out, because they run in processes of their own.
fn unpack(path: &Utf8Path, folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let bytes = collect::map(path)?;
    let name = path.file_name().unwrap_or_default();
    let wheel = Wheel::read(name, &bytes, LARGEST).map_err(unreadable)?;
    let mut images = Vec::new();
    for entry in &wheel.entries {
        let contents = wheel.contents(entry).map_err(unreadable)?;
        if !is_image(&entry.name, &contents) {
            continue;
        }
        let facts = read_image(&entry.name, &contents).map_err(unreadable)?;
        if facts.kind != ImageKind::SharedLibrary {
            continue;
        }
        let place = folder.join(&entry.name);
        fs_err::create_dir_all(place.parent().unwrap_or(folder))?;
        fs_err::write(&place, &contents)?;
        images.push(place);
    }
    Ok(images)
}
