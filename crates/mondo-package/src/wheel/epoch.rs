//! The only time in a wheel: `SOURCE_DATE_EPOCH`, in the two formats that the parts of a wheel need.

use jiff::Timestamp;
use jiff::tz::Offset;
use mondo_core::error::{Error, ErrorKind, Result};

/// Seconds since 1970-01-01T00:00:00Z, as reproducible-builds.org's `SOURCE_DATE_EPOCH` has them.
///
/// The default is 1980-01-01, the first moment that a zip archive can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub u64);

const FIRST_DOS_SECOND: u64 = 315_532_800;
/// 2107-12-31T23:59:58Z.
const LAST_DOS_SECOND: u64 = 4_354_819_198;

impl Default for Epoch {
    fn default() -> Self {
        Self(FIRST_DOS_SECOND)
    }
}

impl Epoch {
    /// Reads `SOURCE_DATE_EPOCH`; unset or empty means the default.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` where the variable is not a time that an archive can hold.
    pub fn from_environment() -> Result<Self> {
        match std::env::var_os("SOURCE_DATE_EPOCH") {
            None => Ok(Self::default()),
            Some(text) => Self::parse(&text.to_string_lossy()),
        }
    }

    fn parse(text: &str) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let seconds = text.parse().ok().filter(|s| *s <= LAST_DOS_SECOND);
        seconds.map(Self).ok_or_else(|| {
            Error::new(ErrorKind::Wheel, "invalid SOURCE_DATE_EPOCH")
                .at(format!("SOURCE_DATE_EPOCH={text}"))
                .because("it must be whole seconds since 1970, before the year 2108")
                .help("unset it, or set it to `git log -1 --format=%ct`")
        })
    }

    /// The (time, date) pair of a zip header: UTC, two-second steps, held within 1980..=2107.
    #[must_use]
    pub fn dos(self) -> (u16, u16) {
        let held = Self(self.0.clamp(FIRST_DOS_SECOND, LAST_DOS_SECOND));
        let utc = Offset::UTC.to_datetime(held.timestamp());
        let part = i16::unsigned_abs;
        let time = (part(utc.hour().into()) << 11)
            | (part(utc.minute().into()) << 5)
            | (part(utc.second().into()) / 2);
        let date = ((part(utc.year()) - 1980) << 9)
            | (part(utc.month().into()) << 5)
            | part(utc.day().into());
        (time, date)
    }

    /// `1980-01-01T00:00:00Z` (RFC 3339).
    #[must_use]
    pub fn rfc3339(self) -> String {
        self.timestamp().to_string()
    }

    /// The moment; for one after the year 9999, the last that can be written.
    fn timestamp(self) -> Timestamp {
        let seconds = i64::try_from(self.0).ok();
        let timestamp = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        timestamp.unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(Epoch::default().rfc3339(), "1980-01-01T00:00:00Z");
        assert_eq!(Epoch(951_782_400).rfc3339(), "2000-02-29T00:00:00Z");
        assert_eq!(Epoch(1_767_225_599).rfc3339(), "2025-12-31T23:59:59Z");
        assert_eq!(Epoch(LAST_DOS_SECOND).rfc3339(), "2107-12-31T23:59:58Z");
    }

    #[test]
    fn dos_times_are_held_within_what_a_zip_can_tell() {
        assert_eq!(Epoch(0).dos(), (0, 0x0021));
        assert_eq!(Epoch::default().dos(), (0, 0x0021));
        assert_eq!(Epoch(u64::MAX).dos(), (0xBF7D, 0xFF9F));
        // 2024-05-06T07:08:10Z
        assert_eq!(
            Epoch(1_714_979_290).dos(),
            (7 << 11 | 8 << 5 | 5, 44 << 9 | 5 << 5 | 6)
        );
    }

    #[test]
    fn the_variable_is_checked() {
        assert_eq!(Epoch::parse("").unwrap(), Epoch::default());
        assert_eq!(Epoch::parse("1700000000").unwrap(), Epoch(1_700_000_000));
        for bad in ["now", "-1", "1.5", " 1", "99999999999"] {
            assert_eq!(
                Epoch::parse(bad).unwrap_err().kind(),
                ErrorKind::Wheel,
                "{bad}"
            );
        }
    }
}
