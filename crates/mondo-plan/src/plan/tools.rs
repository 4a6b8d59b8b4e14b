//! MLIR's tools of a bundle: which of them, under which names, with which translations.

use mondo_core::error::{ErrorKind, Result};

use super::PlannedTool;
use super::selection::{Selection, sorted};
use crate::catalogue::Release;
use crate::dialect_crate::DialectCrate;
use crate::manifest::Manifest;
use crate::metadata::Metadata;

/// The header of the function that runs them, which a bundle without tools has not.
const HEADER: &str = "mondo_tools.h";

/// The tool that has translations.
const TRANSLATE: &str = "translate";

/// The headers that a bundle has for its tools.
pub(super) fn headers(tools: &[PlannedTool]) -> Vec<String> {
    let header = tools.first().map(|_| HEADER.to_owned());
    header.into_iter().collect()
}

/// The tools that the manifest names; `@all` are those whose archives LLVM's packages have.
pub(super) fn planned(
    manifest: &Manifest,
    release: &Release<'_>,
    chosen: &Selection<'_>,
) -> Vec<PlannedTool> {
    let label = manifest.label.as_deref().unwrap_or("mlir");
    let asked_for = |name: &str| manifest.tools.iter().any(|word| word.get_ref() == name);
    let tools = release.tools.iter();
    tools
        .filter(|(name, tool)| {
            chosen.names.contains(*name) && (tool.sources.is_empty() || asked_for(name))
        })
        .map(|(name, tool)| PlannedTool {
            name: (*name).to_owned(),
            command: format!("{}-{name}", label.replace('_', "-")),
            archive: tool.archive.clone(),
            sources: tool.sources.clone(),
        })
        .collect()
}

/// Adds the commands of the tools to the console scripts of `metadata`. The manifest cannot have scripts of these names
/// for itself.
///
/// # Errors
/// `ErrorKind::Plan` for an equal name.
pub(super) fn add_commands(
    manifest: &Manifest,
    tools: &[PlannedTool],
    metadata: &mut Metadata,
) -> Result<()> {
    for tool in tools {
        let command = &tool.command;
        let taken = ["console_scripts", "gui_scripts"]
            .into_iter()
            .find(|group| {
                let names = metadata.entry_points.get(*group);
                names.is_some_and(|names| names.contains_key(command))
            });
        if taken.is_some() {
            let mut words = manifest.tools.iter();
            let named = words.find(|it| *it.get_ref() == tool.name);
            let span = named
                .or(manifest.tools.first())
                .map_or(0..0, toml::Spanned::span);
            let what = format!(
                "the tool `{}` is the command `{command}`, which is a script as well",
                tool.name
            );
            return Err(manifest
                .error(ErrorKind::Plan, span, what)
                .because("a command calls one function")
                .help("give the script another name, or leave the tool out"));
        }
    }
    if !tools.is_empty() {
        let scripts = metadata.entry_points.entry("console_scripts".to_owned());
        let root = &manifest.import_root;
        let commands = tools
            .iter()
            .map(|it| (it.command.clone(), it.entry_point(root)));
        scripts.or_default().extend(commands);
    }
    Ok(())
}

/// The translations of the tool for them: those between what the bundle has, and those of its crates.
pub(super) fn translations(
    release: &Release<'_>,
    tools: &[PlannedTool],
    dialects: &Selection<'_>,
    translations: &Selection<'_>,
    crates: &[DialectCrate],
) -> Vec<String> {
    if !tools.iter().any(|tool| tool.name == TRANSLATE) {
        return Vec::new();
    }
    let known = release.tool_translations.iter();
    let present = known.filter(|it| {
        let translation = it.translation.as_ref();
        dialects.has_all(&it.dialects)
            && translation.is_none_or(|it| translations.names.contains(it.get_ref().as_str()))
    });
    let of_crates = crates.iter().flat_map(|one| {
        let functions = one.tool_translations.iter();
        functions.map(|it| one.function_of(it))
    });
    sorted(
        present
            .map(|it| it.register.clone())
            .chain(of_crates)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use crate::catalogue::Catalogue;
    use crate::manifest;
    use crate::plan::{Plan, resolve};
    use mondo_core::error::Result;

    fn plan(package: &str, contents: &str) -> Result<Plan> {
        let text = format!(
            "manifest = 1\n[package]\ndistribution = \"d\"\nlicense = \"MIT\"\n{package}\n\
             [llvm]\nversion = \"22\"\n[contents]\n{contents}\n"
        );
        let manifest = manifest::parse(&text, "m.toml".into())?;
        resolve(&manifest, &Catalogue::upstream()?, &[], "x86_64")
    }

    fn names(plan: &Plan) -> Vec<&str> {
        plan.tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    #[test]
    fn all_are_those_that_packages_have() {
        let all = plan("", "dialects = [\"@core\"]\ntools = [\"@all\"]").unwrap();
        assert_eq!(names(&all), ["lsp-server", "opt", "reduce", "translate"]);
        assert!(all.headers.contains(&super::HEADER.to_owned()));
        let named = "dialects = []\ntools = [\"@all\", \"pdll-lsp-server\"]";
        let with_one = plan("", named).unwrap();
        let one = with_one
            .tools
            .iter()
            .find(|it| it.name == "pdll-lsp-server");
        assert!(one.is_some_and(|it| !it.sources.is_empty()));
        let none = plan("", "dialects = [\"@core\"]").unwrap();
        assert!(none.tools.is_empty() && !none.headers.contains(&super::HEADER.to_owned()));
    }

    #[test]
    fn commands_are_named_after_the_label() {
        let tools = "dialects = []\ntools = [\"opt\"]";
        for (package, command) in [("", "mlir-opt"), ("label = \"my_own\"", "my-own-opt")] {
            assert_eq!(plan(package, tools).unwrap().tools[0].command, command);
        }
    }

    fn project(scripts: &str) -> Result<Plan> {
        let text = format!(
            "[project]\nname = \"d\"\nversion = \"1\"\nlicense = \"MIT\"\nrequires-python = \">=3.10\"\n\
             {scripts}\n[tool.mondo]\nmanifest = 1\n[tool.mondo.package]\nlabel = \"d\"\n\
             [tool.mondo.llvm]\nversion = \"22\"\n[tool.mondo.contents]\ndialects = []\n\
             tools = [\"opt\", \"reduce\"]\n"
        );
        let manifest = manifest::parse(&text, "pyproject.toml".into())?;
        resolve(&manifest, &Catalogue::upstream()?, &[], "x86_64")
    }

    #[test]
    fn commands_are_among_the_projects_scripts() {
        let plan = project("[project.scripts]\nd-run = \"d:run\"").unwrap();
        let scripts = &plan.metadata.entry_points["console_scripts"];
        let scripts: Vec<_> = scripts.iter().map(|(a, b)| format!("{a}={b}")).collect();
        let expected = [
            "d-opt=d.mlir._tools:opt",
            "d-reduce=d.mlir._tools:reduce",
            "d-run=d:run",
        ];
        assert_eq!(scripts, expected);
    }

    #[test]
    fn a_script_of_a_tools_name_is_refused() {
        for table in ["scripts", "gui-scripts"] {
            let error = project(&format!("[project.{table}]\nd-reduce = \"d:run\"")).unwrap_err();
            let said = error.to_string();
            assert!(
                said.contains("`d-reduce`") && said.contains("pyproject.toml:16:17"),
                "{said}"
            );
        }
    }

    #[test]
    fn translations_are_between_what_is_there() {
        let tools = "translations = [\"smt-lib\"]\ntools = [\"translate\"]";
        let some = plan("", &format!("dialects = [\"llvm\", \"smt\"]\n{tools}")).unwrap();
        assert_eq!(
            some.tool_translations,
            ["_ZN4mlir3smt31registerExportSMTLIBTranslationEv"]
        );
        let other = "dialects = [\"smt\"]\ntranslations = [\"smt-lib\"]\ntools = [\"opt\"]";
        assert!(plan("", other).unwrap().tool_translations.is_empty());
    }

    #[test]
    fn an_unknown_tool_is_refused_with_the_nearest() {
        let error = plan("", "dialects = []\ntools = [\"lsp-sever\"]").unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("`lsp-sever` is not a tool of LLVM 22"),
            "{said}"
        );
        assert!(said.contains("lsp-server"), "{said}");
    }
}
