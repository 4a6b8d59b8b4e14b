//! Parsers of the output of binutils for ELF files.

use std::collections::BTreeSet;

use super::seen::{Aspect, Seen};

/// Parses the output of `readelf --wide --dyn-syms --dynamic --version-info`.
pub(super) fn readelf(text: &str) -> Seen {
    let mut seen = Seen::of(&[
        Aspect::Exports,
        Aspect::Shared,
        Aspect::Imports,
        Aspect::Versions,
        Aspect::Needed,
        Aspect::Rpath,
        Aspect::Runpath,
        Aspect::Soname,
    ]);
    // readelf's name for the binding `STB_GNU_UNIQUE`, if the file header's OS/ABI is not GNU.
    let text = text.replace("<OS specific>: 10", "UNIQUE");
    let nodes = versions(&text);
    let mut needs = false;
    let mut library = "";
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with("Version") {
            needs = line.starts_with("Version needs");
        } else if let Some(tag) = words.get(1).filter(|_| line.contains('[')) {
            dynamic(&mut seen, tag, line);
        }
        if let Some(at) = words.iter().position(|&word| word == "File:") {
            library = words.get(at + 1).copied().unwrap_or_default();
        } else if let (true, Some(at)) = (needs, words.iter().position(|&word| word == "Name:")) {
            let version = words.get(at + 1).copied().unwrap_or_default();
            seen.add(Aspect::Versions, format!("{library}:{version}"));
        }
        if let Some(symbol) = symbol(&words).filter(|symbol| !nodes.contains(symbol.name)) {
            symbol.add_to(&mut seen);
        }
    }
    seen
}

/// The names of the symbols of version nodes, in each form in which a reader may print them (`V`, `V@V`,
/// `V@@V`): GNU ld defines a symbol for each version node that an image defines or a symbol has, and these
/// are no exports.
fn versions(text: &str) -> BTreeSet<String> {
    let words = text.split_whitespace();
    let of_symbols = words.filter_map(|word| Some(word.rsplit_once('@')?.1));
    let mut defines = false;
    let defined = text.lines().filter_map(|line| {
        if line.starts_with("Version") {
            defines = line.starts_with("Version definition");
        }
        let name = line.rsplit_once("Name: ").filter(|_| defines)?.1;
        Some(name.trim())
    });
    of_symbols
        .chain(defined)
        .flat_map(|version| {
            [
                version.to_owned(),
                format!("{version}@{version}"),
                format!("{version}@@{version}"),
            ]
        })
        .collect()
}

/// Reads a line of the dynamic section: `0x… (NEEDED) Shared library: [libc.so.6]`.
fn dynamic(seen: &mut Seen, tag: &str, line: &str) {
    let aspect = match tag {
        "(NEEDED)" => Aspect::Needed,
        "(RPATH)" => Aspect::Rpath,
        "(RUNPATH)" => Aspect::Runpath,
        "(SONAME)" => Aspect::Soname,
        _ => return,
    };
    let value = line
        .split_once('[')
        .and_then(|(_, rest)| rest.rsplit_once(']'));
    let value = value.map_or("", |(value, _)| value);
    if matches!(aspect, Aspect::Rpath | Aspect::Runpath) {
        value.split(':').for_each(|path| seen.add(aspect, path));
    } else {
        seen.add(aspect, value);
    }
}

struct Symbol<'t> {
    name: &'t str,
    unique: bool,
    defined: bool,
}

/// Parses a line of the symbol table: `Num: Value Size Type Bind Vis Ndx Name`. Returns `None` for any other
/// line, and for a symbol that is not visible to other images.
fn symbol<'t>(words: &[&'t str]) -> Option<Symbol<'t>> {
    let number = words.first()?.strip_suffix(':')?;
    number.parse::<u32>().ok()?;
    let (bind, visibility) = (*words.get(4)?, *words.get(5)?);
    if bind == "LOCAL" || !matches!(visibility, "DEFAULT" | "PROTECTED") {
        return None;
    }
    // On some machines, symbols have further flags before the index: `[VARIANT_PCS]`, `[<other>: 88]`.
    let mut rest = &words[6..];
    while rest.first().is_some_and(|word| word.starts_with('[')) {
        let end = rest.iter().position(|word| word.ends_with(']'))?;
        rest = &rest[end + 1..];
    }
    let (section, name) = (*rest.first()?, *rest.get(1)?);
    Some(Symbol {
        name,
        unique: bind == "UNIQUE",
        defined: section != "UND",
    })
}

impl Symbol<'_> {
    fn add_to(&self, seen: &mut Seen) {
        let (plain, version) = self.name.split_once('@').unwrap_or((self.name, ""));
        if !self.defined {
            seen.add(Aspect::Imports, self.name);
            return;
        }
        if self.unique {
            seen.add(Aspect::Shared, plain);
        }
        // `Base` is the version of the file itself, which counts as no version.
        let base = version.trim_start_matches('@') == "Base";
        seen.add(Aspect::Exports, if base { plain } else { self.name });
    }
}

/// Parses the output of `nm --dynamic`.
pub(super) fn nm(text: &str) -> Seen {
    let mut seen = Seen::of(&[Aspect::Exports, Aspect::Shared, Aspect::Imports]);
    let nodes = versions(text);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., kind, name] = words[..] else {
            continue;
        };
        let defined = !matches!(kind, "U" | "w" | "v");
        // A lower-case letter stands for a local symbol, except for these.
        let local = kind.starts_with(|letter: char| letter.is_ascii_lowercase());
        let hidden = local && !matches!(kind, "w" | "v" | "u" | "i");
        if kind.len() != 1 || hidden || nodes.contains(name) {
            continue;
        }
        // nm does not list version nodes, whose symbols are absolute and have the value 0.
        if let ([value, "A", _], false) = (&words[..], name.contains('@'))
            && value.bytes().all(|digit| digit == b'0')
        {
            continue;
        }
        let unique = kind == "u";
        Symbol {
            name,
            unique,
            defined,
        }
        .add_to(&mut seen);
    }
    seen
}

/// Parses the output of `objdump --private-headers`.
pub(super) fn objdump(text: &str) -> Seen {
    let mut seen = Seen::of(&[
        Aspect::Versions,
        Aspect::Needed,
        Aspect::Rpath,
        Aspect::Runpath,
        Aspect::Soname,
    ]);
    let mut library = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["required", "from", name] => library = Some(name.trim_end_matches(':')),
            [_, _, _, version] if line.starts_with("    ") && library.is_some() => {
                let library = library.unwrap_or_default();
                seen.add(Aspect::Versions, format!("{library}:{version}"));
            }
            ["NEEDED", name] => seen.add(Aspect::Needed, name),
            ["SONAME", name] => seen.add(Aspect::Soname, name),
            ["RPATH", paths] => paths
                .split(':')
                .for_each(|path| seen.add(Aspect::Rpath, path)),
            ["RUNPATH", paths] => paths
                .split(':')
                .for_each(|path| seen.add(Aspect::Runpath, path)),
            _ => {}
        }
    }
    seen
}
