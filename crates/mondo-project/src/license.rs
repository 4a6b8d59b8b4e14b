//! The licence of a project: the file with its text, and the licence that the text looks like.

use camino::{Utf8Path, Utf8PathBuf};

/// Names of licence files, in the order in which they are looked up.
const FILES: &[&str] = &[
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.TXT",
    "LICENSE.md",
    "LICENCE",
    "COPYING",
];

/// Phrases of licence texts with the SPDX expressions of the licences. The first row whose phrases all occur applies;
/// the order matters, since LLVM's own file has the text of an older licence after the present one.
const TEXTS: &[(&[&str], &str)] = &[
    (
        &["Apache License", "LLVM Exceptions"],
        "Apache-2.0 WITH LLVM-exception",
    ),
    (&["Apache License", "Version 2.0"], "Apache-2.0"),
    (&["Mozilla Public License", "2.0"], "MPL-2.0"),
    (&["Boost Software License", "Version 1.0"], "BSL-1.0"),
    (
        &[
            "Redistribution and use in source and binary forms",
            "Neither the name",
        ],
        "BSD-3-Clause",
    ),
    (
        &["Redistribution and use in source and binary forms"],
        "BSD-2-Clause",
    ),
    (&["Permission is hereby granted, free of charge"], "MIT"),
];

/// The licence file of a folder: its own, or that of the nearest folder around it, up to `top`.
pub(crate) fn file(folder: &Utf8Path, top: &Utf8Path) -> Option<Utf8PathBuf> {
    let inside = folder
        .ancestors()
        .take_while(|folder| folder.starts_with(top));
    let mut files = inside.flat_map(|folder| FILES.iter().map(move |file| folder.join(file)));
    files.find(|path| path.is_file())
}

/// The licence that a text looks like, as an SPDX expression.
#[must_use]
pub fn looks_like(text: &str) -> Option<&'static str> {
    // Texts differ in their line breaks, so whitespace is normalised.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = |words: &[&str]| words.iter().all(|word| text.contains(word));
    let found = TEXTS.iter().find(|(words, _)| fits(words));
    found.map(|(_, license)| *license)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIT: &str = "MIT License\n\nPermission is hereby granted, free of\ncharge, to any person";

    #[test]
    fn licences_are_known_by_words_of_their_texts() {
        assert_eq!(looks_like(MIT), Some("MIT"));
        let llvm = "Apache License Version 2.0\n---- LLVM Exceptions to the Apache 2.0 License ----\n\
                    Permission is hereby granted, free of charge";
        assert_eq!(looks_like(llvm), Some("Apache-2.0 WITH LLVM-exception"));
        let bsd = "Redistribution and use in source and binary forms, with or without";
        assert_eq!(looks_like(bsd), Some("BSD-2-Clause"));
        let more = format!("{bsd}\nNeither the name of the copyright holder");
        assert_eq!(looks_like(&more), Some("BSD-3-Clause"));
        assert_eq!(looks_like("All rights reserved."), None);
    }

    #[test]
    fn a_file_is_looked_up_to_the_top() {
        let dir = tempfile::tempdir().unwrap();
        let top = Utf8Path::from_path(dir.path()).unwrap();
        let folder = top.join("a/b");
        fs_err::create_dir_all(&folder).unwrap();
        assert_eq!(file(&folder, top), None);
        let path = top.join("LICENSE");
        fs_err::write(&path, MIT).unwrap();
        assert_eq!(file(&folder, top), Some(path));
        assert_eq!(file(&folder, &folder), None, "not above the top");
    }
}
