//! Files of CI, ours and those that `mondo new` writes: whether they are what GitHub reads, and safe.

use camino::Utf8PathBuf;
use mondo_build::Result;
use mondo_build::new_project::{self, Checkout, Contents, MondoSources};
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Venv};

/// Our files, and those of examples.
const OURS: [&str; 5] = [
    ".github/workflows/ci.yml",
    ".github/workflows/release.yml",
    "examples/circt/wheel.yml",
    "examples/downstream/.github/workflows/wheel.yml",
    "examples/stablehlo/wheel.yml",
];

const ACTION: &str = "action.yml";

/// check-jsonschema and zizmor over each.
pub(super) fn check(context: &Context<'_>, tools: &Venv) -> Result<()> {
    let ours = OURS.iter().map(|path| context.workspace.join(path));
    let workflows: Vec<Utf8PathBuf> = ours.chain(generated(context)?).collect();
    let schema = |name: &str| {
        tools
            .python("satisfy the schemas of workflows and actions")
            .cwd(context.workspace)
            .args(["-m", "check_jsonschema", "--quiet"])
            .args(["--builtin-schema", name])
    };
    schema("vendor.github-workflows")
        .args(&workflows)
        .stream()?;
    schema("vendor.github-actions").arg(ACTION).stream()?;
    tools
        .program("zizmor", "satisfy zizmor")
        .cwd(context.workspace)
        .args(["--offline", "--quiet", "--no-progress"])
        .args(workflows)
        .arg(ACTION)
        .stream()
}

/// The file of each kind of project, and for a project that exists that of each place of its sources.
fn generated(context: &Context<'_>) -> Result<Vec<Utf8PathBuf>> {
    let folder = context.empty_folder("workflows")?;
    let sources = MondoSources::parse("https://example.org/mondo#abc")?;
    let existing = |checkout: Checkout| -> Result<Contents> {
        let project = context.workspace.join("examples/toy-project/toy");
        let contents = new_project::existing(&project, &folder.join("any"))?;
        Ok(match contents {
            Contents::Existing(found) => {
                Contents::Existing(Box::new(found.with_checkout(checkout)))
            }
            other => other,
        })
    };
    let clone = Checkout::Clone(sources.clone(), "../toy".into());
    let kinds = [
        ("pick", Contents::Pick, false),
        ("cpp", Contents::Cpp, true),
        ("cmake", Contents::Cmake, true),
        ("rust", Contents::Rust(Some(sources)), false),
        ("inside", existing(Checkout::Inside)?, true),
        ("same", existing(Checkout::Same("python".into()))?, true),
        ("clone", existing(clone)?, true),
    ];
    let mut files = Vec::new();
    for (name, contents, per_python) in kinds {
        let project = new_project::create(&format!("new_{name}"), &contents, &folder)?;
        let file = project.join(".github/workflows/wheel.yml");
        // Only a wheel with an extension in C++ is for one CPython.
        let has_matrix = fs_err::read_to_string(&file)?.contains("matrix.python");
        let what = "the file of CI builds an extension for one CPython, or an abi3 wheel for each";
        expect(has_matrix == per_python, what, &file)?;
        files.push(file);
    }
    Ok(files)
}
