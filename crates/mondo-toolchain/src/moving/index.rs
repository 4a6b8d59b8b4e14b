//! A suite's index: the text of `InRelease`, whose signature has been verified.

use std::time::{Duration, SystemTime};

use mondo_core::error::{Error, ErrorKind, Result};

/// What an index says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Index {
    suite: String,
    /// Its date.
    pub(super) date: String,
    valid_until: Option<String>,
    files: Vec<Listed>,
}

/// A file that an index lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    /// Its path below the suite's folder.
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) sha256: String,
}

impl Index {
    /// Reads an index, which must be that of `suite`: a mirror could answer with another one that is signed as well.
    pub(super) fn parse(text: &str, suite: &str) -> Result<Self> {
        let mut index = Self {
            suite: suite.to_owned(),
            date: String::new(),
            valid_until: None,
            files: Vec::new(),
        };
        let mut names = Vec::new();
        let mut field = "";
        for line in text.lines() {
            if let Some(entry) = line.strip_prefix(' ') {
                if field == "SHA256" {
                    index.files.extend(listed(entry));
                }
                continue;
            }
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            field = name;
            let value = value.trim();
            match name {
                "Suite" | "Codename" => names.push(value),
                "Date" => value.clone_into(&mut index.date),
                "Valid-Until" => index.valid_until = Some(value.to_owned()),
                _ => {}
            }
        }
        if !names.contains(&suite) {
            return Err(Error::new(
                ErrorKind::Integrity,
                format!("the index of Debian {suite} is that of another suite"),
            )
            .because(format!("it says that it is of `{}`", names.join("`, `")))
            .help("set another mirror with `--mirror` or MONDO_DEB_MIRROR"));
        }
        Ok(index)
    }

    /// Checks that the index is still valid at `now`: an old one hides what has been corrected since. That of a
    /// `snapshot` has the age that the user asked for.
    pub(super) fn check_time(&self, now: SystemTime, snapshot: bool) -> Result<()> {
        let Some(until) = self.valid_until.as_ref().filter(|_| !snapshot) else {
            return Ok(());
        };
        let now = now.duration_since(SystemTime::UNIX_EPOCH);
        let ended =
            seconds(until).is_none_or(|end| Duration::from_secs(end) < now.unwrap_or_default());
        if !ended {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Integrity,
            format!("the index of Debian {} has expired", self.suite),
        )
        .because(format!(
            "it is of {} and was valid until {until}; the mirror is no longer updated, or hides updates",
            self.date
        ))
        .help(
            "set another mirror with `--mirror` or MONDO_DEB_MIRROR;\nor set MONDO_DEB_SNAPSHOT=1 if the mirror \
             is a snapshot that you chose",
        ))
    }

    /// The list of packages for an architecture.
    pub(super) fn list(&self, architecture: &str) -> Result<&Listed> {
        let path = format!("main/binary-{architecture}/Packages.xz");
        self.files
            .iter()
            .find(|file| file.path == path)
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::Toolchain,
                    format!("Debian {} has no packages for {architecture}", self.suite),
                )
                .because(format!("its index does not list `{path}`"))
            })
    }
}

fn listed(entry: &str) -> Option<Listed> {
    let mut words = entry.split_whitespace();
    let sha256 = words.next()?.to_owned();
    let size = words.next()?.parse().ok()?;
    let path = words.next()?.to_owned();
    let digits = sha256
        .chars()
        .all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
    (sha256.len() == 64 && digits).then_some(Listed { path, size, sha256 })
}

/// The seconds since 1970 at a date such as `Fri, 06 Nov 2026 08:08:01 UTC`.
fn seconds(date: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, rest) = date.split_once(", ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [day, month, year, time, "UTC" | "GMT" | "+0000"] = words[..] else {
        return None;
    };
    let (day, year): (u64, u64) = (day.parse().ok()?, year.parse().ok()?);
    let month = MONTHS.iter().position(|name| *name == month)?;
    if !(1970..10_000).contains(&year) || !(1..=31).contains(&day) {
        return None;
    }
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let of_month = [
        31,
        28 + u64::from(leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let days = (1970..year)
        .map(|year| 365 + u64::from(leap(year)))
        .sum::<u64>()
        + of_month.iter().take(month).sum::<u64>()
        + day
        - 1;
    let clock: Vec<u64> = time
        .split(':')
        .map_while(|part| part.parse().ok())
        .collect();
    let [hours @ 0..24, minutes @ 0..60, seconds @ 0..=60] = clock[..] else {
        return None;
    };
    Some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
Origin: Debian
Suite: unstable
Codename: sid
Date: Fri, 30 Oct 2026 08:08:01 UTC
Valid-Until: Fri, 06 Nov 2026 08:08:01 UTC
MD5Sum:
 58bc30204c16e9a8aa57f9362ecc0d03  12 main/binary-amd64/Packages.xz
SHA256:
 28476c952cd0732e0ba28e3c14fbb9a8beb412eb2b3cb96bf9d067d54caacf1b 10824484 main/binary-amd64/Packages.xz
 zz 1 main/binary-arm64/Packages.xz
";

    #[test]
    fn an_index_has_a_date_and_the_digest_of_the_list() {
        for suite in ["sid", "unstable"] {
            let index = Index::parse(TEXT, suite).unwrap();
            assert_eq!(index.date, "Fri, 30 Oct 2026 08:08:01 UTC");
            let list = index.list("amd64").unwrap();
            assert_eq!(list.size, 10_824_484);
            assert!(list.sha256.starts_with("28476c95"));
            let error = index.list("arm64").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Toolchain, "{error}");
        }
    }

    #[test]
    fn an_index_of_another_suite_is_refused() {
        let error = Index::parse(TEXT, "bookworm").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Integrity);
        assert!(error.to_string().contains("`unstable`, `sid`"), "{error}");
        assert!(Index::parse("", "sid").is_err());
    }

    #[test]
    fn an_index_expires_unless_it_is_of_a_snapshot() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let end = seconds("Fri, 06 Nov 2026 08:08:01 UTC").unwrap();
        let index = Index::parse(TEXT, "sid").unwrap();
        index.check_time(at(end), false).unwrap();
        let error = index.check_time(at(end + 1), false).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Integrity);
        assert!(error.to_string().contains("expired"), "{error}");
        index.check_time(at(end + 1), true).unwrap();
        let unreadable = TEXT.replace("Nov 2026", "Brumaire 235");
        let index = Index::parse(&unreadable, "sid").unwrap();
        assert!(index.check_time(at(0), false).is_err());
        let without = TEXT.replace("Valid-Until", "Other");
        let index = Index::parse(&without, "sid").unwrap();
        index.check_time(at(end + 1), false).unwrap();
    }

    #[test]
    fn dates_are_seconds() {
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 UTC"), Some(0));
        assert_eq!(
            seconds("Thu, 29 Feb 2024 12:00:00 UTC"),
            Some(1_709_208_000)
        );
        for bad in [
            "",
            "Fri, 06 Nov 2026",
            "Fri, 06 Nov 2026 8:8 UTC",
            "Fri, 06 Nov 2026 08:08:01 CET",
        ] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }
}
