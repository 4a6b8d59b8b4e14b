//! What a plan needs to know about a project: the result of its last build, which `mondo plan` reads without a build.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_plan::manifest::Project;
use mondo_toolchain::Instrumentation;
use serde::{Deserialize, Serialize};

use crate::configure::Folders;

const FILE: &str = "description.json";

/// A project as its build left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// The folder with its `dialect.toml`.
    pub folder: Utf8PathBuf,
    /// Its dialects.
    pub dialects: Vec<String>,
    /// The number of its Python extensions.
    pub extensions: usize,
    /// The package that the project's users import, if it is not only the bundle's own.
    pub python_root: Option<String>,
}

impl Description {
    /// The description of a project's last build without instrumentation, in the folder of intermediate files `work`.
    ///
    /// # Errors
    /// `ErrorKind::Plan` where the project was never built there.
    pub fn of_last_build(project: &Project, work: &Utf8Path) -> Result<Self> {
        let file = Folders::of(project, work, Instrumentation::None)
            .own
            .join(FILE);
        let text = fs_err::read(&file).ok();
        let description: Option<Self> = text.and_then(|text| serde_json::from_slice(&text).ok());
        let built = description.filter(|description| {
            let crate_file = mondo_plan::dialect_crate::FILE_NAME;
            description.folder.join(crate_file).is_file()
        });
        built.ok_or_else(|| {
            let name = project.name.get_ref();
            Error::new(
                ErrorKind::Plan,
                format!("the project `{name}` is not built yet"),
            )
            .at(project.manifest())
            .because("mondo learns its dialects and archives by building it")
            .help("run `mondo plan --build` or `mondo bundle`")
        })
    }

    pub(crate) fn write(&self, own: &Utf8Path) -> Result<()> {
        let text = serde_json::to_vec(self).map_err(std::io::Error::from)?;
        replace(&own.join(FILE), &text)
    }
}
