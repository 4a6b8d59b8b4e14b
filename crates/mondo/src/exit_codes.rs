//! The exit codes, as the help of each program lists them.

/// The table of exit codes, for the help of a program. A test compares it with [`mondo_build::ErrorKind::ALL`].
pub const EXIT_CODES: &str = "\
Exit codes: 0 success, 1 a check failed, 2 wrong arguments, 10 manifest, 11 plan, 12 toolchain,
13 missing tool, 14 network, 15 integrity, 20 compile, 21 archive, 22 link, 23 exports, 24 audit,
25 wheel, 26 audit warnings, 30 io, 130 interrupted.";

#[cfg(test)]
mod tests {
    use mondo_build::ErrorKind;

    use super::*;

    #[test]
    fn the_help_has_each_exit_code() {
        let table = EXIT_CODES.trim_start_matches("Exit codes: ");
        let rows: Vec<String> = table
            .trim_end_matches('.')
            .split(',')
            .map(|row| row.trim().to_owned())
            .collect();
        let mut wanted = vec![(0, "success".to_owned())];
        wanted.extend(ErrorKind::ALL.iter().map(|kind| match kind {
            ErrorKind::Check => (kind.exit_code(), "a check failed".to_owned()),
            ErrorKind::Usage => (kind.exit_code(), "wrong arguments".to_owned()),
            _ => (kind.exit_code(), kind.name().replace('-', " ")),
        }));
        wanted.sort();
        let wanted: Vec<String> = wanted
            .iter()
            .map(|(code, name)| format!("{code} {name}"))
            .collect();
        assert_eq!(rows, wanted);
    }
}
