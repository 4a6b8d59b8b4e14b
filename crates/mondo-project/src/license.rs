//! The licence of a project: the file with its text, and the licence that the text looks like.

use camino::{Utf8Path, Utf8PathBuf};

use crate::source_tree::Origin;

/// Names of licence files, in the order in which they are looked up.
const FILES: &[&str] = &[
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.TXT",
    "LICENSE.md",
    "LICENCE",
    "COPYING",
];

/// Words of texts of licences, and the SPDX expression that they stand for; the first that fits counts. LLVM's own
/// file has the text of an older licence after the present one.
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
    let inside = folder.ancestors().take_while(|it| it.starts_with(top));
    let mut files = inside.flat_map(|it| FILES.iter().map(move |file| it.join(file)));
    files.find(|path| path.is_file())
}

/// The licence that a text looks like, as an SPDX expression.
fn looks_like(text: &str) -> Option<&'static str> {
    // Texts differ in how their lines are broken.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = |words: &[&str]| words.iter().all(|word| text.contains(word));
    let found = TEXTS.iter().find(|(words, _)| fits(words));
    found.map(|(_, license)| *license)
}

/// The sentence about a project whose entry in the manifest names no licence, and whose own is not that of the wheel
/// beside it, `of_wheel`.
#[must_use]
pub fn note(origin: &Origin, of_wheel: &str) -> Option<String> {
    let path = origin.license_files.first()?;
    if origin.license.is_some() {
        return None;
    }
    let text = fs_err::read(path).ok()?;
    let found = looks_like(&String::from_utf8_lossy(&text));
    if found == Some(of_wheel) {
        return None;
    }
    let (name, file) = (&origin.name, path.file_name().unwrap_or_default());
    Some(match found {
        Some(license) => format!(
            "the project `{name}` says no licence, and its {file} looks like {license}: the wheel's metadata says \
             `{of_wheel}` alone; `license = {license:?}` in its `[[project]]` adds it"
        ),
        None => format!(
            "the project `{name}` says no licence, and which one its {file} is of is not known: the wheel's \
             metadata says `{of_wheel}` alone; `license` in its `[[project]]` adds another"
        ),
    })
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
    fn a_licence_that_nothing_names_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let top = Utf8Path::from_path(dir.path()).unwrap();
        let folder = top.join("a/b");
        fs_err::create_dir_all(&folder).unwrap();
        assert_eq!(file(&folder, top), None);
        let path = top.join("LICENSE");
        fs_err::write(&path, MIT).unwrap();
        assert_eq!(file(&folder, top), Some(path.clone()));
        assert_eq!(file(&folder, &folder), None, "not above the top");
        let mut origin = Origin {
            name: "toy".to_owned(),
            version: None,
            license: None,
            license_files: vec![path.clone()],
            revision: None,
        };
        let said = note(&origin, "Apache-2.0").unwrap();
        let words = [
            "`toy` says no licence",
            "its LICENSE looks like MIT",
            "`license = \"MIT\"`",
        ];
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
        assert_eq!(note(&origin, "MIT"), None);
        origin.license = Some("MIT".to_owned());
        assert_eq!(note(&origin, "Apache-2.0"), None);
        origin.license = None;
        fs_err::write(&path, "Mine.").unwrap();
        let said = note(&origin, "Apache-2.0").unwrap();
        assert!(said.contains("is not known"), "{said}");
    }
}
