//! The file of CI that `mondo new` writes: its steps, to be run here as CI runs them.

use camino::Utf8Path;
use mondo_build::Result;

/// A step that runs a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its name.
    pub(crate) name: String,
    /// The script, for `sh -e`.
    pub(crate) script: String,
}

/// The steps with scripts, in the file's order.
pub(crate) fn steps(workflow: &Utf8Path) -> Result<Vec<Step>> {
    let text = fs_err::read_to_string(workflow)?;
    let mut steps = Vec::new();
    let mut name = "";
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(named) = line.strip_prefix("      - name: ") {
            name = named;
        }
        let Some(first) = line.strip_prefix("        run: ") else {
            continue;
        };
        let mut script = vec![first];
        if first == "|" {
            script.clear();
            while let Some(line) = lines
                .peek()
                .and_then(|line| line.strip_prefix("          "))
            {
                script.push(line);
                lines.next();
            }
        }
        steps.push(Step {
            name: name.to_owned(),
            script: script.join("\n"),
        });
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_one_line_or_more() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("ci.yml");
        let text = "jobs:\n  wheel:\n    steps:\n      - name: One\n        run: |\n          a\n          b\n      \
                    - uses: x@1\n      - name: Two\n        run: c\n";
        fs_err::write(&path, text).unwrap();
        let step = |name: &str, script: &str| Step {
            name: name.into(),
            script: script.into(),
        };
        assert_eq!(
            steps(&path).unwrap(),
            [step("One", "a\nb"), step("Two", "c")]
        );
    }
}
