//! Modules of operations: the types of parameters, and docstrings.

use std::collections::BTreeMap;

use super::kinds::Kinds;

const FIRST_IMPORT: &str = "from ._ods_common import _cext as _ods_cext\n";
const LAST_IMPORT: &str = "import builtins\n";

const TYPES: &str = "import typing as _typing\n\nif _typing.TYPE_CHECKING:\n    from . import _ods_types as _t\nelse:\n    \
     from ._ods_common import annotations_of_stubs as _t\n\n";

/// The beginning of the type of what a builder returns if the number of results depends on its arguments. Checkers would
/// have callers distinguish cases that they know.
const SEVERAL: &str = "_Union[_ods_ir.OpResult, _ods_ir.OpResultList, ";

/// Functions of `_ods_common` that explain what is wrong with an argument.
const HELPERS: &str = "from ._ods_common import _attribute as _ods_attribute, _operands as _ods_operands, \
     _types_like as _ods_types_like\n";

/// The module with annotated parameters and a docstring for each class and function. A text of
/// another form is returned as it is.
pub(super) fn annotate(text: &str, kinds: &Kinds) -> String {
    if !text.contains(FIRST_IMPORT) || !text.contains(LAST_IMPORT) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len() * 9 / 8);
    let mut class: Option<Class<'_>> = None;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if line.starts_with("class ") && line.ends_with("(_ods_ir.OpView):") {
            let end = at
                + 1
                + lines[at + 1..]
                    .iter()
                    .take_while(|line| is_inside(line))
                    .count();
            let found = Class::of(&lines[at..end], kinds);
            found.write(&lines[at..end], &mut out);
            class = Some(found);
            at = end;
            continue;
        }
        match &class {
            Some(class) if line.starts_with("def ") => {
                let call = lines.get(at + 1).copied().unwrap_or("");
                class.write_builder(line, call, &mut out);
            }
            _ => push(&mut out, line),
        }
        at += 1;
    }
    let out = with_helpers(&out);
    out.replacen(FIRST_IMPORT, &format!("{FIRST_IMPORT}{HELPERS}"), 1)
        .replacen(LAST_IMPORT, &format!("{LAST_IMPORT}{TYPES}"), 1)
}

/// Returns the module with the expressions that [`HELPERS`] replace turned into calls of these functions.
fn with_helpers(text: &str) -> String {
    const OPERANDS: &str = "operands.extend(_get_op_results_or_values(";
    const TYPES: (&str, &str) = (
        "results = [operands[0].type] * ",
        "results = _ods_types_like(operands[0], ",
    );
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut behind = lines.clone();
        if let Some(call) = attribute_call(line, &mut behind) {
            push(&mut out, &call);
            lines = behind;
        } else if let Some((before, count)) = line.split_once(TYPES.0) {
            push(&mut out, &format!("{before}{}{count})", TYPES.1));
        } else {
            push(
                &mut out,
                &line.replace(OPERANDS, "operands.extend(_ods_operands("),
            );
        }
    }
    out
}

/// Turns mlir-tblgen's assignment of an attribute, which has four lines, into one call. Returns none if `line` does
/// not begin such an assignment.
fn attribute_call<'a>(line: &str, behind: &mut impl Iterator<Item = &'a str>) -> Option<String> {
    let (target, name) = line.strip_suffix(" if (")?.split_once(" = (")?;
    let mut next = || behind.next().map(str::trim_start);
    let is_attribute = format!("isinstance({name}, _ods_ir.Attribute) or");
    next().filter(|line| *line == is_attribute)?;
    let kind = next()?.strip_prefix("not _ods_ir.AttrBuilder.contains(")?;
    let kind = kind.strip_suffix(")) else")?;
    let build = format!("_ods_ir.AttrBuilder.get({kind})({name}, context=_ods_context))");
    next().filter(|line| *line == build)?;
    Some(format!(
        "{target} = _ods_attribute({name}, {kind}, _ods_context)"
    ))
}

/// True if a line belongs to the class before it. A docstring may have lines of any indent.
fn is_inside(line: &str) -> bool {
    !["@", "class ", "def "]
        .iter()
        .any(|begin| line.starts_with(begin))
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The class of an operation.
struct Class<'a> {
    name: &'a str,
    /// The name in MLIR.
    operation: &'a str,
    /// The indent of its members.
    indent: &'a str,
    /// The prefix of its docstring's quotes, `r` or nothing, or none without a docstring.
    quotes: Option<&'a str>,
    /// The first sentence of the docstring, escaped as it is there.
    sentence: String,
    /// The types of the constructor's parameters.
    types: BTreeMap<&'a str, String>,
}

impl<'a> Class<'a> {
    fn of(lines: &[&'a str], kinds: &Kinds) -> Self {
        let header = lines[0].trim_start_matches("class ");
        let name = header.split('(').next().unwrap_or(header);
        let declared = lines
            .iter()
            .find(|line| line.trim_start().starts_with("OPERATION_NAME = "));
        let declared = declared.copied().unwrap_or("  OPERATION_NAME = \"\"");
        let body = declared.trim_start();
        let indent = &declared[..declared.len() - body.len()];
        let operation = body
            .trim_start_matches("OPERATION_NAME = ")
            .trim_matches('"');
        let first = lines.get(1).copied().unwrap_or("").trim_start();
        let quotes = first.split_once("\"\"\"").map(|(before, _)| before);
        let quotes = quotes.filter(|prefix| matches!(*prefix, "" | "r"));
        let sentence = quotes.map_or_else(String::new, |quotes| {
            let rest = &first[quotes.len() + 3..];
            sentence(std::iter::once(rest).chain(lines[2..].iter().copied()))
        });
        Self {
            name,
            operation,
            indent,
            quotes,
            sentence,
            types: types(lines, kinds),
        }
    }

    fn write(&self, lines: &[&str], out: &mut String) {
        push(out, lines[0]);
        let mut rest = &lines[1..];
        if self.quotes.is_none() {
            let Self {
                indent, operation, ..
            } = self;
            push(
                out,
                &format!("{indent}\"\"\"The operation `{operation}`.\"\"\"\n"),
            );
            rest = rest.strip_prefix(&[""]).unwrap_or(rest);
        }
        for line in rest {
            match line.trim_start().strip_prefix("def __init__(") {
                Some(declared) if declared.ends_with("):") => {
                    let parameters = declared.trim_end_matches("):");
                    let annotated = self.annotated(parameters, Some);
                    push(out, &format!("{}def __init__({annotated}):", self.indent));
                }
                // The setter of an attribute that is there or not.
                _ if line.ends_with("(self, value):") => {
                    let begin = line.trim_end_matches("value):");
                    push(out, &format!("{begin}value: builtins.bool):"));
                }
                _ => push(out, line),
            }
        }
    }

    /// The function that calls the constructor.
    fn write_builder(&self, line: &str, call: &str, out: &mut String) {
        let passed = call
            .split_once(&format!("{}(", self.name))
            .and_then(|(_, rest)| rest.split_once(')'))
            .map(|(arguments, _)| arguments);
        let split = line.split_once('(').zip(line.rsplit_once(") -> "));
        let (Some(passed), Some(((begin, _), (before, end)))) = (passed, split) else {
            push(out, line);
            return;
        };
        let passed: BTreeMap<&str, &str> = passed
            .split(", ")
            .filter_map(|argument| argument.split_once('='))
            .map(|(parameter, argument)| (argument, parameter))
            .collect();
        let annotated =
            self.annotated(&before[begin.len() + 1..], |name| passed.get(name).copied());
        let end = match end.starts_with(SEVERAL) {
            true => "_t.Results:",
            false => end,
        };
        push(out, &format!("{begin}({annotated}) -> {end}"));
        let Self {
            indent,
            operation,
            sentence,
            ..
        } = self;
        let quotes = self.quotes.unwrap_or("");
        let text = if sentence.is_empty() {
            "."
        } else {
            &format!(": {sentence}")
        };
        push(
            out,
            &format!("{indent}{quotes}\"\"\"Builds `{operation}`{text}\"\"\""),
        );
    }

    /// Annotates `parameters` with the types of the constructor's parameters. `of` maps a parameter's name to the
    /// constructor's parameter that it corresponds to.
    fn annotated<'b>(
        &self,
        parameters: &'b str,
        of: impl Fn(&'b str) -> Option<&'b str>,
    ) -> String {
        let annotated = parameters.split(", ").map(|parameter| {
            let (name, default) = match parameter.split_once('=') {
                Some((name, default)) => (name, Some(default)),
                None => (parameter, None),
            };
            let Some(kind) = of(name).and_then(|kind| self.types.get(kind)) else {
                return parameter.to_owned();
            };
            match default {
                None => format!("{name}: {kind}"),
                Some(_) if kind.ends_with(" | None") || matches!(name, "loc" | "ip") => {
                    format!("{name}: {kind} = None")
                }
                Some(default) => format!("{name}: {kind} | None = {default}"),
            }
        });
        annotated.collect::<Vec<_>>().join(", ")
    }
}

/// The first sentence of the first paragraph; empty where that is not a text.
fn sentence<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for line in lines {
        let end = line.find("\"\"\"");
        let line = line[..end.unwrap_or(line.len())].trim();
        let inside = line.match_indices(". ").map(|(at, _)| at);
        let sentence_ends = inside
            .chain(line.ends_with('.').then(|| line.len() - 1))
            .find(|at| {
                !["i.e", "e.g"]
                    .iter()
                    .any(|short| line[..*at].ends_with(short))
            });
        if !text.is_empty() && !line.is_empty() {
            text.push(' ');
        }
        text.push_str(&line[..sentence_ends.map_or(line.len(), |at| at + 1)]);
        if sentence_ends.is_some() || end.is_some() || (line.is_empty() && !text.is_empty()) {
            break;
        }
    }
    let is_text = text
        .starts_with(|character: char| character.is_alphanumeric() || "`%$".contains(character))
        && !text.starts_with("```")
        && !text.starts_with("Syntax");
    if !is_text {
        return String::new();
    }
    // The quotes that end the docstring follow.
    if text.ends_with(['"', '\\']) {
        text.push(' ');
    }
    text
}

/// The types of the constructor's parameters, by what its body does with them.
fn types<'a>(lines: &[&'a str], kinds: &Kinds) -> BTreeMap<&'a str, String> {
    let mut properties = BTreeMap::new();
    let mut body = Vec::new();
    let mut parameters: Vec<&'a str> = Vec::new();
    for line in lines {
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix("def ") {
            if let Some((name, result)) = rest.split_once("(self) -> ") {
                properties.insert(name, result.trim_end_matches(':'));
            } else if let Some(rest) = rest.strip_prefix("__init__(self, ") {
                let declared = rest.trim_end_matches("):").split(", ");
                parameters = declared
                    .map(|parameter| parameter.split('=').next().unwrap_or(parameter))
                    .filter(|parameter| *parameter != "*")
                    .collect();
            }
        }
        if !parameters.is_empty() && properties.is_empty() {
            body.push(line);
        }
    }
    let body = body.join("\n");
    let is_in = |text: String| body.contains(&text);
    let result = |name: &str| properties.get(name).copied().unwrap_or("");
    let mut types = BTreeMap::new();
    for name in parameters {
        let optional = if is_in(format!("if {name} is not None")) {
            " | None"
        } else {
            ""
        };
        let property = result(name);
        let optional_slot = if property.starts_with("_Optional[") {
            " | None"
        } else {
            optional
        };
        let kind = match name {
            "loc" => "_t.Loc".to_owned(),
            "ip" => "_t.Place".to_owned(),
            "results" => "_t.Types | None".to_owned(),
            _ if is_in(format!("_get_op_results_or_values({name})")) => "_t.Operands".to_owned(),
            _ if is_in(format!("operands.append({name})")) => {
                format!("_t.Operand{optional_slot}")
            }
            _ if is_in(format!("_ods_successors.append({name})")) => "_ods_ir.Block".to_owned(),
            _ if is_in(format!("_ods_successors.extend({name})")) => "_t.Blocks".to_owned(),
            _ if is_in(format!("results.append({name})")) => {
                if property.contains("OpResultList") {
                    "_t.Types".to_owned()
                } else {
                    format!("_ods_ir.Type{optional_slot}")
                }
            }
            _ if is_in(format!("results.extend({name})")) => "_t.Types".to_owned(),
            // A parameter that stands for a property, and not for an attribute, has no effect in LLVM 22: the
            // constructor does not use it.
            _ if !is_used(&body, name) => "builtins.object".to_owned(),
            _ if is_in(format!("+ {name}")) => "builtins.int".to_owned(),
            _ if is_in(format!("if bool({name}):")) => "builtins.bool | None".to_owned(),
            _ => {
                let kind = kind_of(&body, name).map_or("Attr", |kind| kinds.type_of(kind));
                format!("_t.{kind}{optional}")
            }
        };
        types.insert(name, kind);
    }
    types
}

/// True if the body of a constructor, behind its first line, has this name.
fn is_used(body: &str, name: &str) -> bool {
    let body = body.split_once('\n').map_or("", |(_, rest)| rest);
    let word = |character: char| character == '_' || character.is_alphanumeric();
    body.split(|c| !word(c)).any(|part| part == name)
}

/// The kind of the attribute that the constructor makes of a parameter.
fn kind_of<'b>(body: &'b str, parameter: &str) -> Option<&'b str> {
    const GET: &str = "AttrBuilder.get(";
    body.match_indices(GET).find_map(|(at, _)| {
        let rest = &body[at + GET.len() + 1..];
        let (kind, after) = rest.split_once(['\'', '"'])?;
        let after = after.strip_prefix(")(")?.strip_prefix(parameter)?;
        after.starts_with(", ").then_some(kind)
    })
}
