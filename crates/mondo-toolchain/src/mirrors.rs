//! The mirrors that packages are downloaded from. mondo names none itself: they come from the first place that names
//! any, and the lock's digests decide whether their files are used.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use mondo_core::path::variable;
use serde::Deserialize;

use crate::apt_sources;
use crate::host::Host;

/// The variable that names mirrors.
pub(super) const VARIABLE: &str = "MONDO_DEB_MIRROR";

const APT: &str = "apt's sources";

/// The mirrors for a request, in the order in which they are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirrors {
    /// Their addresses, without a slash at the end.
    pub addresses: Vec<String>,
    /// The place that names them: `--mirror`.
    pub named_by: String,
}

/// Mirrors by who named them. Each text has addresses that are separated by spaces.
#[derive(Debug, Clone, Default)]
pub struct NamedMirrors {
    /// Those of `--mirror`.
    pub flag: Option<String>,
    /// Those of `MONDO_DEB_MIRROR`.
    pub environment: Option<String>,
    /// Those of `mirror` in the manifest's table `llvm`.
    pub manifest: Option<String>,
    /// The user's configuration file, which may not exist.
    pub user_file: Option<Utf8PathBuf>,
}

impl Mirrors {
    /// Whether they are those of apt's configuration, which takes indexes that have expired.
    pub(super) fn are_snapshots(&self, host: &Host) -> bool {
        self.named_by == APT && apt_sources::are_snapshots(host)
    }
}

impl NamedMirrors {
    /// What the environment names: the variable, and the file `mondo/config.toml` in `XDG_CONFIG_HOME`, or in
    /// `~/.config`.
    ///
    /// # Errors
    /// `ErrorKind::Io` where a path is not UTF-8.
    pub fn from_environment() -> Result<Self> {
        let folder = match variable("XDG_CONFIG_HOME")? {
            Some(folder) => Some(folder),
            None => variable("HOME")?.map(|home| home.join(".config")),
        };
        Ok(Self {
            environment: std::env::var(VARIABLE).ok(),
            user_file: folder.map(|folder| folder.join("mondo/config.toml")),
            ..Self::default()
        })
    }
}

/// The user's configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Configuration {
    #[serde(default)]
    llvm: LlvmConfiguration,
}

/// Its table `llvm`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LlvmConfiguration {
    /// Mirrors, separated by spaces.
    mirror: Option<String>,
}

/// The mirrors that are `named`, else those of the user's configuration, else those of apt's.
///
/// # Errors
/// `ErrorKind::Usage` for an address that is not one of HTTP, and for a configuration file that cannot be parsed; `ErrorKind::Network` where no place names a mirror.
pub fn mirrors(named: &NamedMirrors, host: &Host) -> Result<Mirrors> {
    let texts = [
        (&named.flag, "--mirror"),
        (&named.environment, VARIABLE),
        (&named.manifest, "`llvm.mirror` in the manifest"),
    ];
    for (text, named_by) in texts {
        if let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) {
            return of_text(text, named_by);
        }
    }
    if let Some(path) = &named.user_file
        && let Some(text) = in_configuration(path)?
    {
        return of_text(&text, path.as_str());
    }
    let addresses = apt_sources::addresses(host);
    if !addresses.is_empty() {
        return of_text(&addresses.join(" "), APT);
    }
    let file = named
        .user_file
        .as_deref()
        .map_or("mondo/config.toml", Utf8Path::as_str);
    Err(Error::new(
        ErrorKind::Network,
        "cannot download LLVM: mondo knows no mirror of Debian",
    )
    .because(
        "neither the command line, the environment, the manifest, the user's configuration nor apt's \
         sources name one",
    )
    .help(format!(
        "set {VARIABLE} to the addresses of a mirror of Debian and of its security updates, separated \
         by a space;\nor write them to {file}:\n\n  [llvm]\n  mirror = \"http://<server>/debian \
         http://<server>/debian-security\"\n\nDebian's website lists them on the page \
         \"Debian worldwide mirror sites\""
    )))
}

fn in_configuration(path: &Utf8Path) -> Result<Option<String>> {
    if !path.exists() {
        return Ok(None);
    }
    let configuration: Configuration = toml::from_str(&file::text(path)?).map_err(|error| {
        Error::new(ErrorKind::Usage, "the user's configuration is invalid")
            .at(path)
            .because(error.to_string())
            .help("its only key is `mirror` in the table `[llvm]`")
    })?;
    let mirror = configuration.llvm.mirror;
    Ok(mirror.filter(|text| !text.trim().is_empty()))
}

fn of_text(text: &str, named_by: &str) -> Result<Mirrors> {
    let mut addresses = Vec::new();
    for address in text.split_whitespace() {
        let known = ["http://", "https://"];
        if !known.iter().any(|scheme| address.starts_with(scheme)) {
            return Err(Error::new(
                ErrorKind::Usage,
                format!(
                    "invalid mirror: `{}` (expected an address that begins with `http://` or \
                     `https://`)",
                    without_secrets(address)
                ),
            )
            .at(named_by)
            .help("for a folder of package files, set MONDO_DEB_DIR"));
        }
        addresses.push(address.trim_end_matches('/').to_owned());
    }
    // Servers have the security updates beside the main archive, and sources of a minimal system name only that.
    let siblings: Vec<String> = addresses
        .iter()
        .filter(|address| address.ends_with("/debian"))
        .map(|address| format!("{address}-security"))
        .filter(|address| !addresses.contains(address))
        .collect();
    addresses.extend(siblings);
    Ok(Mirrors {
        addresses,
        named_by: named_by.to_owned(),
    })
}

/// An address for messages: without a user's name and password, and without a query.
pub(super) fn without_secrets(address: &str) -> String {
    let address = address.split('?').next().unwrap_or_default();
    match address.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
            let server = authority.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{server}/{path}")
        }
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::World;

    #[test]
    fn the_first_place_that_names_mirrors_decides() {
        let mut world = World::with_packages("22.1.8");
        let error = mirrors(&world.request.mirrors, &world.host).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network);
        for word in [VARIABLE, "config.toml", "Debian worldwide mirror sites"] {
            assert!(error.next_step().unwrap().contains(word), "{error}");
        }
        let apt = world.host.root.join("etc/apt");
        fs_err::create_dir_all(&apt).unwrap();
        let line = "deb http://apt.example/debian/ bookworm main\n";
        fs_err::write(apt.join("sources.list"), line).unwrap();
        let found = |world: &World| mirrors(&world.request.mirrors, &world.host).unwrap();
        assert_eq!(
            found(&world).addresses,
            [
                "http://apt.example/debian",
                "http://apt.example/debian-security"
            ]
        );

        let file = world.dir.join("config.toml");
        fs_err::write(
            &file,
            "[llvm]\nmirror = \"http://a.example http://b.example/\"\n",
        )
        .unwrap();
        world.request.mirrors.user_file = Some(file.clone());
        assert_eq!(
            found(&world).addresses,
            ["http://a.example", "http://b.example"]
        );
        assert_eq!(found(&world).named_by, file);

        world.request.mirrors.manifest = Some("http://manifest.example".to_owned());
        assert_eq!(found(&world).addresses, ["http://manifest.example"]);
        world.request.mirrors.environment = Some("http://variable.example".to_owned());
        assert_eq!(found(&world).addresses, ["http://variable.example"]);
        world.request.mirrors.flag = Some("https://flag.example".to_owned());
        assert_eq!(found(&world).named_by, "--mirror");
    }

    #[test]
    fn an_address_or_a_file_that_is_wrong_is_an_error() {
        let mut world = World::with_packages("22.1.8");
        let file = world.dir.join("config.toml");
        fs_err::write(&file, "[llvm]\nmirrors = 1\n").unwrap();
        world.request.mirrors.user_file = Some(file);
        let error = mirrors(&world.request.mirrors, &world.host).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");

        world.request.mirrors.flag = Some("ftp://user:secret@old.example".to_owned());
        let error = mirrors(&world.request.mirrors, &world.host).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
