//! Templates of new files, and the words that replace their placeholders.

use camino::{Utf8Path, Utf8PathBuf};

/// A template's file: its place in the crate, and its text. `NAME` and `@name@` are the dialect's
/// name, `@Name@` and `@NAME@` its other spellings, `@dist@` the one for distributions, and
/// `@mondo@` the path of mondo's sources.
pub(crate) type File = (&'static str, &'static str);

macro_rules! files {
    ($folder:literal: $($path:literal),* $(,)?) => {
        &[$((
            $path,
            include_str!(concat!("../../templates/", $folder, "/", $path, ".in")),
        )),*]
    };
}

pub(crate) use files;

/// The replacements of a template's placeholders.
pub(crate) struct Words(Vec<(&'static str, String)>);

impl Words {
    pub(crate) fn new(name: &str, mondo: &Utf8Path) -> Self {
        let camel: String = name
            .split('_')
            .map(|part| part[..1].to_ascii_uppercase() + &part[1..])
            .collect();
        Self(vec![
            ("@name@", name.to_owned()),
            ("@Name@", camel),
            ("@NAME@", name.to_ascii_uppercase()),
            ("@dist@", name.replace('_', "-")),
            ("@mondo@", mondo.to_string()),
        ])
    }

    /// One more replacement.
    pub(crate) fn with(mut self, mark: &'static str, word: &str) -> Self {
        self.0.push((mark, word.to_owned()));
        self
    }

    pub(crate) fn text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (mark, word)| {
            text.replace(mark, word)
        })
    }

    /// ODS files and headers are in upper camel case, folders and Python are not.
    pub(crate) fn path(&self, path: &str) -> Utf8PathBuf {
        let (name, camel) = (&self.0[0].1, &self.0[1].1);
        let path = path
            .replace("NAME.h", &format!("{camel}.h"))
            .replace("NAME.td", &format!("{camel}.td"));
        path.replace("NAME", name).into()
    }
}
