//! `CMake`'s File API: what a configured project says about its targets and its cache.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The name of this client in CMake's folder of queries.
const CLIENT: &str = "client-mondo";

/// The reply to the query.
#[derive(Debug)]
pub(crate) struct Reply {
    folder: Utf8PathBuf,
    /// Targets by name, to the files that describe them.
    targets: BTreeMap<String, String>,
    /// Variables of the cache that hold paths.
    pub(crate) paths: Vec<(String, String)>,
    /// Options of the cache that are off.
    pub(crate) off: Vec<String>,
    /// Those that are on.
    pub(crate) on: Vec<String>,
    /// Options and paths that the project or LLVM declares, by their names.
    pub(crate) options: Vec<String>,
}

/// A target's description, reduced to the parts that are used here.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Target {
    #[serde(default)]
    pub(crate) artifacts: Vec<Artifact>,
    #[serde(default)]
    pub(crate) compile_groups: Vec<CompileGroup>,
    pub(crate) paths: Paths,
    #[serde(default)]
    pub(crate) link: Option<Link>,
    /// `STATIC_LIBRARY`, `OBJECT_LIBRARY`, …
    #[serde(default, rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) backtrace_graph: BacktraceGraph,
    #[serde(default)]
    pub(crate) sources: Vec<Source>,
}

impl Target {
    /// The parts of its link line. Empty if it is not linked.
    pub(crate) fn link_fragments(&self) -> &[Fragment] {
        let link = self.link.as_ref();
        link.map_or(&[][..], |link| &link.command_fragments)
    }
}

/// The calls of the project's `CMake` files that made parts of a target.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct BacktraceGraph {
    #[serde(default)]
    files: Vec<Utf8PathBuf>,
    #[serde(default)]
    nodes: Vec<Call>,
}

#[derive(Debug, Deserialize)]
struct Call {
    file: usize,
    /// `-1` for the calls that `cmake_language(DEFER)` puts at the end of a folder.
    line: Option<i64>,
    parent: Option<usize>,
}

impl BacktraceGraph {
    /// The files and lines of the call `at` and of those around it, the innermost first.
    pub(crate) fn calls(&self, at: Option<usize>) -> impl Iterator<Item = (&Utf8Path, usize)> {
        let node = move |at: usize| self.nodes.get(at);
        // A call is listed after those around it, so that no damaged file makes this a loop.
        let outer = move |at: &usize| node(*at)?.parent.filter(|parent| parent < at);
        std::iter::successors(at, outer).filter_map(move |at| {
            let call = node(at)?;
            let line = usize::try_from(call.line?).ok()?;
            Some((self.files.get(call.file)?.as_path(), line))
        })
    }
}

/// A source file.
#[derive(Debug, Deserialize)]
pub(crate) struct Source {
    /// Relative to the top of the sources, or absolute.
    pub(crate) path: Utf8PathBuf,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Artifact {
    pub(crate) path: Utf8PathBuf,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompileGroup {
    /// `C`, `CXX`.
    #[serde(default)]
    pub(crate) language: String,
    #[serde(default)]
    pub(crate) defines: Vec<Define>,
    #[serde(default)]
    pub(crate) compile_command_fragments: Vec<Fragment>,
    #[serde(default)]
    pub(crate) includes: Vec<Include>,
}

/// A definition of the preprocessor: `NAME` or `NAME=value`.
#[derive(Debug, Deserialize)]
pub(crate) struct Define {
    pub(crate) define: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Fragment {
    pub(crate) fragment: String,
    #[serde(default)]
    pub(crate) role: String,
    /// The call that added it, or none for what comes from variables as `CMAKE_CXX_FLAGS`.
    #[serde(default)]
    pub(crate) backtrace: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Include {
    pub(crate) path: Utf8PathBuf,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Paths {
    /// The path relative to the top of the build tree.
    pub(crate) build: Utf8PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Link {
    #[serde(default)]
    pub(crate) command_fragments: Vec<Fragment>,
}

#[derive(Deserialize)]
struct Index {
    reply: BTreeMap<String, BTreeMap<String, Answer>>,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    responses: Vec<Response>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    json_file: String,
}

#[derive(Deserialize)]
struct Codemodel {
    configurations: Vec<Configuration>,
}

#[derive(Deserialize)]
struct Configuration {
    targets: Vec<Listed>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    json_file: String,
}

#[derive(Deserialize)]
struct Cache {
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    value: String,
    #[serde(rename = "type")]
    kind: String,
}

/// Writes the query file, which has to exist before `CMake` runs in the folder `build`.
pub(crate) fn ask(build: &Utf8Path) -> Result<()> {
    let query = build.join(format!(".cmake/api/v1/query/{CLIENT}/query.json"));
    let text = r#"{"requests":[{"kind":"codemodel","version":2},{"kind":"cache","version":2},{"kind":"cmakeFiles","version":1},{"kind":"toolchains","version":1}]}"#;
    replace(&query, text.as_bytes())
}

/// The name of the newest reply; it changes whenever `CMake` runs.
pub(crate) fn newest(build: &Utf8Path) -> Result<Option<String>> {
    let folder = build.join(".cmake/api/v1/reply");
    if !folder.is_dir() {
        return Ok(None);
    }
    let mut found: Option<String> = None;
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let name = entry.file_name();
        if name.starts_with("index-") && found.as_deref().is_none_or(|other| name > other) {
            found = Some(name.to_owned());
        }
    }
    Ok(found)
}

impl Reply {
    /// Reads the newest reply in the folder `build`.
    pub(crate) fn read(build: &Utf8Path) -> Result<Self> {
        let folder = build.join(".cmake/api/v1/reply");
        let Some(name) = newest(build)? else {
            return Err(Error::new(
                ErrorKind::Toolchain,
                "CMake did not answer the File API's query",
            )
            .at(folder)
            .because("CMake may be older than 3.27")
            .help("unset MONDO_CMAKE to use mondo's own CMake"));
        };
        let index: Index = json(&folder.join(name))?;
        let answers = index
            .reply
            .get(CLIENT)
            .into_iter()
            .flat_map(BTreeMap::values);
        let mut reply = Self {
            targets: BTreeMap::new(),
            paths: Vec::new(),
            off: Vec::new(),
            on: Vec::new(),
            options: Vec::new(),
            folder: folder.clone(),
        };
        for response in answers.flat_map(|answer| &answer.responses) {
            let path = folder.join(&response.json_file);
            match response.kind.as_str() {
                "codemodel" => {
                    let model: Codemodel = json(&path)?;
                    let targets = model.configurations.into_iter().take(1);
                    let targets = targets.flat_map(|configuration| configuration.targets);
                    reply
                        .targets
                        .extend(targets.map(|target| (target.name, target.json_file)));
                }
                "cache" => {
                    let cache: Cache = json(&path)?;
                    for Entry { name, value, kind } in cache.entries {
                        // A value of the command line that nothing declares has another type.
                        if matches!(kind.as_str(), "BOOL" | "STRING" | "FILEPATH" | "PATH") {
                            reply.options.push(name.clone());
                        }
                        match (kind.as_str(), value.as_str()) {
                            ("FILEPATH" | "PATH", _) => reply.paths.push((name, value)),
                            ("BOOL", "OFF" | "FALSE" | "NO" | "0" | "") => reply.off.push(name),
                            ("BOOL", _) => reply.on.push(name),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(reply)
    }

    /// A target's description, if there is one of this name.
    pub(crate) fn target(&self, name: &str) -> Result<Option<Target>> {
        let Some(file) = self.targets.get(name) else {
            return Ok(None);
        };
        json(&self.folder.join(file)).map(Some)
    }

    /// The names of all targets.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.targets.keys().map(String::as_str)
    }
}

fn json<T: DeserializeOwned>(path: &Utf8Path) -> Result<T> {
    serde_json::from_slice(&fs_err::read(path)?).map_err(|error| {
        Error::new(ErrorKind::Io, "cannot read CMake's answer")
            .at(path)
            .caused_by(error)
    })
}
