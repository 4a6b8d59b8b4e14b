//! Runs of apt over a private state: package lists, cache and package status are in one folder of mondo's, so that
//! apt needs no root and changes nothing of the system. The servers are those of the system's own configuration
//! (`sources.list`).

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::{Output, Tool};

use crate::mirrors::NamedMirrors;
use crate::package_paragraphs::{Offer, SourceOffer, source_stanzas, stanzas};
use crate::unpack::PackageFile;

/// Settings that cancel settings of the system. Hooks that run after an update would clean the system's package
/// cache, and only `#clear` removes them, which apt does not accept on its command line. As root, apt would drop to
/// the user `_apt`, who may not enter the private folder.
const CONFIGURATION: &str = "\
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear Acquire::Languages;
Acquire::Languages { \"none\"; };
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled \"false\";
Acquire::IndexTargets::deb::DEP-11-icons::DefaultEnabled \"false\";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled \"false\";
Acquire::Retries \"2\";
Acquire::http::Timeout \"30\";
Acquire::https::Timeout \"30\";
APT::Sandbox::User \"root\";
APT::Color \"false\";
Dir::Cache::pkgcache \"pkgcache.bin\";
";

/// apt over a private folder.
#[derive(Debug)]
pub struct Apt {
    dir: Utf8PathBuf,
}

impl Apt {
    /// Writes the private state of apt into `dir`, which exists.
    ///
    /// # Errors
    /// `ErrorKind::Io` where the folder cannot be written.
    pub fn prepare(dir: &Utf8Path, architecture: &str) -> Result<Self> {
        for folder in ["state/lists/partial", "cache/archives/partial"] {
            fs_err::create_dir_all(dir.join(folder))?;
        }
        fs_err::write(dir.join("status"), "")?;
        // Packages of the machine's foreign architectures are not used.
        let configuration = format!(
            "{CONFIGURATION}#clear APT::Architectures;\nAPT::Architectures {{ \"{architecture}\"; }};\n"
        );
        fs_err::write(dir.join("apt.conf"), configuration)?;
        Ok(Self {
            dir: dir.to_owned(),
        })
    }

    /// Like [`Self::prepare`], for another release of Debian, from the server that `MONDO_DEB_MIRROR` names, else
    /// from that of the system's own release.
    ///
    /// # Errors
    /// `ErrorKind::Network` where apt's sources name no server of the distribution.
    pub fn of_suite(dir: &Utf8Path, architecture: &str, suite: &str) -> Result<Self> {
        let named = NamedMirrors::from_environment()?.environment;
        let named = named
            .as_deref()
            .and_then(|text| text.split_whitespace().next());
        // The host may be of another distribution, whose apt trusts other keys.
        let line = match (named, targets()?.iter().find(|target| target.is_release())) {
            (Some(server), _) => format!("deb [signed-by={KEYRING}] {server} {suite} main\n"),
            (None, Some(release)) => format!("deb {} {suite} main\n", release.server),
            (None, None) => return Err(no_release()),
        };
        Self::with_sources(dir, architecture, &line)
    }

    /// As [`Self::prepare`], for source packages: those of this release, from every server that the system's own
    /// sources name, and those of newer releases, since several releases have the same archive of upstream's sources.
    ///
    /// # Errors
    /// `ErrorKind::Network` where apt's sources name no server of the distribution.
    pub fn of_sources(dir: &Utf8Path, architecture: &str) -> Result<Self> {
        let mut lines = BTreeSet::new();
        for target in targets()? {
            let server = &target.server;
            lines.insert(format!("deb-src {server} {} main\n", target.release));
            if target.is_release() {
                let newer = ["stable", "testing", "unstable"];
                lines.extend(newer.map(|suite| format!("deb-src {server} {suite} main\n")));
            }
        }
        if lines.is_empty() {
            return Err(no_release());
        }
        Self::with_sources(dir, architecture, &lines.into_iter().collect::<String>())
    }

    /// As [`Self::prepare`], with these lines in place of the system's own sources.
    fn with_sources(dir: &Utf8Path, architecture: &str, lines: &str) -> Result<Self> {
        let apt = Self::prepare(dir, architecture)?;
        let sources = dir.join("sources.list");
        fs_err::write(&sources, lines)?;
        let mut configuration = fs_err::read_to_string(dir.join("apt.conf"))?;
        configuration.push_str(&format!(
            "Dir::Etc::SourceList \"{sources}\";\nDir::Etc::SourceParts \"/dev/null\";\n"
        ));
        fs_err::write(dir.join("apt.conf"), configuration)?;
        Ok(apt)
    }

    /// Every version of a source package that can be downloaded now, with its archives.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` without apt.
    pub fn source_offers(&self, name: &str) -> Result<Vec<SourceOffer>> {
        let output = self
            .tool("apt-cache", "ask apt about source packages")
            .args(["-q", "showsrc", name])
            .output_unchecked()?;
        Ok(source_stanzas(&output.stdout))
    }

    /// Downloads the archives of a source package into `into`. A failure is not an error as long as apt
    /// runs: its message is returned, and the caller sees which files are missing.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` without apt, `ErrorKind::Io` on a full disk.
    pub fn download_source(
        &self,
        name: &str,
        version: &str,
        into: &Utf8Path,
    ) -> Result<Option<String>> {
        let output = self
            .tool("apt-get", "download a source package")
            .args(["-q", "source", "--download-only", "--tar-only"])
            .arg(format!("{name}={version}"))
            .cwd(into)
            .output_unchecked()?;
        no_space_left(&output, "download a source package")?;
        Ok((!output.status.success()).then(|| complaints(&output)))
    }

    /// Fetches the package lists. A source that cannot be reached is not an error, since its packages may not be
    /// needed. The messages are returned for the error to be reported if packages are missing later.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` without apt, `ErrorKind::Io` on a full disk.
    pub fn update(&self) -> Result<Option<String>> {
        let output = self
            .tool("apt-get", "fetch the package lists")
            .args(["-q", "update"])
            .output_unchecked()?;
        no_space_left(&output, "fetch the package lists")?;
        let complaint = complaints(&output);
        tracing::debug!(status = %output.status, complaint, "apt-get update");
        // apt succeeds even if a source could not be reached.
        let failed = !output.status.success() || complaint.contains("ailed to ");
        Ok(failed.then_some(complaint))
    }

    /// Every version of these packages that can be downloaded now. Unknown names have none.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` without apt.
    pub fn offers<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Offer>> {
        self.show("--all-versions", names)
    }

    /// The version of each of these packages that apt would install now.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` without apt.
    pub fn candidates<S: AsRef<str>>(&self, names: &[S]) -> Result<BTreeMap<String, Offer>> {
        let offers = self.show("--no-all-versions", names)?;
        Ok(offers
            .into_iter()
            .map(|offer| (offer.name.clone(), offer))
            .collect())
    }

    /// Downloads packages, given as `name=version`, into `into`. A failure is not an error as long
    /// as apt runs: its message is returned, and the caller sees which files are missing.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` without apt, `ErrorKind::Io` on a full disk.
    pub fn download(&self, wanted: &[String], into: &Utf8Path) -> Result<Option<String>> {
        let output = self
            .tool("apt-get", "download packages")
            .args(["-q", "download"])
            .args(wanted)
            .cwd(into)
            .output_unchecked()?;
        no_space_left(&output, "download packages")?;
        Ok((!output.status.success()).then(|| complaints(&output)))
    }

    /// The versions that apt would install now of `wanted` and of their dependencies. A dependency is followed if
    /// `follows` returns true for the package and the dependency's name. `complaint` has the messages of
    /// [`Self::update`], and `whose` names the source; both are for the error about a package of `wanted` that is not
    /// available.
    ///
    /// # Errors
    /// `ErrorKind::Network` or `ErrorKind::Toolchain` where one of `wanted` cannot be had.
    pub fn closure(
        &self,
        wanted: &[String],
        follows: impl Fn(&Offer, &str) -> bool,
        whose: &str,
        complaint: Option<&str>,
    ) -> Result<BTreeMap<String, Offer>> {
        let mut next = wanted.to_vec();
        let mut queried: BTreeSet<String> = wanted.iter().cloned().collect();
        let mut found = BTreeMap::new();
        while !next.is_empty() {
            let round = self.candidates(&next)?;
            let needed = round.values().flat_map(|offer| {
                let needed = offer.depends.iter();
                needed.filter(|name| follows(offer, name))
            });
            next = needed
                .filter(|name| queried.insert((*name).clone()))
                .cloned()
                .collect();
            found.extend(round);
        }
        let missing: Vec<&String> = wanted
            .iter()
            .filter(|name| !found.contains_key(*name))
            .collect();
        if missing.is_empty() {
            return Ok(found);
        }
        Err(match complaint {
            Some(said) => {
                Error::new(ErrorKind::Network, format!("cannot reach {whose}")).because(said)
            }
            None => Error::new(ErrorKind::Toolchain, format!("{whose} lacks a package")),
        }
        .details(missing))
    }

    /// Downloads all of `offers` into the new folder `into` and returns the package files.
    ///
    /// # Errors
    /// `ErrorKind::Network` where a package cannot be downloaded.
    pub fn fetch(
        &self,
        offers: &BTreeMap<String, Offer>,
        into: &Utf8Path,
        what: &str,
    ) -> Result<Vec<PackageFile>> {
        fs_err::create_dir(into)?;
        let wanted: Vec<String> = offers
            .values()
            .map(|offer| format!("{}={}", offer.name, offer.version))
            .collect();
        if let Some(complaint) = self.download(&wanted, into)? {
            return Err(Error::new(
                ErrorKind::Network,
                format!("cannot download the packages of {what}"),
            )
            .because(complaint));
        }
        let files = into.read_dir_utf8()?;
        let package_file = |path: Utf8PathBuf| {
            let name = path.file_name().and_then(|file| file.split('_').next());
            let offer = name.and_then(|name| offers.get(name));
            let sha256 = offer.map(|offer| offer.sha256.clone());
            PackageFile { path, sha256 }
        };
        files
            .map(|entry| Ok(package_file(entry?.into_path())))
            .collect()
    }

    fn show<S: AsRef<str>>(&self, versions: &str, names: &[S]) -> Result<Vec<Offer>> {
        // apt fails if it knows none of the names, and succeeds if it knows one, so the exit status is ignored. An
        // empty answer means that it knows none.
        let output = self
            .tool("apt-cache", "ask apt about packages")
            .args(["-q", versions, "show"])
            .args(names.iter().map(AsRef::as_ref))
            .output_unchecked()?;
        Ok(stanzas(&output.stdout))
    }

    fn tool(&self, program: &str, purpose: &str) -> Tool {
        Tool::new(program, purpose)
            .fails_as(ErrorKind::Network)
            .env("LC_ALL", "C")
            .env_remove("APT_CONFIG")
            .arg("-c")
            .arg(self.dir.join("apt.conf").as_std_path())
            .args([
                format!("-oDir::State={}", self.dir.join("state")),
                format!("-oDir::State::Lists={}", self.dir.join("state/lists")),
                format!("-oDir::State::status={}", self.dir.join("status")),
                format!("-oDir::Cache={}", self.dir.join("cache")),
            ])
    }
}

/// A package list that the system's own sources configure.
struct Target {
    release: String,
    server: String,
}

impl Target {
    /// True for the suite of a whole release, such as `bookworm`. Suites with parts of one (`bookworm-updates`) have a
    /// dash in their names, and security updates have another server path.
    fn is_release(&self) -> bool {
        !self.release.contains('-') && self.server.trim_end_matches('/').ends_with("/debian")
    }
}

/// The keys of Debian's archive, in the package `debian-archive-keyring`.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The lists of the component `main`.
fn targets() -> Result<Vec<Target>> {
    let output = Tool::new("apt-get", "ask apt where packages come from")
        .fails_as(ErrorKind::Network)
        .env("LC_ALL", "C")
        .args(["indextargets", "--format"])
        .arg("$(CREATED_BY) $(COMPONENT) $(CODENAME) $(REPO_URI)")
        .output()?;
    let targets = output.stdout.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["Packages", "main", release, server] = words[..] else {
            return None;
        };
        Some(Target {
            release: release.to_owned(),
            server: server.to_owned(),
        })
    });
    Ok(targets.collect())
}

fn no_release() -> Error {
    Error::new(ErrorKind::Network, "apt's sources name no Debian release")
        .help("mondo downloads packages of other releases from the server in apt's sources")
}

/// Checks that apt is installed.
///
/// # Errors
/// `ErrorKind::MissingTool` where it is not.
pub fn check() -> Result<()> {
    let started = Tool::new("apt-get", "choose packages")
        .arg("--version")
        .output();
    started.map(drop).map_err(|error| match error.kind() {
        ErrorKind::MissingTool => error.help("run this on Debian or one of its derivatives"),
        _ => error,
    })
}

/// Reports a full disk as such, and not as a fault of the network.
///
/// # Errors
/// `ErrorKind::Io` where `output` says that the disk is full.
pub fn no_space_left(output: &Output, purpose: &str) -> Result<()> {
    if output.stderr.contains("No space left on device")
        || output.stdout.contains("No space left on device")
        || output.stderr.contains("enough free space")
    {
        return Err(Error::new(
            ErrorKind::Io,
            format!("could not {purpose}: the disk is full"),
        )
        .help("free some space, or set MONDO_CACHE_DIR to a folder on another disk"));
    }
    Ok(())
}

/// apt's errors and warnings, without addresses: servers are the system administrator's matter
/// and may carry credentials.
fn complaints(output: &Output) -> String {
    let mut lines: Vec<String> = output
        .stderr
        .lines()
        .filter(|line| line.starts_with("E: ") || line.starts_with("W: "))
        .map(without_addresses)
        .collect();
    lines.dedup();
    lines.truncate(12);
    lines.join("\n")
}

fn without_addresses(line: &str) -> String {
    let words: Vec<String> = line
        .split_whitespace()
        .map(|word| {
            let bare = word.trim_matches(|c: char| "'\"()[],;".contains(c));
            if let Some((_scheme, rest)) = bare.split_once("://") {
                let file = rest.rsplit('/').next().unwrap_or_default();
                return if file.contains(".deb") {
                    file.to_owned()
                } else {
                    "(a package source)".to_owned()
                };
            }
            let host = bare.split(':').next().unwrap_or_default();
            let is_host = host.contains('.')
                && !host.ends_with(".deb")
                && host.split('.').all(|part| !part.is_empty())
                && host
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
            if is_host {
                "(a server)".to_owned()
            } else {
                word.to_owned()
            }
        })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_is_ever_shown() {
        for (said, shown) in [
            (
                "E: Failed to fetch http://user:pw@mirror.example/pool/l/liba_1%3a2_amd64.deb 404",
                "E: Failed to fetch liba_1%3a2_amd64.deb 404",
            ),
            (
                "W: Could not resolve 'mirror.example.org'",
                "W: Could not resolve (a server)",
            ),
            (
                "E: Could not connect to mirror.example:80 (10.0.0.1), timed out",
                "E: Could not connect to (a server) (a server) timed out",
            ),
        ] {
            assert_eq!(without_addresses(said), shown);
        }
    }
}
