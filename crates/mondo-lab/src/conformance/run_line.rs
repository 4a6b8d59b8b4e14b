//! RUN lines: what a test's comments say is to be run.
//!
//! Upstream's Python tests use little of lit's language: one program, perhaps with `env` in front
//! and `2>&1` behind it, and perhaps a pipe into `FileCheck`. That much is understood, and whatever
//! else a line asks for is an error of that test.

/// One command of a test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RunLine {
    /// Variables set for the program.
    pub(super) env: Vec<(String, String)>,
    /// The program's arguments; the program itself is the interpreter.
    pub(super) arguments: Vec<String>,
    /// Whether standard error belongs to what is checked.
    pub(super) both: bool,
    /// `FileCheck`'s arguments, where its verdict counts too.
    pub(super) check: Option<Vec<String>>,
}

/// What stands for `%s` and the like: pairs of name and value, longer names before their prefixes.
pub(super) type Names<'a> = &'a [(&'a str, &'a str)];

/// The commands of `text`, or the line that asks for something unknown.
pub(super) fn parse(text: &str, names: Names<'_>) -> Result<Vec<RunLine>, String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for part in text.lines().filter_map(after_marker) {
        match part.strip_suffix('\\') {
            Some(part) => line.push_str(part),
            None => {
                line.push_str(part);
                lines.push(one(&line, names)?);
                line.clear();
            }
        }
    }
    if line.is_empty() {
        Ok(lines)
    } else {
        Err(format!("a RUN line does not end: {line}"))
    }
}

/// Whether `text` is a test at all.
pub(super) fn has_any(text: &str) -> bool {
    text.lines().any(|line| after_marker(line).is_some())
}

fn after_marker(line: &str) -> Option<&str> {
    let comment = line.trim_start().strip_prefix('#')?.trim();
    comment.strip_prefix("RUN:").map(str::trim)
}

fn one(line: &str, names: Names<'_>) -> Result<RunLine, String> {
    let unknown = |what: &str| format!("the RUN line asks for {what}: {line}");
    let mut run = RunLine::default();
    let mut stages = line.split(" | ");
    let mut words = stages.next().unwrap_or_default().split_whitespace();
    let mut program = words.next();
    if program == Some("env") {
        program = words.next();
        while let Some((key, value)) = program.and_then(|word| word.split_once('=')) {
            run.env.push((key.to_owned(), named(value, names)));
            program = words.next();
        }
    }
    if program != Some("%PYTHON") {
        return Err(unknown(program.unwrap_or("nothing")));
    }
    run.arguments = words.map(|word| named(word, names)).collect();
    if run.arguments.last().is_some_and(|last| last == "2>&1") {
        run.arguments.pop();
        run.both = true;
    }
    if let Some(check) = stages.next() {
        let mut words = check.split_whitespace();
        match words.next() {
            Some("FileCheck") => run.check = Some(words.map(|word| named(word, names)).collect()),
            other => return Err(unknown(other.unwrap_or("nothing"))),
        }
    }
    match stages.next() {
        Some(more) => Err(unknown(more)),
        None => Ok(run),
    }
}

fn named(word: &str, names: Names<'_>) -> String {
    names.iter().fold(word.to_owned(), |word, (name, value)| {
        word.replace(name, value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names<'_> = &[("%lib", "/l.so"), ("%s", "/t/a.py")];

    #[test]
    fn a_pipe_into_filecheck() {
        let text = "# RUN: %PYTHON %s 2>&1 | FileCheck %s --enable-var-scope=false\nx = 1\n";
        let [line] = &parse(text, NAMES).unwrap()[..] else {
            panic!("one line");
        };
        assert_eq!(line.arguments, ["/t/a.py"]);
        assert!(line.both);
        let check = line.check.as_deref().unwrap();
        assert_eq!(check, ["/t/a.py", "--enable-var-scope=false"]);
    }

    #[test]
    fn variables_and_lines_that_go_on() {
        let text = "  #RUN: env A=%lib B=2 %PYTHON \\\n  # RUN:   -m x %s\n# RUN: %PYTHON %s";
        let lines = parse(text, NAMES).unwrap();
        assert_eq!(lines.len(), 2);
        let env = [("A", "/l.so"), ("B", "2")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(lines[0].env, env);
        assert_eq!(lines[0].arguments, ["-m", "x", "/t/a.py"]);
        assert_eq!(lines[1].check, None);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for text in [
            "# RUN: mlir-opt %s",
            "# RUN: %PYTHON %s | grep x",
            "# RUN: %PYTHON %s | FileCheck %s | cat",
            "# RUN: %PYTHON \\",
        ] {
            assert!(has_any(text));
            assert!(parse(text, NAMES).is_err(), "{text}");
        }
    }
}
