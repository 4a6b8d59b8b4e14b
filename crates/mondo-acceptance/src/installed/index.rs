//! An index as users have one: pages of links (PEP 503), served over HTTP on this machine. Beside our wheels it has
//! `mondo` 3.0.0, which on PyPI is another project's and which nothing of ours may ask for.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_build::interrupt::Stop;
use mondo_testbed::Context;
use mondo_testbed::verdict::{expect, failed, tool};

use super::environment::Environment;

/// Serves a folder, and names the port on standard error, where it logs each request.
const SERVER: &str = "\
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
print('port', server.server_port, file=sys.stderr, flush=True)
server.serve_forever()
";

/// The page of the other project, which is asked for before a file of it.
const FOREIGN: &str = "GET /simple/mondo/";

/// A running index.
pub(super) struct Index {
    folder: Utf8PathBuf,
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
    stop: Arc<Stop>,
    server: Option<JoinHandle<()>>,
}

impl Index {
    /// Starts one in `folder`, with the wheel of the other project.
    pub(super) fn start(folder: &Utf8Path, context: &Context<'_>) -> Result<Self> {
        fs_err::create_dir_all(folder)?;
        let requests = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(Stop::default());
        let (port, ports) = mpsc::channel();
        let server = tool("python3", "serve an index")
            .args(["-c", SERVER, folder.as_str()])
            .until(&stop);
        let log = Arc::clone(&requests);
        let server = std::thread::spawn(move || {
            // The end of the index ends the server, which is an error of `Tool`.
            let _ = server.output_watched(&|line| match line.strip_prefix("port ") {
                // The receiver is gone if the start has failed.
                Some(number) => drop(port.send(number.to_owned())),
                None => log
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(line.to_owned()),
            });
        });
        let port = ports
            .recv()
            .map_err(|_| failed("the index does not start"))?;
        let index = Self {
            folder: folder.to_owned(),
            url: format!("http://127.0.0.1:{port}/simple/"),
            requests,
            stop,
            server: Some(server),
        };
        let foreign = folder.join("foreign");
        let script = context
            .workspace
            .join("tests/python/release/foreign_mondo.py");
        tool("python3", "make the wheel of another project")
            .args([&script, &foreign])
            .output()?;
        index.add(&foreign)?;
        Ok(index)
    }

    /// Adds the wheels and source archives of `from`.
    pub(super) fn add(&self, from: &Utf8Path) -> Result<()> {
        let mut pages: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
        for entry in from.read_dir_utf8()? {
            let entry = entry?;
            let file = entry.file_name();
            if !file.ends_with(".whl") && !file.ends_with(".tar.gz") {
                continue;
            }
            let name = file.split('-').next().unwrap_or(file);
            let name = name.to_lowercase().replace(['_', '.'], "-");
            let folder = self.folder.join("simple").join(name);
            fs_err::create_dir_all(&folder)?;
            let target = folder.join(file);
            if !target.exists() {
                fs_err::copy(entry.path(), target)?;
            }
            *pages.entry(folder.join("index.html")).or_default() +=
                &format!("<a href=\"{file}\">{file}</a>\n");
        }
        for (page, links) in pages {
            let before = fs_err::read_to_string(&page).unwrap_or("<!DOCTYPE html>\n".to_owned());
            fs_err::write(page, before + &links)?;
        }
        Ok(())
    }

    /// A program for which pip and uv have this index alone, and no settings of the machine.
    pub(super) fn tool(&self, environment: &Environment, program: &str, purpose: &str) -> Tool {
        let variables = [
            "PIP_CONFIG_FILE=/dev/null".to_owned(),
            "PIP_DISABLE_PIP_VERSION_CHECK=1".to_owned(),
            format!("PIP_INDEX_URL={}", self.url),
            "UV_NO_CONFIG=1".to_owned(),
            format!("UV_DEFAULT_INDEX={}", self.url),
        ];
        environment
            .program_of("env", purpose)
            .args(variables)
            .arg(program)
    }

    /// Fails if something has asked for `mondo`. Then asks for it, so that the check is known to see it.
    pub(super) fn nothing_foreign(&self, environment: &Environment) -> Result<()> {
        let foreign = || -> Vec<String> {
            let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            let lines = requests.iter().filter(|line| line.contains(FOREIGN));
            lines.cloned().collect()
        };
        let found = foreign();
        let what = "the other project `mondo` was asked for";
        expect(found.is_empty(), what, found.join("\n"))?;
        let python = environment.interpreter();
        self.tool(environment, python.as_str(), "fetch the other `mondo`")
            .args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"])
            .arg(self.folder.join("fetched"))
            .arg("mondo")
            .output()?;
        let is_logged = !foreign().is_empty();
        let what = "the index does not log what it is asked for";
        expect(is_logged, what, self.folder.as_str())
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        self.stop.set();
        if let Some(server) = self.server.take() {
            // A panic of the thread is one of this test.
            let _ = server.join();
        }
    }
}
