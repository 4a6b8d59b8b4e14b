//! Links the fixtures: real images by the system's compiler and linker, those of other systems by
//! `foreign::spec`.

#![expect(
    clippy::disallowed_types,
    reason = "tests link their fixtures and ask readelf and nm"
)]

use std::collections::BTreeMap;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{Expect, Policy, Role};

use crate::foreign;
use crate::packed::{self, Packed};

/// A folder of sources, and the directives in their leading comments.
///
/// A directive is a line `// key: value` (`# key: value` in assembly). Directives of one image:
///
/// - `image: <file>`: what the source is linked into; sources of one image share one link
/// - `role: library | extension <module> | none`; `none` means no expectations
/// - `exports: <names>`, `node: <name>`: the expected exports, and the version script's contents
/// - `script: <text>`: a version script in place of that one
/// - `soname: <name>`: the SONAME, if it is not the image's file name; `none` for none
/// - `needs: <libraries>`: allowed ones; `links: <images>`: earlier images it is linked against
/// - `flags: <arguments>`: after the default ones, which make a clean image
/// - `audit: no`: an image that is only there to link against
///
/// - `kind: library | program | object | archive`: without, it is a library
/// - `package: <wheel>`: the wheel that contains it
/// - `symbolic: yes`: marks the image `DF_SYMBOLIC` after the link, which then cannot act on it
/// - `set: <offset> <bits>`: sets these bits of a byte after the link, in hexadecimal digits
///
/// and of the whole case: `load: <image> local | global`, `glibc: 2.5`, `minimum: macos 11.0`, `abi3:
/// 3.10`, `build-path: <path>`, `expect: …`, `says: <part of a finding>` (`says: ! …`: of none),
/// `tool: …`. With a `wheel.toml`, the wheel is what is audited.
pub(crate) struct Case {
    /// Folder of the images.
    pub(crate) dir: Utf8PathBuf,
    /// The images to audit, in the order of their names.
    pub(crate) images: Vec<Utf8PathBuf>,
    /// The wheels that contain some of them, by file name.
    packages: BTreeMap<String, String>,
    /// The wheel to audit in their place.
    pub(crate) wheel: Option<Packed>,
    pub(crate) policy: Policy,
    /// The arguments of `expect:` lines.
    pub(crate) expected: Vec<String>,
    /// The arguments of `says:` lines.
    pub(crate) says: Vec<String>,
    /// The arguments of `tool:` lines.
    pub(crate) tools: Vec<String>,
    /// The arguments of `load:` lines.
    pub(crate) loads: Vec<String>,
    _temp: tempfile::TempDir,
}

impl Case {
    /// The images with the names that they are audited under.
    pub(crate) fn read(&self) -> Vec<(String, Vec<u8>)> {
        let read = |path: &Utf8PathBuf| {
            let file = path.file_name().expect("a name");
            let package = self.packages.get(file);
            let name = package.map_or(file.to_owned(), |package| format!("{package}!{file}"));
            (name, fs_err::read(path).expect("the image"))
        };
        self.images.iter().map(read).collect()
    }
}

/// The pairs of a source's leading comment.
#[derive(Default)]
pub(crate) struct Directives(Vec<(String, String)>);

impl Directives {
    fn read(source: &str) -> Self {
        let lines = source
            .lines()
            .map_while(|line| line.strip_prefix("// ").or_else(|| line.strip_prefix("# ")));
        let pairs = lines.filter_map(|line| line.split_once(": "));
        Self(
            pairs
                .map(|(key, value)| (key.to_owned(), value.trim().to_owned()))
                .collect(),
        )
    }

    pub(crate) fn all<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'s str> {
        self.0
            .iter()
            .filter(move |pair| pair.0 == key)
            .map(|pair| pair.1.as_str())
    }

    pub(crate) fn words(&self, key: &str) -> Vec<String> {
        self.all(key)
            .flat_map(str::split_whitespace)
            .map(str::to_owned)
            .collect()
    }

    pub(crate) fn one<'s>(&'s self, key: &'s str) -> Option<&'s str> {
        self.all(key).next()
    }
}

/// The folder of all fixtures.
pub(crate) fn fixtures() -> Utf8PathBuf {
    Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))
}

/// Links every image of a fixture folder.
pub(crate) fn link(folder: &Utf8Path) -> Case {
    // The rule build-path counts the folders below /tmp, so the fixtures are always at the same depth.
    let temp = tempfile::tempdir_in("/tmp").expect("a temporary folder");
    let dir = Utf8PathBuf::from_path_buf(temp.path().to_owned()).expect("a UTF-8 path");
    let mut images: BTreeMap<String, (Vec<String>, Directives)> = BTreeMap::new();
    let mut all = Directives::default();
    let mut sources: Vec<_> = fs_err::read_dir(folder)
        .expect("the fixture's folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a UTF-8 name")
        })
        .collect();
    sources.sort();
    for name in sources.into_iter().filter(|name| name != "wheel.toml") {
        let text = fs_err::read_to_string(folder.join(&name)).expect("the source");
        fs_err::write(dir.join(&name), &text).expect("a copy");
        let directives = Directives::read(&text);
        let image = directives
            .one("image")
            .expect("an `image:` directive")
            .to_owned();
        all.0.extend(directives.0.iter().cloned());
        let (sources, known) = images.entry(image).or_default();
        sources.push(name);
        known.0.extend(directives.0);
    }

    let mut policy = Policy::default();
    let pair = |text: &str| {
        let (major, minor) = text.split_once('.').expect("a version");
        (
            major.parse().expect("a number"),
            minor.parse().expect("a number"),
        )
    };
    policy.minimum_glibc = all.one("glibc").map(pair);
    for line in all.all("minimum") {
        let (system, version) = line.split_once(' ').expect("a system and a version");
        let minimum = match system {
            "macos" => &mut policy.minimum_macos,
            "windows" => &mut policy.minimum_windows,
            other => panic!("no system {other}"),
        };
        *minimum = Some(pair(version));
    }
    policy.abi3 = all.one("abi3").map(pair);
    policy.build_paths = all.words("build-path");
    let mut audited = Vec::new();
    let mut packages = BTreeMap::new();
    for (image, (sources, directives)) in &images {
        if foreign::spec::format(&sources[0]).is_some() {
            foreign::spec::link(&dir, image, sources, directives);
        } else {
            link_image(&dir, image, sources, directives);
        }
        if directives.one("symbolic") == Some("yes") {
            mark_symbolic(&dir.join(image));
        }
        for line in directives.all("set") {
            set(&dir.join(image), line);
        }
        if directives.one("audit") == Some("no") {
            continue;
        }
        audited.push(dir.join(image));
        if let Some(package) = directives.one("package") {
            packages.insert(image.clone(), package.to_owned());
        }
        if let Some(expect) = expectation(image, &sources[0], directives) {
            policy.images.insert(image.clone(), expect);
        }
    }
    let mut expected: Vec<String> = all.all("expect").map(str::to_owned).collect();
    let mut says: Vec<String> = all.all("says").map(str::to_owned).collect();
    let wheel = packed::pack(folder, &dir).map(|packed| {
        expected.extend(packed.expected);
        says.extend(packed.says);
        packed.wheel
    });
    Case {
        images: audited,
        packages,
        wheel,
        policy,
        expected,
        says,
        tools: all.all("tool").map(str::to_owned).collect(),
        loads: all.all("load").map(str::to_owned).collect(),
        dir,
        _temp: temp,
    }
}

fn expectation(image: &str, source: &str, directives: &Directives) -> Option<Expect> {
    let role = directives.one("role").unwrap_or("library");
    let module = role.strip_prefix("extension ");
    if role == "none" {
        return None;
    }
    let library = module.is_none();
    let soname = match foreign::spec::format(source) {
        Some(object::BinaryFormat::MachO) => format!("@rpath/{image}"),
        _ => image.to_owned(),
    };
    Some(Expect {
        role: module.map_or(Role::Library, |module| Role::Extension {
            module: module.to_owned(),
        }),
        exports: library.then(|| directives.words("exports").into_iter().collect()),
        version_node: directives.one("node").map(str::to_owned),
        soname: library.then(|| directives.one("soname").unwrap_or(&soname).to_owned()),
        needed: directives.words("needs"),
    })
}

fn link_image(dir: &Utf8Path, image: &str, sources: &[String], directives: &Directives) {
    let cpp = sources.iter().any(|source| source.ends_with(".cpp"));
    let mut command = Command::new(if cpp { "g++" } else { "gcc" });
    command.current_dir(dir).args(["-O1", "-o", image]);
    command.args(sources);
    let finish = |command: &mut Command| {
        let output = command.output().expect("a C and C++ compiler");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{image}: {errors}");
    };
    match directives.one("kind").unwrap_or("library") {
        "object" => {
            return finish(
                command
                    .args(["-c", "-fPIC"])
                    .args(directives.words("flags")),
            );
        }
        "archive" => {
            let member = format!("{image}.o");
            let flags = directives.words("flags");
            finish(command.args(["-c", "-fPIC", "-o", &member]).args(flags));
            return finish(
                Command::new("ar")
                    .current_dir(dir)
                    .args(["rcsD", image, &member]),
            );
        }
        "program" => {}
        _ => drop(command.args(["-shared", "-fPIC"])),
    }
    command.args([
        "-Wl,-z,relro,-z,now,-z,noexecstack,--build-id",
        // The marks are forced: whether crti.o has them is the distribution's choice.
        "-Wl,--enable-new-dtags,-z,ibt,-z,shstk",
    ]);
    if cpp {
        command.args(["-static-libstdc++", "-static-libgcc"]);
    }
    let extension = directives
        .one("role")
        .is_some_and(|role| role.starts_with("extension"));
    let library = directives.one("kind").is_none();
    if !extension && library && directives.one("soname") != Some("none") {
        let soname = directives.one("soname").unwrap_or(image);
        command.arg(format!("-Wl,-soname,{soname}"));
    }
    let mut names = directives.words("exports");
    if let Some(module) = directives
        .one("role")
        .and_then(|role| role.strip_prefix("extension "))
    {
        names.push(format!("PyInit_{module}"));
    }
    let script = directives.one("script").map_or_else(
        || {
            let node = directives.one("node").unwrap_or_default();
            let globals: String = names.iter().map(|name| format!("{name};")).collect();
            format!(
                "{node} {{ {}{globals} local: *; }};",
                if names.is_empty() { "" } else { "global: " }
            )
        },
        str::to_owned,
    );
    let script_file = format!("{image}.map");
    fs_err::write(dir.join(&script_file), script).expect("a version script");
    command.arg(format!("-Wl,--version-script={script_file}"));
    command.args(directives.words("flags"));
    command.args(
        directives
            .words("links")
            .iter()
            .map(|library| format!("./{library}")),
    );
    finish(&mut command);
}

/// Sets bits of one byte: `<offset> <bits>`.
fn set(image: &Utf8Path, line: &str) {
    let (at, bits) = line.split_once(' ').expect("an offset and bits");
    let at = usize::from_str_radix(at, 16).expect("an offset");
    let mut bytes = fs_err::read(image).expect("the image");
    bytes[at] |= u8::from_str_radix(bits, 16).expect("bits");
    fs_err::write(image, bytes).expect("the image");
}

/// Adds `DF_SYMBOLIC` to `DF_BIND_NOW`.
fn mark_symbolic(image: &Utf8Path) {
    let entry = |flags: u64| [30_u64.to_le_bytes(), flags.to_le_bytes()].concat();
    let mut bytes = fs_err::read(image).expect("the image");
    let (old, new) = (entry(8), entry(8 | 2));
    let at = bytes.windows(16).position(|window| window == old);
    let at = at.expect("DT_FLAGS with DF_BIND_NOW");
    bytes[at..at + 16].copy_from_slice(&new);
    fs_err::write(image, bytes).expect("the image");
}

/// Compiles a C program, and runs it with the loader's account of its bindings on standard error.
pub(crate) fn run_traced(dir: &Utf8Path, source: &str, args: &[String]) -> String {
    fs_err::write(dir.join("host.c"), source).expect("the source");
    run(dir, "gcc", &["host.c", "-o", "host"]);
    let output = Command::new(dir.join("host"))
        .current_dir(dir)
        .args(args)
        .env("LD_LIBRARY_PATH", dir)
        .env("LD_DEBUG", "bindings")
        .output()
        .expect("the program");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

/// Output of a tool about a file of the case.
pub(crate) fn run(dir: &Utf8Path, tool: &str, args: &[&str]) -> String {
    let output = Command::new(tool)
        .current_dir(dir)
        .args(args)
        .output()
        .expect("the tool");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
