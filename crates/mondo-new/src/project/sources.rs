//! mondo's own sources, for a new project with a dialect in Rust: the dialect is compiled together with mondo's
//! runtime, which neither the wheel `mondo-bundle` nor a kit has as Rust.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::kit::{DISTRIBUTION, VERSION};

/// A place of mondo's sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MondoSources {
    /// A git repository and a commit, tag or branch of it.
    Git {
        /// Its URL.
        url: String,
        /// The revision.
        revision: String,
    },
    /// A checkout on this machine.
    Folder(Utf8PathBuf),
}

impl MondoSources {
    /// Reads `URL`, `URL#REVISION` or the name of a folder. Without a revision it is the tag of this version.
    ///
    /// # Errors
    /// `ErrorKind::Manifest` for a URL that git or cargo does not take, and for a folder that has no sources of mondo's.
    pub fn parse(text: &str) -> Result<Self> {
        let refused = |why: &str| {
            let what = format!("`{text}` does not name mondo's sources");
            let help = "name a git URL, as in `--mondo https://example.org/mondo#v1.0`, or a checkout of mondo";
            Error::new(ErrorKind::Manifest, what)
                .because(why)
                .help(help)
        };
        if text.contains("://") {
            let (url, revision) = text.split_once('#').unwrap_or((text, ""));
            let plain = |text: &str, also: &str| {
                text.chars()
                    .all(|c| c.is_ascii_alphanumeric() || also.contains(c))
            };
            if !plain(url, ":/.-_~@%+") || !plain(revision, "/.-_") || revision.starts_with('-') {
                return Err(refused(
                    "it has characters that a shell or TOML takes for their own",
                ));
            }
            let revision = match revision {
                "" => format!("v{VERSION}"),
                named => named.to_owned(),
            };
            let url = url.to_owned();
            return Ok(Self::Git { url, revision });
        }
        let folder = Utf8Path::new(text);
        if folder.join("crates/mondo-dialect/Cargo.toml").is_file() {
            return Ok(Self::Folder(folder.canonicalize_utf8()?));
        }
        if text.contains('@') && text.contains(':') {
            return Err(refused("cargo takes URLs alone: `ssh://git@host/path`"));
        }
        Err(refused("the folder has no crates/mondo-dialect/Cargo.toml"))
    }
}

/// The lines of a project's README about what such a build needs.
pub(super) const NEEDS: &str = "\
The dialect is compiled with cargo, together with mondo's own Rust. Where mondo was installed as a wheel, it needs
a checkout of the same version of mondo: `export MONDO_SOURCE_DIR=…/mondo`.

";

/// The step of CI's file that gets the sources, and its comment.
pub(super) fn step(sources: Option<&MondoSources>) -> String {
    let Some(MondoSources::Git { .. }) = sources else {
        return String::new();
    };
    format!(
        "      # A dialect in Rust is compiled together with mondo's own Rust, which the wheel `mondo-bundle` does not have.
      # This is the revision that dialect/Cargo.toml names, of the version that pyproject.toml requires.
{}          echo \"MONDO_SOURCE_DIR=$(realpath ../mondo)\" >> \"$GITHUB_ENV\"
",
        clone("Get mondo's sources", sources, Utf8Path::new("../mondo"))
    )
}

/// A step of CI's file that clones a repository to `place`.
pub(super) fn clone(name: &str, sources: Option<&MondoSources>, place: &Utf8Path) -> String {
    let Some(MondoSources::Git { url, revision }) = sources else {
        return String::new();
    };
    format!(
        "      - name: {name}
        run: |
          git clone --quiet --no-checkout '{url}' {place}
          git -C {place} checkout --quiet --detach '{revision}'
"
    )
}

/// The requirement of mondo itself: the version that begins the project. A kit, and sources, must be of the same
/// version, and another one may link other bytes.
pub(super) fn requirement() -> String {
    format!("{DISTRIBUTION}=={VERSION}")
}

/// The line of the dialect's Cargo.toml, and its comment.
pub(super) fn dependency(sources: Option<&MondoSources>) -> String {
    match sources {
        Some(MondoSources::Git { url, revision }) => format!(
            "# The revision of .github/workflows/wheel.yml. A build of the wheel takes it from mondo's sources \
             (MONDO_SOURCE_DIR).\nmondo-dialect = {{ git = \"{url}\", rev = \"{revision}\" }}"
        ),
        Some(MondoSources::Folder(folder)) => {
            let place = folder.join("crates/mondo-dialect");
            format!("mondo-dialect = {{ path = {} }}", toml::Value::from(place.as_str()))
        }
        None => "# `mondo bundle` and pip take it from mondo's own sources. For `cargo check` alone, name those:
# [patch.crates-io]
# mondo-dialect = { path = \"…/mondo/crates/mondo-dialect\" }
mondo-dialect = \"0.1\""
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_a_revision_and_folders_have_mondo() {
        let url = "https://example.org/a/mondo.git".to_owned();
        let named = MondoSources::parse(&format!("{url}#abc")).unwrap();
        let revision = "abc".to_owned();
        assert_eq!(
            named,
            MondoSources::Git {
                url: url.clone(),
                revision
            }
        );
        let revision = format!("v{VERSION}");
        assert_eq!(
            MondoSources::parse(&url).unwrap(),
            MondoSources::Git { url, revision }
        );
        let checkout = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = MondoSources::parse(checkout.as_str()).unwrap();
        assert_eq!(
            folder,
            MondoSources::Folder(checkout.canonicalize_utf8().unwrap())
        );
        for (bad, why) in [
            ("https://example.org/$(rm)", "characters"),
            ("https://example.org/a#--upload-pack=x", "characters"),
            ("git@example.org:a/mondo", "ssh://"),
            ("/nonexistent", "crates/mondo-dialect"),
        ] {
            let message = MondoSources::parse(bad).unwrap_err().to_string();
            assert!(message.contains(why), "{bad}: {message}");
        }
    }

    #[test]
    fn the_file_of_ci_and_the_crate_name_one_revision() {
        let sources = MondoSources::parse("file:///srv/mondo#r1").unwrap();
        let step = step(Some(&sources));
        assert!(
            step.contains("clone --quiet --no-checkout 'file:///srv/mondo' ../mondo"),
            "{step}"
        );
        assert!(step.contains("--detach 'r1'"), "{step}");
        let line = dependency(Some(&sources));
        assert!(
            line.contains("{ git = \"file:///srv/mondo\", rev = \"r1\" }"),
            "{line}"
        );
    }
}
