//! Dialect crates from the outside: new ones, made in a folder that is not of this repository, one of an
//! existing project, and one whose extension links the dialect a second time.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::{self, Bundle, Options};
use mondo_build::manifest::Overrides;
use mondo_build::new_dialect::{self, Language};
use mondo_build::path::utf8;
use mondo_build::report::Layout;
use mondo_build::source::Source;
use mondo_build::{ErrorKind, Result};
use mondo_testbed::files::{copy_tree, newest_in, replace_in};
use mondo_testbed::verdict::{expect, expect_words, failed};
use mondo_testbed::{Context, Extent, Venv};

/// The gate has a new crate in each language, bundled and tested; `--all` also the one in C++ in a tree
/// under a label, and the dialect that is linked twice.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let folder = tempfile::Builder::new()
        .prefix("mondo-downstream-")
        .tempdir()?;
    let root = utf8(folder.path())?;
    let toy = begun(extent, context, root, "toy", Language::Cpp)?;
    begun(extent, context, root, "rusty", Language::Rust)?;
    existing(context, root, &toy)?;
    stale(extent, context, root)?;
    if extent.is_all() {
        linked_twice(context, root)?;
    }
    Ok(())
}

/// The crate of an existing project, here under another licence than the bundle's: its tests pass, and beside the wheel
/// `toy` of another bundle without a label the package refuses to be imported.
fn existing(context: &Context<'_>, root: &Utf8Path, toy: &Utf8Path) -> Result<()> {
    let folder = root.join("existing");
    copy_tree(
        &context.workspace.join("examples/existing-dialect"),
        &folder,
    )?;
    let file = folder.join("dialect.toml");
    replace_in(&file, "\"Apache-2.0 WITH LLVM-exception\"", "\"MIT\"")?;
    let manifest = folder.join("bundle.toml");
    let plan = bundle::make_plan(&manifest, &Overrides::default())?;
    let is_both = plan.metadata.license == "Apache-2.0 WITH LLVM-exception AND MIT";
    let what = "the licence is not both licences";
    expect(is_both, what, plan.metadata.license.as_str())?;
    bundle::check_archives(&plan)?;
    let made = bundle(context, manifest, root.join("dist"))?;
    let venv = Venv::with_wheels(context, "existing", [&made.wheel])?;
    let tests = folder.join("tests/test_tally.py");
    venv.pytest("pass the tests of an existing project's dialect", &[&tests])
        .stream()?;
    venv.pip_install(&["--no-index", toy.as_str()])?;
    let program = "import sys\ntry:\n import mlir.ir\nexcept ImportError as error:\n \
                   sys.exit('tally_mlir and by toy_mlir' not in str(error))\nsys.exit(1)";
    venv.python("refuse a mixture of two bundles")
        .args(["-c", program])
        .stream()
}

/// A change in whatever a dialect in Rust is made from is seen: its sources, the package of the file
/// system that it depends on, and a file that it includes from anywhere.
fn stale(extent: Extent, context: &Context<'_>, root: &Utf8Path) -> Result<()> {
    let folder = root.join("rusty");
    let helper = root.join("helper");
    let text = root.join("greeting.txt");
    fs_err::create_dir_all(helper.join("src"))?;
    fs_err::write(
        helper.join("Cargo.toml"),
        "[package]\nname = \"rusty-helper\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    )?;
    let library = helper.join("src/lib.rs");
    let greeting = format!("pub const GREETING: &str = include_str!({text:?});\n");
    fs_err::write(&library, &greeting)?;
    fs_err::write(&text, "hello")?;
    let manifest = folder.join("Cargo.toml");
    let depends = format!(
        "{}\n[dependencies.rusty-helper]\npath = \"../helper\"\n",
        fs_err::read_to_string(&manifest)?
    );
    fs_err::write(&manifest, depends)?;
    let source = folder.join("src/lib.rs");
    let uses = format!(
        "{}\n#[unsafe(no_mangle)]\npub extern \"C\" fn rusty_greeting_length() -> usize {{\n    \
         rusty_helper::GREETING.len()\n}}\n",
        fs_err::read_to_string(&source)?
    );
    fs_err::write(&source, &uses)?;

    let up_to_date = |wanted: bool, what: String| {
        let bundle = bundle(context, folder.join("bundle.toml"), root.join("dist"))?;
        expect(bundle.up_to_date == wanted, what, bundle.wheel)
    };
    up_to_date(false, "new sources are not seen".into())?;
    up_to_date(true, "nothing changed, and yet it was made".into())?;
    let changes = [
        (&text, "goodbye".to_owned()),
        (&library, format!("{greeting}pub const OTHER: u8 = 1;\n")),
        (&source, format!("{uses}// Changed.\n")),
    ];
    for (path, changed) in extent.first(1, &changes) {
        fs_err::write(path, changed)?;
        up_to_date(false, format!("a change of {path} is not seen"))?;
    }
    up_to_date(true, "after a change it is made each time".into())
}

/// A bundle of a manifest elsewhere, compiled in this workspace's target folder.
fn bundle(context: &Context<'_>, manifest: Utf8PathBuf, out_dir: Utf8PathBuf) -> Result<Bundle> {
    let options = Options {
        out_dir,
        ..Options::new(manifest, context.workspace)
    };
    bundle::bundle(&options, context.sink)
}

/// A new dialect builds, bundles and imports, and its own tests pass. Returns the bundle's wheel.
fn begun(
    extent: Extent,
    context: &Context<'_>,
    root: &Utf8Path,
    name: &str,
    language: Language,
) -> Result<Utf8PathBuf> {
    let folder = new_dialect::create(name, language, root, &Source::locate()?)?;
    let bundled = bundle(context, folder.join("bundle.toml"), root.join("dist"))?;
    let wheels = bundled.crate_wheels.iter().chain([&bundled.wheel]);
    let venv = Venv::with_wheels(context, name, wheels)?;
    let test = |file: &Utf8Path, purpose: &str| venv.pytest(purpose, &[file]);
    let file = folder.join(format!("tests/test_{name}.py"));
    test(&file, "pass the new dialect's tests").stream()?;
    if bundled.crate_wheels.is_empty() || !extent.is_all() {
        return Ok(bundled.wheel);
    }

    // A tree has the contents of both wheels in one folder; this one is bundled under a label.
    let options = Options {
        out_dir: root.join("dist"),
        layout: Layout::Tree,
        overrides: Overrides {
            label: Some("grove".into()),
            ..Overrides::default()
        },
        ..Options::new(folder.join("bundle.toml"), context.workspace)
    };
    let tree = bundle::bundle(&options, context.sink)?.wheel;
    let text = fs_err::read_to_string(file)?.replace("from mlir", "from grove.mlir");
    let file = root.join(format!("test_{name}_in_a_tree.py"));
    fs_err::write(&file, text)?;
    test(&file, "pass the new dialect's tests in a tree")
        .env("PYTHONPATH", tree.join("python"))
        .stream()?;
    Ok(bundled.wheel)
}

/// The crate `fixed-point` as another project's build would have left it, with an extension that
/// links the dialect, and MLIR with it, itself.
fn linked_twice(context: &Context<'_>, root: &Utf8Path) -> Result<()> {
    let before = context.bundle("fxp")?;
    let crates = context.workspace.join("crates/dialects/fixed-point");
    let built = built(context, "fixed-point-")?;
    let folder = root.join("twice");
    for (from, to) in [
        (crates.join("include"), "include"),
        (built.join("include"), "generated"),
        (crates.join("python-ext"), "python-ext"),
    ] {
        copy_tree(&from, &folder.join(to))?;
    }
    fs_err::copy(
        built.join("libfixed-point.a"),
        folder.join("libfixed-point.a"),
    )?;
    fs_err::copy(context.workspace.join("LICENSE"), folder.join("LICENSE"))?;
    let text = fs_err::read_to_string(crates.join("dialect.toml"))?
        .replace("\"../../../LICENSE\"", "\"LICENSE\"");
    let start = text.find("[cpp]").unwrap_or(text.len());
    let archives = all_archives(&context.toolchain.prefix.join("lib"))?;
    let crate_file = format!(
        "{}[prebuilt]\narchives = [\"libfixed-point.a\"]\nwhole = [\"libfixed-point.a\"]\n\
         include = [\"include\", \"generated\"]\nheaders = [\"include/fxp-c/Fxp.h\"]\n\
         [[extension]]\nmodule = \"_fxp\"\nkind = \"nanobind\"\nsources = [\"python-ext/*.cpp\"]\n\
         archives = [{archives}]\nwheel = \"mondo-fxp\"\n",
        &text[..start]
    );
    let honest = crate_file.replace(&format!("archives = [{archives}]"), "archives = []");
    let manifest = fs_err::read_to_string(context.manifest("fxp"))?
        .replace("../crates/dialects/fixed-point", "twice")
        .replace("license-files = [\"../LICENSE\"]\n", "")
        .replace("readme = \"../README.md\"\n", "");
    fs_err::write(root.join("twice.toml"), manifest)?;
    let make = || bundle(context, root.join("twice.toml"), root.join("twice-dist"));

    // The archives that another project has built give the same wheel as the sources compiled here.
    fs_err::write(folder.join("dialect.toml"), honest)?;
    let good = make()?;
    let wheels = || -> std::io::Result<Vec<Vec<u8>>> {
        good.crate_wheels.iter().map(fs_err::read).collect()
    };
    let kept = wheels()?;
    let exports = [&before, &good].map(|bundle| bundle.report.exports.functions);
    let what = "a prebuilt crate exports something else than a compiled one";
    expect(exports[0] == exports[1], what, format!("{exports:?}"))?;

    fs_err::write(folder.join("dialect.toml"), crate_file)?;
    let Err(error) = make() else {
        let what = "an extension with a second MLIR in it was let through";
        return Err(failed(what));
    };
    let what = "this is not the audit's error";
    expect(error.kind() == ErrorKind::Audit, what, error.to_string())?;
    let said = format!("{error}\n{}", error.listed().join("\n"));
    let words = [
        "[typeid]",
        "FxpDialect",
        "[singleton]",
        "passRegistry",
        "libfixed-point.a(FxpDialect.cpp.o) in _fxp.",
        "libfixed-point.a(FxpDialect.cpp.o) in libmlir_mondo.so",
        "libMLIRPass.a(PassRegistry.cpp.o) in _fxp.",
        "libMLIRPass.a(PassRegistry.cpp.o) in libmlir_mondo.so",
    ];
    expect_words("the refusal lacks a word", &said, &words)?;
    expect(wheels()? == kept, "the earlier wheels are gone", root)
}

/// The folder in which the pipeline has compiled a crate of this repository.
pub fn built(context: &Context<'_>, name: &str) -> Result<Utf8PathBuf> {
    newest_in(&bundle::work_dir(context.workspace).join("crates"), name)
}

/// The crate's own archive and all of MLIR's and LLVM's, as the entries of a list.
fn all_archives(lib: &Utf8Path) -> Result<String> {
    let mut names = vec!["\"libfixed-point.a\"".to_owned()];
    for entry in lib.read_dir_utf8()? {
        let entry = entry?;
        let name = entry.file_name().strip_prefix("lib");
        let name = name.and_then(|name| name.strip_suffix(".a"));
        let cpp = |name: &&str| {
            (name.starts_with("MLIR") || name.starts_with("LLVM")) && !name.starts_with("MLIRCAPI")
        };
        names.extend(name.filter(cpp).map(|name| format!("\"{name}\"")));
    }
    names.sort();
    Ok(names.join(", "))
}
