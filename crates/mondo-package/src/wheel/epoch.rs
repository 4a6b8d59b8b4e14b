//! The only time in a wheel: `SOURCE_DATE_EPOCH`, in the two formats that the parts of a wheel need.

use mondo_core::error::{Error, ErrorKind, Result};

/// Seconds since 1970-01-01T00:00:00Z, as reproducible-builds.org's `SOURCE_DATE_EPOCH` has them.
///
/// The default is 1980-01-01, the first moment that a zip archive can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub u64);

const FIRST_DOS_SECOND: u64 = 315_532_800;
/// 2107-12-31T23:59:58Z.
const LAST_DOS_SECOND: u64 = 4_354_819_198;
const DAY: u64 = 86_400;

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
            Error::new(ErrorKind::Wheel, "SOURCE_DATE_EPOCH is not a usable time")
                .at(format!("SOURCE_DATE_EPOCH={text}"))
                .because("it must be whole seconds since 1970, before the year 2108")
                .help("unset it, or set it to `git log -1 --format=%ct`")
        })
    }

    /// The (time, date) pair of a zip header: UTC, two-second steps, held within 1980..=2107.
    #[must_use]
    pub fn dos(self) -> (u16, u16) {
        let seconds = self.0.clamp(FIRST_DOS_SECOND, LAST_DOS_SECOND);
        let (year, month, day) = date(seconds / DAY);
        let second = seconds % DAY;
        let time = (second / 3600) << 11 | (second / 60 % 60) << 5 | ((second % 60) / 2);
        let date = (year - 1980) << 9 | month << 5 | day;
        // Both fit by the clamp above: 23:59:58 is 0xBF7D and 2107-12-31 is 0xFF9F.
        (time as u16, date as u16)
    }

    /// `1980-01-01T00:00:00Z` (RFC 3339).
    #[must_use]
    pub fn rfc3339(self) -> String {
        let (year, month, day) = date(self.0 / DAY);
        let second = self.0 % DAY;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// (year, month, day) of a number of days since 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    // Whole 400-year cycles first, so that the walk below is short whatever the input.
    const CYCLE: u64 = 146_097;
    let mut year = 1970 + days / CYCLE * 400;
    days %= CYCLE;
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
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
