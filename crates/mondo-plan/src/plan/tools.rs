//! MLIR's tools of a bundle: which of them, under which names, with which translations.

use mondo_core::error::{ErrorKind, Result};

use super::PlannedTool;
use super::selection::{Selection, sorted};
use crate::catalogue::Release;
use crate::dialect_crate::DialectCrate;
use crate::manifest::{Manifest, ProjectTool, lacks_tool};
use crate::metadata::Metadata;
use crate::spanned::Spanned;

/// The header of the function that runs them, which a bundle without tools has not.
const HEADER: &str = "mondo_tools.h";

/// The tool that has translations.
const TRANSLATE: &str = "translate";

/// The tools of a bundle, and what it has for them.
pub(super) struct Tools {
    pub(super) planned: Vec<PlannedTool>,
    pub(super) headers: Vec<String>,
    /// The functions that register the translations of the tool for them.
    pub(super) translations: Vec<String>,
}

impl Tools {
    /// Plans the tools `chosen`, and adds their commands to the console scripts of `metadata`.
    ///
    /// # Errors
    /// `ErrorKind::Plan` for a command that is also a script of the manifest, and where the bundle lacks a tool that
    /// runs in place of a project's program.
    pub(super) fn resolve(
        manifest: &Manifest,
        release: &Release<'_>,
        chosen: &Selection<'_>,
        dialects: &Selection<'_>,
        translations: &Selection<'_>,
        crates: &[DialectCrate],
        metadata: &mut Metadata,
    ) -> Result<Self> {
        let mut planned = planned(manifest, release, chosen);
        check_projects(manifest, &planned)?;
        planned.extend(of_crates(crates));
        planned.sort_by(|a, b| a.name.cmp(&b.name));
        add_commands(manifest, &planned, metadata)?;
        let header = planned.first().map(|_| HEADER.to_owned());
        Ok(Self {
            headers: header.into_iter().collect(),
            translations: registered(release, &planned, dialects, translations, crates),
            planned,
        })
    }
}

/// The command of a tool in a bundle with this label: `acme-opt`, or `mlir-opt` without one.
#[must_use]
pub fn command(label: Option<&str>, tool: &str) -> String {
    let label = label.unwrap_or("mlir").replace('_', "-");
    format!("{label}-{tool}")
}

/// The tools that the manifest names; `@all` are those whose archives LLVM's packages have.
fn planned(manifest: &Manifest, release: &Release<'_>, chosen: &Selection<'_>) -> Vec<PlannedTool> {
    let label = manifest.label.as_deref();
    let asked_for = |name: &str| manifest.tools.iter().any(|word| word.get_ref() == name);
    let tools = release.tools.iter();
    tools
        .filter(|(name, tool)| {
            chosen.names.contains(*name) && (tool.sources.is_empty() || asked_for(name))
        })
        .map(|(name, tool)| PlannedTool {
            name: (*name).to_owned(),
            command: command(label, name),
            archive: tool.archive.clone(),
            sources: tool.sources.clone(),
            main: None,
        })
        .collect()
}

/// The commands of dialect crates and projects.
fn of_crates(crates: &[DialectCrate]) -> impl Iterator<Item = PlannedTool> {
    let commands = crates.iter().flat_map(|one| &one.commands);
    commands.map(|command| PlannedTool {
        name: command.name.get_ref().clone(),
        command: command.name.get_ref().clone(),
        archive: String::new(),
        sources: Vec::new(),
        main: Some(command.main.get_ref().clone()),
    })
}

/// Checks that the bundle has each tool that runs in place of a project's program.
///
/// # Errors
/// `ErrorKind::Plan` for one that it does not have.
fn check_projects(manifest: &Manifest, tools: &[PlannedTool]) -> Result<()> {
    for project in &manifest.projects {
        for word in project.tools.values() {
            let ProjectTool::Tool(name) = word.get_ref() else {
                continue;
            };
            if tools.iter().any(|tool| tool.name == *name) {
                continue;
            }
            return Err(lacks_tool(project, word, name));
        }
    }
    Ok(())
}

/// Adds the commands of the tools to the console scripts of `metadata`. The manifest cannot have scripts of these names
/// for itself.
///
/// # Errors
/// `ErrorKind::Plan` for an equal name.
fn add_commands(manifest: &Manifest, tools: &[PlannedTool], metadata: &mut Metadata) -> Result<()> {
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
            let named = words.find(|word| *word.get_ref() == tool.name);
            let span = named.or(manifest.tools.first()).map_or(0..0, Spanned::span);
            let what = format!(
                "the tool `{}` and a script are both named `{command}`",
                tool.name
            );
            return Err(manifest
                .error(ErrorKind::Plan, span, what)
                .because("a command can call only one function")
                .help("rename the script, or remove the tool from `contents.tools`"));
        }
    }
    if !tools.is_empty() {
        let scripts = metadata.entry_points.entry("console_scripts".to_owned());
        let root = &manifest.import_root;
        let commands = tools
            .iter()
            .map(|tool| (tool.command.clone(), tool.entry_point(root)));
        scripts.or_default().extend(commands);
    }
    Ok(())
}

/// The translations of the tool for them: those between what the bundle has, and those of its crates.
fn registered(
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
    let present = known.filter(|row| {
        let translation = row.translation.as_ref();
        dialects.has_all(&row.dialects)
            && translation.is_none_or(|translation| {
                translations.names.contains(translation.get_ref().as_str())
            })
    });
    let of_crates = crates.iter().flat_map(|one| {
        let functions = one.tool_translations.iter();
        functions.map(|row| one.function_of(row))
    });
    sorted(
        present
            .map(|row| row.register.clone())
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
            .find(|tool| tool.name == "pdll-lsp-server");
        assert!(one.is_some_and(|tool| !tool.sources.is_empty()));
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

    #[test]
    fn a_tool_of_a_project_that_the_bundle_lacks_is_refused_at_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let folder = camino::Utf8Path::from_path(dir.path()).unwrap();
        fs_err::write(folder.join("CMakeLists.txt"), "").unwrap();
        let with = |tools: &str| {
            let text = format!(
                "manifest = 1\n[package]\ndistribution = \"d\"\nlicense = \"MIT\"\n[llvm]\nversion = \"22\"\n\
                 [contents]\ndialects = []\ntools = [\"opt\"]\n[[project]]\nname = \"toy\"\ncmake = \".\"\n\
                 tools = {tools}\n"
            );
            let manifest = manifest::parse(&text, &folder.join("m.toml"))?;
            resolve(&manifest, &Catalogue::upstream()?, &[], "x86_64")
        };
        with("{ toy-opt = \"opt\" }").unwrap();
        let message = with("{ toy-reduce = \"reduce\" }").unwrap_err().to_string();
        assert!(
            message.contains("`project.tools` of `toy` names the tool `reduce`")
                && message.contains("m.toml:13:24"),
            "{message}"
        );
        let message = with("{ \"../opt\" = \"opt\" }").unwrap_err().to_string();
        assert!(
            message.contains("invalid program name in `project.tools`: `../opt`"),
            "{message}"
        );
        // A program of the project's own is not one of the bundle's tools.
        with("{ toy-reduce = { command = \"acme-reduce\" } }").unwrap();
        for (tools, words) in [
            (
                "{ toy-opt = { command = \"a/b\" } }",
                "invalid command name in `project.tools`: `a/b`",
            ),
            ("{ toy-opt = { commands = \"run\" } }", "m.toml:13:"),
        ] {
            let message = with(tools).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
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
            let message = error.to_string();
            assert!(
                message.contains("`d-reduce`") && message.contains("pyproject.toml:16:17"),
                "{message}"
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
        let message = error.to_string();
        assert!(
            message.contains("`lsp-sever` is not a tool of LLVM 22"),
            "{message}"
        );
        assert!(message.contains("lsp-server"), "{message}");
    }
}
