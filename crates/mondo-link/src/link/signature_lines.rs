//! The table of signatures with which the docstrings of native functions begin. The signatures come from the stubs
//! (`.pyi`), and `signature_lines.cpp` puts them into the docstrings.
//!
//! The stubs are formatted by ruff, so that a definition is found by its indentation.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};

use super::direct;
use super::inputs::Inputs;

/// The code that reads the table.
const READER: &str = include_str!("signature_lines.cpp");

/// Control characters that abbreviate the import root and module paths below it, in the order of `texts` in
/// `signature_lines.cpp`.
const BELOW_ROOT: char = '\u{1}';
const NATIVE: char = '\u{2}';
const IR: char = '\u{3}';

/// Texts that occur in many lines, with the control characters that abbreviate them in the table.
const FREQUENT: &[(&str, &str)] = &[
    ("\u{1}ir.Context | None = None", "\u{4}"),
    (" | None = None", "\u{5}"),
    ("collections.abc.", "\u{6}"),
];

/// Classes whose `__init__` is a method and no slot (mondo-py's `initialiser.rs`).
const INITIALISED_BY_METHOD: &[&str] = &["OpView"];

/// Classes that the extension composes at run time from functions of their module, so that the module owns these
/// functions.
const OF_FUNCTIONS: &[&str] = &["_GlobalDebug"];

/// Functions whose `__name__` is another than what their module calls them.
const RENAMED: &[(&str, &str)] = &[
    ("_register_bundle_dialects", "register_dialects"),
    (
        "_register_bundle_translations",
        "register_llvm_translations",
    ),
];

/// Special methods that are not slots. Python has docstrings of its own for slots.
const NO_SLOTS: &[&str] = &["__enter__", "__exit__", "__getattr__", "__reversed__"];

/// The full names of classes by the name that stubs use.
type Names = BTreeMap<String, String>;

/// A function of a stub: its class, and what is behind its name.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    class: Option<String>,
    name: String,
    parameters: String,
    result: String,
}

/// A stub of a native module.
#[derive(Debug)]
struct Stub {
    /// The name of the stub file without its suffix; for the stub of `_mlir` itself, the module's name.
    stem: String,
    /// True if it is of `_mlir` or a module in it.
    is_inner: bool,
    text: String,
}

/// Compiles the table of the stubs, and returns the object file.
pub(super) fn object(inputs: Inputs<'_>) -> Result<Utf8PathBuf> {
    let source = inputs.out.join("signature_lines.cpp");
    let object = inputs.out.join("signature_lines.o");
    let dialects = inputs.plan.dialects.iter();
    let modules: Vec<&str> = dialects
        .flat_map(|dialect| dialect.native.iter().map(String::as_str))
        .collect();
    let stubs = stubs(&inputs.source.python().join("_mlir_libs"), &modules)?;
    fs_err::write(&source, format!("{READER}{}", table(&stubs)?))?;
    direct::compile(inputs, &source, &object)?;
    Ok(object)
}

/// The stubs of `_mlir`, and those of `modules` beside it.
fn stubs(folder: &Utf8Path, modules: &[&str]) -> Result<Vec<Stub>> {
    let mut found = Vec::new();
    for (folder, is_inner) in [(folder.join("_mlir"), true), (folder.to_owned(), false)] {
        let mut paths = Vec::new();
        let entries = folder.read_dir_utf8();
        for entry in entries.map_err(|error| Error::from(error).at(&folder))? {
            paths.push(entry?.into_path());
        }
        paths.sort();
        for path in paths {
            let stem = path.file_stem().unwrap_or_default();
            if path.extension() == Some("pyi") && (is_inner || modules.contains(&stem)) {
                found.push(Stub {
                    stem: if stem == "__init__" { "_mlir" } else { stem }.to_owned(),
                    is_inner,
                    text: fs_err::read_to_string(&path)?,
                });
            }
        }
    }
    Ok(found)
}

impl Stub {
    /// The module that the stub's classes belong to. Stubs whose names begin with an underscore describe parts of
    /// `ir`.
    fn module(&self) -> &str {
        match self.is_inner && self.stem != "_mlir" && self.stem.starts_with('_') {
            true => "ir",
            false => &self.stem,
        }
    }

    /// The qualifier that precedes the name of each class of this stub.
    fn place(&self) -> String {
        match (self.is_inner, self.module()) {
            (true, "ir") => IR.to_string(),
            (true, "_mlir") => format!("{NATIVE}_mlir."),
            (true, module) => format!("{NATIVE}_mlir.{module}."),
            (false, module) => format!("{NATIVE}{module}."),
        }
    }
}

/// The table, as definitions in C++.
fn table(stubs: &[Stub]) -> Result<String> {
    let mut names = Names::new();
    for stub in stubs {
        for class in stub.text.lines().filter_map(class_name) {
            names.insert(class.to_owned(), stub.place() + class);
        }
    }
    let mut owners: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut home: BTreeMap<String, &str> = BTreeMap::new();
    for stub in stubs {
        let mut names = names.clone();
        for class in stub.text.lines().filter_map(class_name) {
            names.insert(class.to_owned(), stub.place() + class);
        }
        names.extend(imported(&stub.text));
        names.insert("_Context".into(), format!("{BELOW_ROOT}ir.Context"));
        // A type variable, with which a dictionary of attributes of one kind is one of attributes.
        names.insert("_Attribute".into(), format!("{IR}Attribute"));
        for function in functions(&stub.text) {
            if !is_described(&function) {
                continue;
            }
            let owner = match &function.class {
                None => stub.module().to_owned(),
                Some(class) if OF_FUNCTIONS.contains(&class.as_str()) => stub.module().to_owned(),
                // If several modules have a class of this name, only the first one's is listed without its module.
                Some(class) => {
                    match *home.entry(class.clone()).or_insert(stub.module()) == stub.module() {
                        true => class.clone(),
                        false => format!("{}.{class}", stub.module()),
                    }
                }
            };
            let line = line(&function, &names);
            let lines = owners.entry(owner).or_default();
            match lines.iter_mut().find(|(name, _)| *name == function.name) {
                Some((_, lines)) => {
                    lines.push('\n');
                    lines.push_str(&line);
                }
                None => lines.push((function.name, line)),
            }
        }
    }
    let mut text = String::new();
    let mut places = Vec::new();
    let mut length = 0;
    for (owner, functions) in &owners {
        places.push(length.to_string());
        let mut add = |part: &str| {
            length += part.len() + 1;
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  \"{}\\0\"", escaped(part));
        };
        add(owner);
        for (_, lines) in functions {
            add(lines);
        }
        add("");
    }
    if length > usize::from(u16::MAX) {
        return Err(
            Error::new(ErrorKind::Link, "the type stubs have too many signatures")
                .because(format!(
                    "their table has {length} bytes, and places in it two"
                ))
                .help("make `owners` in signature_lines.cpp of 32 bits"),
        );
    }
    let count = places.len();
    let places = places.join(", ");
    Ok(format!(
        "\nconst char signatures[] =\n{text};\nconst unsigned short owners[] = {{{places}}};\n\
         const unsigned ownerCount = {count};\n"
    ))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.chars() {
        match byte {
            '"' | '\\' => escaped.extend(['\\', byte]),
            // Three digits, so that a digit behind them is not read as one more.
            '\0'..' ' => {
                let _ = write!(escaped, "\\{:03o}", u32::from(byte));
            }
            _ => escaped.push(byte),
        }
    }
    escaped
}

fn is_described(function: &Function) -> bool {
    let name = function.name.as_str();
    let is_special = name.starts_with("__") && name.ends_with("__");
    let class = function.class.as_deref().unwrap_or_default();
    !is_special
        || NO_SLOTS.contains(&name)
        || name == "__init__" && INITIALISED_BY_METHOD.contains(&class)
}

/// The name of the class that a line at the left margin begins.
fn class_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("class ")?;
    rest.split(['(', ':']).next()
}

/// The names that a stub imports from `collections.abc`, which is the one module whose classes upstream's lines
/// name in full.
fn imported(text: &str) -> Names {
    let lines = text.lines();
    let found = lines.filter_map(|line| line.strip_prefix("from collections.abc import "));
    let found = found.flat_map(|names| names.split(", "));
    found
        .map(|name| (name.to_owned(), format!("collections.abc.{name}")))
        .collect()
}

/// The functions of modules and classes, properties left out.
fn functions(text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    let mut class = None;
    let mut is_property = false;
    let mut in_docstring = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let quotes = code.matches("\"\"\"").count();
        if in_docstring || code.starts_with("\"\"\"") {
            in_docstring ^= quotes == 1;
            continue;
        }
        let indent = line.len() - code.len();
        if indent == 0 && !code.is_empty() {
            class = class_name(code).map(str::to_owned);
        }
        if indent != if class.is_some() { 4 } else { 0 } {
            continue;
        }
        if code.starts_with('@') {
            is_property |= code == "@property" || code.ends_with(".setter");
        } else if let Some(head) = code.strip_prefix("def ") {
            let mut head = head.to_owned();
            while outside(&head).all(|(_, character)| character != ':') {
                let Some(line) = lines.next() else { break };
                head.push(' ');
                head.push_str(line.trim());
            }
            if !std::mem::take(&mut is_property) {
                found.extend(parsed(class.clone(), &head));
            }
        }
    }
    found
}

/// The function that `name(parameters) -> result: …` is.
fn parsed(class: Option<String>, head: &str) -> Option<Function> {
    let (end, _) = outside(head).find(|(_, character)| *character == ':')?;
    let (name, rest) = head.get(..end)?.split_once('(')?;
    let name = RENAMED
        .iter()
        .find_map(|(called, own)| (*called == name).then_some(*own))
        .unwrap_or(name);
    let (parameters, result) = rest.rsplit_once(" -> ").unwrap_or((rest, ""));
    Some(Function {
        class,
        name: name.to_owned(),
        parameters: parameters.strip_suffix(')')?.trim().to_owned(),
        result: result.to_owned(),
    })
}

/// The characters that are outside of brackets and quotes, with their places.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0_usize;
    let mut quote = None;
    text.char_indices().filter(move |(_, character)| {
        match (quote, character) {
            (Some(open), _) => {
                if open == *character {
                    quote = None;
                }
                return false;
            }
            (None, '"' | '\'') => quote = Some(*character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        depth == 0 && quote.is_none()
    })
}

/// The line that upstream would write.
fn line(function: &Function, names: &Names) -> String {
    let mut parameters = Vec::new();
    let mut rest = function.parameters.as_str();
    while !rest.is_empty() {
        let end = outside(rest).find(|(_, character)| *character == ',');
        let (one, next) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        rest = next.trim_start_matches([',', ' ']);
        parameters.push(parameter(one.trim(), names));
    }
    let result = match function.result.as_str() {
        "" => String::new(),
        result => format!(" -> {}", qualified(result, names)),
    };
    let line = format!("{}({}){result}", function.name, parameters.join(", "));
    let frequent = FREQUENT.iter();
    frequent.fold(line, |line, (text, byte)| line.replace(text, byte))
}

fn parameter(text: &str, names: &Names) -> String {
    let Some((end, mark)) = outside(text).find(|(_, character)| matches!(character, ':' | '='))
    else {
        return text.to_owned();
    };
    let (name, rest) = text.split_at(end);
    let rest = qualified(rest.trim_start_matches([mark, ' ']), names);
    match mark {
        ':' => format!("{name}: {rest}"),
        _ => format!("{name} = {rest}"),
    }
}

/// An expression with the full names of classes, and without type variables, which say nothing there.
fn qualified(text: &str, names: &Names) -> String {
    let mut signature = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|character: char| {
            !(character.is_alphanumeric() || matches!(character, '_' | '.'))
        });
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        if first.is_alphabetic() || first == '_' {
            signature.push_str(&full_name(word, names));
            rest = after;
        } else if matches!(first, '"' | '\'') {
            let inside = &rest[1..];
            let (inside, after) = inside.split_once(first).unwrap_or((inside, ""));
            let _ = write!(signature, "'{inside}'");
            rest = after;
        } else if let Some(after) = rest
            .strip_prefix('[')
            .and_then(|rest| variable(rest, names))
        {
            rest = after;
        } else {
            signature.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    signature
}

/// The rest of a text that begins with `_T]`, where that is a type variable.
fn variable<'a>(text: &'a str, names: &Names) -> Option<&'a str> {
    let (inside, after) = text.split_once(']')?;
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let is_variable = inside.starts_with('_') && inside.chars().all(is_name);
    (is_variable && !names.contains_key(inside)).then_some(after)
}

/// A dotted name, whose last part that is a class has its module before it.
fn full_name(word: &str, names: &Names) -> String {
    let parts: Vec<&str> = word.split('.').collect();
    for (place, part) in parts.iter().enumerate().rev() {
        if let Some(name) = names.get(*part) {
            let rest = parts.iter().skip(place + 1);
            return rest.fold(name.clone(), |name, part| format!("{name}.{part}"));
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of(stubs: &[(&str, bool, &str)]) -> String {
        let stubs: Vec<Stub> = stubs
            .iter()
            .map(|(stem, is_inner, text)| Stub {
                stem: (*stem).into(),
                is_inner: *is_inner,
                text: (*text).into(),
            })
            .collect();
        table(&stubs).unwrap()
    }

    #[test]
    fn a_class_has_the_lines_of_its_functions() {
        let table = table_of(&[(
            "_types",
            true,
            "from collections.abc import Callable, Sequence\n\n\
             class Type:\n    \"\"\"A type.\n\n    def no(self): ...\n    \"\"\"\n\n    \
             @property\n    def typeid(self) -> int: ...\n    \
             @staticmethod\n    def parse(\n        asm: str,\n        \
             context: _Context | None = None,\n        *,\n        kind: Literal[\"a:b\"] = \"x, y\",\n    ) -> Type:\n        \
             \"\"\"Parses it.\"\"\"\n    \
             def __eq__(self, other: object, /) -> bool: ...\n\n\
             def f(x: Sequence[_T], y: ir.Type.Kind, g: Callable[[int], list[Type]]) -> None: ...\n",
        )]);
        assert!(table.contains(
            "  \"Type\\0\"\n  \"parse(asm: str, context: \\004, *, \
             kind: Literal['a:b'] = 'x, y') -> \\003Type\\0\"\n  \"\\0\"\n"
        ));
        assert!(table.contains(
            "  \"ir\\0\"\n  \"f(x: \\006Sequence, y: \\003Type.Kind, \
             g: \\006Callable[[int], list[\\003Type]]) -> None\\0\"\n"
        ));
        assert!(table.contains("ownerCount = 2"));
        assert!(!table.contains("__eq__") && !table.contains("typeid") && !table.contains("\"no"));
    }

    #[test]
    fn overloads_have_a_line_each() {
        let table = table_of(&[(
            "_operations",
            true,
            "class OpView:\n    @overload\n    def __init__(self, name: str) -> None: ...\n    \
             @overload\n    def __init__(self, op: OpView) -> None: ...\n",
        )]);
        assert!(table.contains(
            "\"__init__(self, name: str) -> None\\012__init__(self, op: \\003OpView) -> None\\0\""
        ));
    }

    #[test]
    fn a_class_of_two_modules_has_the_lines_of_its_own() {
        let text = "class Handle:\n    def get() -> Handle: ...\n";
        let table = table_of(&[("_mlirA", false, text), ("_mlirB", false, text)]);
        assert!(table.contains("\"Handle\\0\"\n  \"get() -> \\002_mlirA.Handle\\0\""));
        assert!(table.contains("\"_mlirB.Handle\\0\"\n  \"get() -> \\002_mlirB.Handle\\0\""));
    }

    #[test]
    fn places_are_sorted_by_name() {
        let table = table_of(&[(
            "_m",
            false,
            "class B:\n    def f(): ...\nclass A:\n    def g(): ...\n",
        )]);
        let (first, second) = (
            table.find("\"A\\0\"").unwrap(),
            table.find("\"B\\0\"").unwrap(),
        );
        assert!(first < second);
        // A and g() with their ends, and an empty line.
        assert!(table.contains("owners[] = {0, 7}"));
    }
}
