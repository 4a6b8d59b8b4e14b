//! `src/declarations.rs` is what bindgen makes from the headers of the LLVM that this is built with. With
//! `MONDO_UPDATE_DOCS=1` the test writes that LLVM's declarations into the file, and leaves those of the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What bindgen made of the headers.
const MADE: &str = include_str!(concat!(env!("OUT_DIR"), "/bindings.rs"));

/// The LLVM's major version and the digest of its headers.
const HEADERS: &str = env!("MONDO_SYS_HEADERS");

/// The LLVMs that the file has, in their order.
const LLVMS: [u32; 3] = [19, 22, 23];

const START: &str = "\
// What bindgen makes of the headers of MLIR's C API, of `mondo.h` and of `dialect_sdk.h`, an item a line. An item without a
// condition is of each LLVM. `tests/declarations.rs` compares the file with the headers and writes it:
// MONDO_UPDATE_DOCS=1 cargo xtask test ir --all
";

/// The declarations of all LLVMs: each item with the LLVMs that have it.
#[derive(Default, PartialEq)]
struct Declarations {
    digests: BTreeMap<u32, String>,
    types: BTreeMap<String, BTreeSet<u32>>,
    functions: BTreeMap<String, BTreeSet<u32>>,
}

#[test]
fn the_declarations_are_those_of_the_headers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/declarations.rs");
    let text = std::fs::read_to_string(path).unwrap();
    let (major, digest) = HEADERS.split_once(' ').unwrap();
    let major: u32 = major.parse().unwrap();
    if !LLVMS.contains(&major) {
        // A commit of LLVM that the catalogue does not describe has declarations of its own, which only bindgen makes.
        return;
    }
    let declarations = Declarations::read(&text).with(major, digest, MADE);
    let expected = declarations.to_string();
    if std::env::var_os("MONDO_UPDATE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
        return;
    }
    let difference = |from: &str, to: &str, sign: char| -> String {
        let to: BTreeSet<&str> = to.lines().collect();
        let lines = from.lines().filter(|line| !to.contains(line));
        lines.fold(String::new(), |mut all, line| {
            let _ = writeln!(all, "{sign}{line}");
            all
        })
    };
    assert!(
        text == expected,
        "src/declarations.rs is not what LLVM {major} declares; write it with MONDO_UPDATE_DOCS=1:\n{}{}",
        difference(&text, &expected, '-'),
        difference(&expected, &text, '+'),
    );
}

#[test]
fn a_condition_names_exactly_the_llvms_of_an_item() {
    for llvms in subsets() {
        let condition = condition(&llvms);
        assert_eq!(llvms_of(&condition), llvms, "{condition}");
    }
}

impl Declarations {
    /// This with the declarations of one LLVM replaced.
    fn with(mut self, major: u32, digest: &str, made: &str) -> Self {
        self.digests.insert(major, digest.to_owned());
        for items in [&mut self.types, &mut self.functions] {
            for llvms in items.values_mut() {
                llvms.remove(&major);
            }
        }
        // That the compiler lays out structures as C's does is looked at where bindgen runs.
        let is_layout = |item: &str| item.contains("const _ : ()");
        for item in items(made).into_iter().filter(|item| !is_layout(item)) {
            let Some(inside) = item.strip_prefix("unsafe extern \"C\" {") else {
                self.types.entry(compact(item)).or_default().insert(major);
                continue;
            };
            for function in items(inside.strip_suffix('}').unwrap()) {
                let function = compact(function);
                self.functions.entry(function).or_default().insert(major);
            }
        }
        for items in [&mut self.types, &mut self.functions] {
            items.retain(|_, llvms| !llvms.is_empty());
        }
        self
    }

    fn read(text: &str) -> Self {
        let mut read = Self::default();
        let mut is_function = false;
        for line in text.lines() {
            if let Some(of) = line.strip_prefix("// LLVM ") {
                let (major, digest) = of.split_once(", headers ").unwrap();
                let digest = digest.trim_end_matches('.').to_owned();
                read.digests.insert(major.parse().unwrap(), digest);
            } else if line == EXTERN {
                is_function = true;
            } else if !(line.is_empty() || line.starts_with("//") || line == USES || line == "}") {
                let (llvms, item) = match line.strip_prefix("#[cfg(") {
                    Some(rest) => {
                        let (condition, item) = rest.split_once(")] ").unwrap();
                        (llvms_of(condition), item)
                    }
                    None => (LLVMS.into(), line),
                };
                let items = match is_function {
                    true => &mut read.functions,
                    false => &mut read.types,
                };
                items.insert(item.to_owned(), llvms);
            }
        }
        read
    }
}

/// The names that items have without their path.
const USES: &str = "use core::ffi::{c_char, c_int, c_uint, c_void};";

const EXTERN: &str = "unsafe extern \"C\" {";

impl std::fmt::Display for Declarations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(START)?;
        for (major, digest) in &self.digests {
            writeln!(f, "// LLVM {major}, headers {digest}.")?;
        }
        writeln!(f, "\n{USES}\n")?;
        let write = |f: &mut std::fmt::Formatter<'_>, items: &BTreeMap<String, BTreeSet<u32>>| {
            items.iter().try_for_each(|(item, llvms)| {
                if llvms.len() == LLVMS.len() {
                    writeln!(f, "{item}")
                } else {
                    writeln!(f, "#[cfg({})] {item}", condition(llvms))
                }
            })
        };
        write(f, &self.types)?;
        writeln!(f, "\n{EXTERN}")?;
        write(f, &self.functions)?;
        writeln!(f, "}}")
    }
}

/// The condition that holds for these LLVMs of [`LLVMS`].
fn condition(llvms: &BTreeSet<u32>) -> String {
    let runs = LLVMS.chunk_by(|one, next| llvms.contains(one) == llvms.contains(next));
    let conditions: Vec<String> = runs
        .filter(|run| llvms.contains(&run[0]))
        .map(|run| {
            let newer = LLVMS.iter().find(|other| **other > run[run.len() - 1]);
            let below = newer.map(|newer| format!("llvm_before = \"{newer}\""));
            let above = (run[0] != LLVMS[0]).then(|| format!("not(llvm_before = \"{}\")", run[0]));
            match (above, below) {
                (Some(above), Some(below)) => format!("all({above}, {below})"),
                (above, below) => above.or(below).unwrap_or_default(),
            }
        })
        .collect();
    match conditions.as_slice() {
        [one] => one.clone(),
        several => format!("any({})", several.join(", ")),
    }
}

/// All sets of LLVMs that have a condition.
fn subsets() -> impl Iterator<Item = BTreeSet<u32>> {
    (1..(1 << LLVMS.len()) - 1).map(|bits: usize| {
        let chosen = LLVMS.iter().enumerate();
        let chosen = chosen.filter(|(index, _)| bits >> index & 1 == 1);
        chosen.map(|(_, llvm)| *llvm).collect()
    })
}

fn llvms_of(wanted: &str) -> BTreeSet<u32> {
    let found = subsets().find(|llvms| condition(llvms) == wanted);
    found.unwrap_or_else(|| panic!("`{wanted}` is no condition of this file"))
}

/// The items of a module or block, as bindgen writes them: words with a space between any two.
fn items(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (index, char) in text.char_indices() {
        match char {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        let rest = text[index + 1..].trim_start();
        let ends = match char {
            ';' => depth == 0,
            // A constant whose value is a block ends with a semicolon.
            '}' => depth == 0 && !rest.starts_with(';'),
            _ => false,
        };
        if ends {
            found.push(text[start..=index].trim());
            start = index + 1;
        }
    }
    assert_eq!(text[start..].trim(), "", "the rest of an item");
    found
}

/// An item without spaces that mean nothing, and with the short names of [`USES`].
fn compact(item: &str) -> String {
    let mut text = item.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [
        (":: core :: ffi :: ", ""),
        (":: core :: option :: ", ""),
        (" :: ", "::"),
        ("* mut", "*mut"),
        ("* const", "*const"),
        ("# [", "#["),
        ("- >", "->"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("->", " ->"),
        ("  ->", " ->"),
        (" (", "("),
        ("( ", "("),
        (" [", "["),
        ("[ ", "["),
        (" )", ")"),
        (" ]", "]"),
        (" ,", ","),
        (" ;", ";"),
        (" :", ":"),
        (", }", " }"),
    ] {
        text = text.replace(from, to);
    }
    text
}
