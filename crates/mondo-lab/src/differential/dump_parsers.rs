//! Parsers of the output of LLVM and binutils for Mach-O and PE files.

use super::seen::{Aspect, Seen, short};

/// Parses the output of `llvm-objdump --macho --exports-trie`.
pub(super) fn exports_trie(text: &str) -> Seen {
    let mut seen = Seen::of(&[Aspect::Exports, Aspect::Shared]);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [place, name, ..] = words[..] else {
            continue;
        };
        if !place.starts_with("0x") && place != "[re-export]" {
            continue;
        }
        let name = plain(name);
        if line.contains("[weak_def") {
            seen.add(Aspect::Shared, name);
        }
        seen.add(Aspect::Exports, name);
    }
    seen
}

/// Parses the output of `llvm-nm -m --undefined-only`.
pub(super) fn undefined(text: &str) -> Seen {
    let mut seen = Seen::of(&[Aspect::Imports]);
    for line in text.lines().filter(|line| line.contains("(undefined")) {
        let (head, library) = match line.split_once(" (from ") {
            Some((head, library)) => (head, library.strip_suffix(')')),
            None => (line, None),
        };
        let head = head.split(" (dynamically").next().unwrap_or(head);
        let name = plain(head.rsplit(' ').next().unwrap_or(head));
        seen.add(
            Aspect::Imports,
            match library {
                Some(library) => format!("{name} from {}", short(library)),
                None => name.to_owned(),
            },
        );
    }
    seen
}

/// Parses the output of `llvm-objdump --macho --private-headers`.
pub(super) fn load_commands(text: &str) -> Seen {
    let mut seen = Seen::of(&[
        Aspect::Needed,
        Aspect::Rpath,
        Aspect::Soname,
        Aspect::MinimumOs,
    ]);
    let (mut command, mut platform) = ("", "macos");
    for line in text.lines() {
        let line = line.trim();
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.trim();
        let path = value
            .rsplit_once(" (offset")
            .map_or(value, |(path, _)| path);
        match (command, key) {
            (_, "cmd") => command = value,
            ("LC_ID_DYLIB", "name") => seen.add(Aspect::Soname, path),
            ("LC_RPATH", "path") => seen.add(Aspect::Rpath, path),
            (_, "name") if command.ends_with("_DYLIB") => seen.add(Aspect::Needed, path),
            ("LC_BUILD_VERSION", "platform") => platform = value,
            ("LC_BUILD_VERSION", "minos") | ("LC_VERSION_MIN_MACOSX", "version") => {
                seen.add(Aspect::MinimumOs, format!("{platform} {value}"));
            }
            _ => {}
        }
    }
    seen
}

/// A name without the underscore that Mach-O's compilers put before it.
fn plain(name: &str) -> &str {
    name.strip_prefix('_').unwrap_or(name)
}

/// Parses the output of `llvm-readobj --file-headers --coff-exports --coff-imports`.
pub(super) fn readobj_pe(text: &str) -> Seen {
    let mut seen = Seen::of(&[
        Aspect::Exports,
        Aspect::Imports,
        Aspect::Needed,
        Aspect::MinimumOs,
    ]);
    let (mut block, mut library, mut major) = ("", "", "");
    for line in text.lines() {
        let line = line.trim();
        let (key, value) = line.split_once(": ").unwrap_or((line, ""));
        match (block, key) {
            (_, "Import {" | "DelayImport {" | "Export {") => block = key,
            ("Export {", "Name") => seen.add(Aspect::Exports, value),
            ("Import {" | "DelayImport {", "Name") => {
                library = value;
                seen.add(Aspect::Needed, value);
            }
            ("Import {" | "DelayImport {", "Symbol") => {
                let (name, number) = value.rsplit_once(" (").unwrap_or((value, ""));
                let number = number.trim_end_matches(')');
                let name = name.trim();
                seen.add(
                    Aspect::Imports,
                    if name.is_empty() || value.starts_with('(') {
                        let number = value.trim_matches(['(', ')']).max(number);
                        format!("#{number} from {library}")
                    } else {
                        format!("{name} from {library}")
                    },
                );
            }
            (_, "MajorSubsystemVersion") => major = value,
            (_, "MinorSubsystemVersion") => {
                seen.add(Aspect::MinimumOs, format!("windows {major}.{value}"));
            }
            _ => {}
        }
    }
    seen
}

/// Parses the output of `objdump --private-headers` for a PE image.
pub(super) fn objdump_pe(text: &str) -> Seen {
    let mut seen = Seen::of(&[
        Aspect::Exports,
        Aspect::Imports,
        Aspect::Needed,
        Aspect::Soname,
        Aspect::MinimumOs,
    ]);
    let (mut library, mut major, mut names) = (None, "", false);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(name) = line.trim().strip_prefix("DLL Name: ") {
            library = Some(name);
            seen.add(Aspect::Needed, name);
            continue;
        }
        if line.starts_with("[Ordinal/Name Pointer] Table") {
            names = true;
            continue;
        }
        match words[..] {
            ["MajorSubsystemVersion", value] => major = value,
            ["MinorSubsystemVersion", value] => {
                seen.add(Aspect::MinimumOs, format!("windows {major}.{value}"));
            }
            ["Name", _, name] if line.starts_with("Name ") => seen.add(Aspect::Soname, name),
            [] => (library, names) = (None, false),
            // The ordinal of an import without a name is hexadecimal; the hint beside a name is decimal.
            [_, number, "<none>"] if let Some(library) = library => {
                if let Ok(number) = u32::from_str_radix(number, 16) {
                    seen.add(Aspect::Imports, format!("#{number} from {library}"));
                }
            }
            [_, number, name, ..] if library.is_some() && number.parse::<u32>().is_ok() => {
                let library = library.unwrap_or_default();
                seen.add(Aspect::Imports, format!("{name} from {library}"));
            }
            [.., name] if names && line.trim_start().starts_with('[') => {
                seen.add(Aspect::Exports, name);
            }
            _ => {}
        }
    }
    seen
}
