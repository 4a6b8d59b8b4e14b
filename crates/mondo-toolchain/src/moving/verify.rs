//! The signature of a suite's index. The program that checks it and the keys are in packages of the lock; the program is
//! started with the loader and the libraries of the locked set, so that no host needs any of them.

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::progress::Sink;

use crate::host::Host;
use crate::inspect::triplet;
use crate::installation::Toolchain;
use crate::lock::{MovingSet, PackageSet};
use crate::provision::store;
use crate::request::Request;
use crate::{packages, unpack};

const MESSAGE: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";

/// The keys of Debian's archive.
const KEYS: &str = "usr/share/keyrings/debian-archive-keyring.gpg";

/// The text that is signed, once the signature has been verified. Whatever surrounds it in the file is left out.
///
/// # Errors
/// `ErrorKind::Integrity` where no key of the lock has signed it.
pub(super) fn signed_text(
    signed: &[u8],
    row: &MovingSet,
    base: &Toolchain,
    request: &Request,
    host: &Host,
    work: &Utf8Path,
    sink: &dyn Sink,
) -> Result<String> {
    let set = packages_of(row);
    let files = packages::gather(&set, request, host, &store(&request.cache_dir), sink)?;
    let root = work.join("verifier");
    unpack::unpack(&files, &root)?;
    let file = work.join("InRelease");
    fs_err::write(&file, signed)?;
    verified(&file, &root, base, request, work).map_err(|why| not_valid(row, &why))
}

/// Checks that the file has one message with its signature: text outside of it would not be signed.
///
/// # Errors
/// `ErrorKind::Integrity` for any other file.
pub(super) fn check_form(signed: &[u8], row: &MovingSet) -> Result<()> {
    one_message(signed).map_err(|why| not_valid(row, &why))
}

fn not_valid(row: &MovingSet, why: &str) -> Error {
    Error::new(
        ErrorKind::Integrity,
        format!(
            "the signature of the index of Debian {} is not valid",
            row.suite
        ),
    )
    .because(why)
    .help(
        "set another mirror with `--mirror` or MONDO_DEB_MIRROR, and look at the proxy variables;\nif Debian \
         has new keys, update mondo",
    )
}

fn one_message(signed: &[u8]) -> std::result::Result<(), String> {
    let text = std::str::from_utf8(signed).map_err(|error| error.to_string())?;
    let headers: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| line.starts_with("-----BEGIN"))
        .collect();
    let begins = text.starts_with(MESSAGE);
    match begins && headers == [MESSAGE, SIGNATURE] {
        true => Ok(()),
        false => Err("it is not one signed message".to_owned()),
    }
}

/// The signed text, or the reason why it cannot be verified.
fn verified(
    file: &Utf8Path,
    root: &Utf8Path,
    base: &Toolchain,
    request: &Request,
    work: &Utf8Path,
) -> std::result::Result<String, String> {
    let loader = base
        .loader(&request.target)
        .ok_or("the locked set has no loader")?;
    let libraries = format!(
        "{root}/usr/lib/{0}:{root}/lib/{0}:{1}",
        triplet(),
        base.library_path()
    );
    let text = work.join("Release");
    let output = Tool::new(loader.as_str(), "verify the index's signature")
        .args(["--library-path", &libraries])
        .arg(root.join("usr/bin/gpgv").as_str())
        .args(["--homedir", work.as_str(), "--status-fd", "1"])
        .args(["--keyring", root.join(KEYS).as_str()])
        .args(["--output", text.as_str(), file.as_str()])
        .output_unchecked()
        .map_err(|error| error.to_string())?;
    if !is_good(&output.stdout) {
        return Err(match output.stderr.trim() {
            "" => "it has no signature".to_owned(),
            said => said.to_owned(),
        });
    }
    fs_err::read_to_string(&text).map_err(|error| error.to_string())
}

/// Whether the status lines of gpgv tell of a good signature and of no bad one. The exit status does not say so: an index is
/// signed with the keys of several releases, and gpgv fails if it lacks one of these.
fn is_good(status: &str) -> bool {
    let has_status = |word: &str| {
        let start = format!("[GNUPG:] {word} ");
        status.lines().any(|line| line.starts_with(&start))
    };
    has_status("GOODSIG") && has_status("VALIDSIG") && !has_status("BADSIG")
}

/// The packages of the verifier, in a form that downloads know.
fn packages_of(row: &MovingSet) -> PackageSet {
    PackageSet {
        llvm: row.llvm.to_string(),
        suite: row.suite.clone(),
        architecture: row.architecture.clone(),
        packages: row.verifier.clone(),
        sysroot: Vec::new(),
        optional: Vec::new(),
        source: None,
        moved: None,
        base: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_message_with_its_signature() {
        let file = format!(
            "{MESSAGE}\nHash: SHA256\n\ntext\n{SIGNATURE}\n\n-----END PGP SIGNATURE-----\n"
        );
        one_message(file.as_bytes()).unwrap();
        for bad in [
            "",
            "text",
            &format!("text\n{file}"),
            &format!("{file}{file}"),
            MESSAGE,
        ] {
            assert!(one_message(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(one_message(b"\x99\xff").is_err());
    }

    #[test]
    fn one_good_signature_is_enough_and_one_bad_is_too_many() {
        let good = "[GNUPG:] NEWSIG\n[GNUPG:] GOODSIG 6ED0 A\n[GNUPG:] VALIDSIG 4CB5 2026\n";
        assert!(is_good(good));
        assert!(is_good(&format!(
            "[GNUPG:] ERRSIG 78DB 1\n[GNUPG:] NO_PUBKEY 78DB\n{good}"
        )));
        assert!(!is_good(&format!("{good}[GNUPG:] BADSIG 78DB A\n")));
        assert!(!is_good(
            "[GNUPG:] EXPKEYSIG 6ED0 A\n[GNUPG:] VALIDSIG 4CB5 2026\n"
        ));
        assert!(!is_good("[GNUPG:] NO_PUBKEY 78DB\n"));
        assert!(!is_good(""));
    }
}
