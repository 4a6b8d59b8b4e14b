//! The command lines that a page names, held against the real command line.

use clap::CommandFactory;
use clap::error::ErrorKind;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::args::Args;

/// The programs whose command lines are checked, as a command line begins.
const PROGRAMS: [&str; 2] = ["cargo xtask", "mondo"];

/// A claim of a page about our command line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A command as it is typed, without its program.
    Line(&'static str, String),
    /// A row of the table of commands: a command, and which flags it has.
    Synopsis(String),
}

impl Named {
    /// The reason why our command line does not take this, if it does not.
    pub(super) fn refused(&self) -> Option<String> {
        match self {
            Self::Line(program, line) => unparsable(program, line),
            Self::Synopsis(synopsis) => unknown(synopsis),
        }
    }
}

/// The commands that a page names: in lines of its code blocks, in code in its text, and in the
/// first column of its tables.
pub(super) fn named(page: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut in_shell = false;
    let mut column = None;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            // Only blocks of shell are searched: a line of another language is no command.
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => in_shell = true,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                in_shell = ["", "sh", "console"].contains(&&*language);
            }
            Event::Text(text) if in_shell => found.extend(text.lines().filter_map(line)),
            Event::End(TagEnd::CodeBlock) => in_shell = false,
            Event::Start(Tag::TableRow) => column = Some(0),
            Event::End(TagEnd::TableCell) => column = column.map(|number| number + 1),
            Event::End(TagEnd::TableRow) => column = None,
            Event::Code(code) if column == Some(0) => {
                found.push(Named::Synopsis(code.to_string()));
            }
            Event::Code(code) => found.extend(line(&code)),
            _ => {}
        }
    }
    found
}

/// The command of a line, without the comment behind it.
fn line(code: &str) -> Option<Named> {
    let code = code.trim_start();
    let (program, rest) = PROGRAMS.into_iter().find_map(|program| {
        let rest = code.strip_prefix(program)?.strip_prefix(' ')?;
        Some((program, rest))
    })?;
    let command = rest.split(" #").next().unwrap_or(rest);
    Some(Named::Line(program, command.trim().to_owned()))
}

fn unparsable(program: &str, line: &str) -> Option<String> {
    let command = if program == "mondo" {
        mondo::Args::command()
    } else {
        Args::command()
    };
    let words = [program].into_iter().chain(line.split_whitespace());
    let error = command.try_get_matches_from(words).err()?;
    // clap reports `--help` and `--version` as errors, which are no mistakes of the page.
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return None;
    }
    let said = error.to_string();
    let why = said.lines().next().unwrap_or_default();
    Some(format!("{program} {line}: {why}"))
}

fn unknown(synopsis: &str) -> Option<String> {
    let mut root = Args::command();
    root.build();
    let mut words = synopsis.split(|each: char| each.is_whitespace() || "[]|…".contains(each));
    let name = words.next().unwrap_or_default();
    let Some(command) = root.find_subcommand(name) else {
        return Some(format!("`{synopsis}`: there is no command `{name}`"));
    };
    let wrong = |flag: &str| {
        let mut arguments = command.get_arguments();
        let Some(argument) = arguments.find(|known| known.get_long() == Some(flag)) else {
            return Some(format!("`{name}` has no --{flag}"));
        };
        let values = argument
            .get_possible_values()
            .into_iter()
            .filter(|value| !value.is_hide_set());
        let values = values.map(|value| value.get_name().to_owned());
        let values = values.collect::<Vec<_>>().join("|");
        let is_listed = synopsis.contains(&format!("--{flag} {values}"));
        let takes_one = argument.get_action().takes_values() && !values.is_empty();
        (takes_one && !is_listed).then(|| format!("--{flag} takes {values}"))
    };
    let wrong = words
        .filter_map(|word| word.strip_prefix("--"))
        .find_map(wrong)?;
    Some(format!("`{synopsis}`: {wrong}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
Run `cargo xtask plan --manifest M` or `cargo build`.

    cargo xtask bundle     # makes dist/x.whl
    pip install x
    mondo plan --json
    mondo test

```python
cargo xtask not-python
```

```sh
cargo xtask tset
```

| command | |
|---|---|
| `audit PATH… [--sarif F]`, `tidy` | calls `cargo xtask tidy --all` |
| `new-dialect NAME --cpp\\|--rast` | |
";

    #[test]
    fn all_that_a_page_names_is_found() {
        let line = |program, line: &str| Named::Line(program, line.to_owned());
        let row = |row: &str| Named::Synopsis(row.to_owned());
        let wanted = [
            line("cargo xtask", "plan --manifest M"),
            line("cargo xtask", "bundle"),
            line("mondo", "plan --json"),
            line("mondo", "test"),
            line("cargo xtask", "tset"),
            row("audit PATH… [--sarif F]"),
            row("tidy"),
            line("cargo xtask", "tidy --all"),
            row("new-dialect NAME --cpp|--rast"),
        ];
        assert_eq!(named(PAGE), wanted);
    }

    #[test]
    fn what_our_command_line_does_not_take_is_refused() {
        let refused: Vec<String> = named(PAGE).iter().filter_map(Named::refused).collect();
        assert_eq!(
            refused,
            [
                "mondo test: error: unrecognized subcommand 'test'",
                "cargo xtask tset: error: unrecognized subcommand 'tset'",
                "cargo xtask tidy --all: error: unexpected argument '--all' found",
                "`new-dialect NAME --cpp|--rast`: `new-dialect` has no --rast",
            ]
        );
    }

    #[test]
    fn a_row_of_the_table_lists_the_values_of_its_flags() {
        let refused = |text: &str| Named::Synopsis(text.to_owned()).refused();
        assert_eq!(
            refused("bundle [--layout wheel|tree|static] [--llvm V]"),
            None
        );
        assert_eq!(
            refused("bundle [--layout wheel|tree] [--force]").as_deref(),
            Some("`bundle [--layout wheel|tree] [--force]`: --layout takes wheel|tree|static")
        );
    }

    #[test]
    fn a_row_of_the_table_has_a_command() {
        assert_eq!(
            Named::Synopsis("bnech audit".to_owned())
                .refused()
                .as_deref(),
            Some("`bnech audit`: there is no command `bnech`")
        );
    }
}
