//! Names that projects of a manifest give to wheels and commands. Two of one name are refused before a project is compiled.

use mondo_core::error::{Error, ErrorKind, Result};

use super::model::Manifest;
use super::project::{Project, Word};
use super::project_tools::ProjectTool;
use crate::names::normalized;
use crate::spanned::Spanned;

impl Manifest {
    /// The name of a project's wheel where nothing names it.
    #[must_use]
    pub fn default_wheel(&self, project: &Project) -> String {
        let label = self.label.as_deref().unwrap_or("mondo");
        format!("{label}-{}", project.name.get_ref()).replace('_', "-")
    }

    /// Refuses the name of a project's wheel that another wheel of the bundle has. A project with extensions has a wheel
    /// whether it is named or not.
    ///
    /// # Errors
    /// `ErrorKind::Plan` for such a name.
    pub fn check_wheel(&self, project: &Project, has_extensions: bool) -> Result<()> {
        if self.wheel.single {
            return Ok(());
        }
        let name = project.name.get_ref();
        let named = self.named_wheel(project);
        let default = has_extensions.then(|| self.default_wheel(project));
        let Some(wheel) = named.map(|word| word.get_ref().clone()).or(default) else {
            return Ok(());
        };
        let same = |other: &str| normalized(other) == normalized(&wheel);
        let others = self
            .projects
            .iter()
            .filter(|other| other.name != project.name);
        let mut others = others.filter_map(|other| self.named_wheel(other));
        if !same(&self.metadata.distribution) && !others.any(|other| same(other.get_ref())) {
            return Ok(());
        }
        let what = format!("two wheels of this bundle would be named `{wheel}`");
        let span = named.map_or_else(|| project.name.span(), Spanned::span);
        Err(self.error(ErrorKind::Plan, span, what).help(format!(
            "set another `wheel` in the `[[project]]` of `{name}`, or another `package.distribution`"
        )))
    }

    fn named_wheel<'m>(&'m self, project: &'m Project) -> Option<&'m Word> {
        let named = self.wheels.get(project.name.get_ref());
        named.or(project.wheel.as_ref())
    }
}

/// Refuses commands that differ in `-` and `_` alone: the functions that they call would have one name.
pub(super) fn check_commands(projects: &[Project]) -> Result<()> {
    let mut taken: Vec<(&Project, Word, &str)> = Vec::new();
    for project in projects {
        for (program, command) in project.own_programs() {
            let same = |(_, _, other): &&(&Project, Word, &str)| {
                other.replace('-', "_") == command.replace('-', "_")
            };
            if let Some((owner, other, name)) = taken.iter().find(same) {
                let what = match *name == command {
                    true => format!("two commands are named `{command}`"),
                    false => {
                        format!("the commands `{name}` and `{command}` differ in `-` and `_` alone")
                    }
                };
                return Err(project
                    .error(ErrorKind::Manifest, &program, what)
                    .because("their functions in the library would have the same name")
                    .details([owner.place(other), project.place(&program)])
                    .help("give one of them another `command`"));
            }
            taken.push((project, program, command));
        }
    }
    Ok(())
}

/// Refuses a tool in a program's place that the bundle does not have. A set such as `@all` is resolved later.
pub(super) fn check_tools(projects: &[Project], tools: &[Spanned<String>]) -> Result<()> {
    let has = |name: &str| {
        let mut words = tools.iter().map(|word| word.get_ref().as_str());
        words.any(|word| word == name || word.starts_with('@'))
    };
    for project in projects {
        for word in project.tools.values() {
            match word.get_ref() {
                ProjectTool::Tool(name) if !has(name) => {
                    return Err(lacks_tool(project, word, name));
                }
                ProjectTool::Tool(_) | ProjectTool::Own(_) => {}
            }
        }
    }
    Ok(())
}

/// The error for a tool that the bundle lacks and that runs in place of a project's program.
pub(crate) fn lacks_tool(project: &Project, word: &Spanned<ProjectTool>, tool: &str) -> Error {
    let what = format!(
        "`project.tools` of `{}` names the tool `{tool}`, which the bundle lacks",
        project.name.get_ref()
    );
    project
        .error(ErrorKind::Plan, word, what)
        .help("use a tool of `contents.tools`, or add this one there")
}

/// Refuses names of wheels that are known without the projects.
pub(super) fn check_wheels(manifest: &Manifest) -> Result<()> {
    let mut projects = manifest.projects.iter();
    projects.try_for_each(|project| manifest.check_wheel(project, false))
}
