//! The table of minutes by group that a run ends with.

use std::time::Duration;

/// The result of one group.
pub(super) struct Row {
    pub(super) group: String,
    pub(super) time: Duration,
    pub(super) passed: bool,
}

/// One line for each group, one for all of them, and last the count that CI reads.
pub(super) fn table(rows: &[Row]) -> String {
    let names = rows.iter().map(|row| row.group.len());
    let width = names.chain(["group".len()]).max().unwrap_or_default();
    let mut text = format!("{:width$}  {:>7}  result\n", "group", "min:s");
    for row in rows {
        let result = if row.passed { "passed" } else { "FAILED" };
        let time = clock(row.time);
        text.push_str(&format!("{:width$}  {time:>7}  {result}\n", row.group));
    }
    let total = clock(rows.iter().map(|row| row.time).sum());
    let passed = rows.iter().filter(|row| row.passed).count();
    text.push_str(&format!("{:width$}  {total:>7}\n", "total"));
    text.push_str(&format!("{passed} passed, {} failed", rows.len() - passed));
    text
}

/// Minutes and seconds, to the nearest second.
fn clock(time: Duration) -> String {
    let seconds = (time + Duration::from_millis(500)).as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(group: &str, milliseconds: u64, passed: bool) -> Row {
        Row {
            group: group.to_owned(),
            time: Duration::from_millis(milliseconds),
            passed,
        }
    }

    #[test]
    fn each_group_has_its_line_and_the_count_is_the_last() {
        let rows = [
            row("tidy", 499, true),
            row("bad-input", 125_600, false),
            row("unit", 3_600_000, true),
        ];
        assert_eq!(
            table(&rows),
            "group        min:s  result\n\
             tidy          0:00  passed\n\
             bad-input     2:06  FAILED\n\
             unit         60:00  passed\n\
             total        62:06\n\
             2 passed, 1 failed"
        );
    }

    #[test]
    fn a_run_of_nothing_says_so() {
        assert!(table(&[]).ends_with("\n0 passed, 0 failed"));
    }
}
