//! Declarations of functions at file scope in C: enough of the language to tell which functions a
//! header declares, from its text or from what the preprocessor made of it.

/// A declaration that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// The line of its first word, as the caller counts lines.
    pub line: usize,
    /// The arguments of a macro that is called at file scope, or none for a function.
    pub arguments: Option<Vec<String>>,
}

/// Finds the declarations in numbered lines without comments and preprocessor directives. Functions
/// that are static, inline or hidden by an attribute are not among them, nor are definitions.
#[must_use]
pub fn declarations<'a>(lines: impl IntoIterator<Item = (usize, &'a str)>) -> Vec<Declaration> {
    let mut scan = Scan::default();
    for (number, line) in lines {
        scan.line(number, line);
    }
    scan.cut_off();
    scan.found
}

/// The lines that C sees and not those for C++ alone, as far as conditions on `__cplusplus` say so. Other lines keep
/// their numbers.
#[must_use]
pub fn for_c(text: &str) -> String {
    let text = without_comments(text);
    let mut out = String::with_capacity(text.len());
    // A stack of the open preprocessor conditions: true if this branch is for C++ alone, false if it is for C
    // alone, none for a condition on anything else.
    let mut open: Vec<Option<bool>> = Vec::new();
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let (word, rest) = directive.map_or(("", ""), |directive| {
            directive.split_at(
                directive
                    .find(|c: char| !c.is_ascii_alphabetic())
                    .unwrap_or(directive.len()),
            )
        });
        match word {
            "ifdef" | "ifndef" | "if" => open.push(
                rest.contains("__cplusplus")
                    .then(|| word != "ifndef" && !rest.contains('!')),
            ),
            "else" | "elif" => {
                if let Some(Some(cpp)) = open.last_mut() {
                    *cpp = !*cpp;
                }
            }
            "endif" => {
                open.pop();
            }
            _ if open.contains(&Some(true)) => {}
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// The text without comments and preprocessor directives, which leave their line ends behind.
#[must_use]
pub fn bare(text: &str) -> String {
    let text = without_comments(text);
    let mut bare = String::with_capacity(text.len());
    let mut goes_on = false;
    for line in text.lines() {
        let directive = goes_on || line.trim_start().starts_with('#');
        goes_on = directive && line.trim_end().ends_with('\\');
        if !directive {
            bare.push_str(line);
        }
        bare.push('\n');
    }
    bare
}

/// The same text with blanks in place of comments; strings are left alone.
#[must_use]
pub fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = if rest.starts_with("//") {
            out.push(' ');
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").map_or(rest.len(), |end| end + 4);
            out.push(' ');
            out.extend(rest[..end].chars().filter(|c| *c == '\n'));
            end
        } else if c == '"' || c == '\'' {
            let end = literal(rest, c);
            out.push_str(&rest[..end]);
            end
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[end..];
    }
    out
}

/// The end of the literal at the start of `text`, on the same line at the latest.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[derive(Default)]
struct Scan {
    found: Vec<Declaration>,
    /// The text of the declaration that is being read, in which `{}` replaces each body.
    text: String,
    start: usize,
    depth: usize,
    /// True in the body of a function, which no semicolon follows.
    in_function: bool,
}

impl Scan {
    fn line(&mut self, number: usize, line: &str) {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let end = if c == '"' || c == '\'' {
                literal(rest, c)
            } else {
                c.len_utf8()
            };
            let (word, after) = rest.split_at(end);
            self.word(number, word);
            rest = after;
        }
        self.text.push(' ');
    }

    fn word(&mut self, number: usize, word: &str) {
        match (word, self.depth) {
            ("{", 0) if linkage(&self.text) => self.text.clear(),
            ("{", 0) => {
                self.depth = 1;
                self.in_function = without_attributes(&self.text).trim_end().ends_with(')');
                self.text.push_str("{}");
            }
            ("{", _) => self.depth += 1,
            // The end of `extern "C"`.
            ("}", 0) => self.cut_off(),
            ("}", _) => {
                self.depth -= 1;
                if self.depth == 0 && self.in_function {
                    self.text.clear();
                }
            }
            (_, 1..) => {}
            (";", _) => {
                let text = std::mem::take(&mut self.text);
                self.finish(&text);
            }
            _ => {
                if self.text.trim().is_empty() {
                    self.start = number;
                }
                self.text.push_str(word);
            }
        }
    }

    /// Takes what no semicolon follows: the call of a macro, which may bring its own.
    fn cut_off(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim_end().ends_with(')') {
            self.finish(&text);
        }
    }

    /// Takes a declaration without its semicolon.
    fn finish(&mut self, text: &str) {
        if text.contains("{}") || text.contains("visibility(\"hidden\")") {
            return;
        }
        let text = without_attributes(text).replace("extern \"C\"", "extern ");
        let Some(open) = text.find('(') else { return };
        let (before, after) = (text[..open].trim(), &text[open + 1..]);
        let name = before
            .rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .next()
            .unwrap_or_default();
        let kind = &before[..before.len() - name.len()];
        let mut words = kind.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let other = |word: &str| NOT_FUNCTIONS.contains(&word);
        if name.is_empty() || other(name) || words.any(other) || kind.contains('=') {
            return;
        }
        // A variable that points to a function has its name in the parentheses.
        if after.trim_start().starts_with('*') || TYPES.contains(&name) {
            return;
        }
        if !kind.trim().is_empty() {
            self.add(name, None);
            return;
        }
        let Some(close) = closing(after) else { return };
        let arguments = after[..close]
            .split(',')
            .map(|argument| argument.trim().to_owned());
        self.add(name, Some(arguments.collect()));
        // The semicolon of this declaration may have been left out, so that another one follows the
        // parenthesis.
        self.finish(&after[close + 1..]);
    }

    fn add(&mut self, name: &str, arguments: Option<Vec<String>>) {
        self.found.push(Declaration {
            name: name.to_owned(),
            line: self.start,
            arguments,
        });
    }
}

/// Words that begin or belong to something else than the declaration of an exported function.
const NOT_FUNCTIONS: [&str; 12] = [
    "typedef",
    "static",
    "inline",
    "__inline",
    "__inline__",
    "_Static_assert",
    "static_assert",
    "using",
    "template",
    "namespace",
    "operator",
    "friend",
];

/// Types whose name stands before the parenthesis of a pointer to a function.
const TYPES: [&str; 9] = [
    "void", "bool", "char", "short", "int", "long", "float", "double", "unsigned",
];

fn linkage(text: &str) -> bool {
    text.trim_end().ends_with("extern \"C\"")
}

/// The text without what compilers' extensions put between the words of a declaration.
fn without_attributes(text: &str) -> String {
    let mut text = text.replace("__extension__", " ");
    for word in ["__attribute__", "__asm__", "asm"] {
        let mut from = 0;
        while let Some(at) = text[from..].find(word).map(|at| at + from) {
            let inside = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let after = text[at + word.len()..].trim_start();
            let end = after.strip_prefix('(').and_then(closing);
            match end {
                Some(end) if !inside => {
                    let end = text.len() - after.len() + end + 2;
                    text.replace_range(at..end, " ");
                }
                _ => from = at + word.len(),
            }
        }
    }
    text
}

/// The place of the parenthesis that closes one which stands before `text`.
#[must_use]
pub fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let bare = bare(text);
        let found = declarations(bare.lines().enumerate().map(|(at, line)| (at + 1, line)));
        let shown = found
            .into_iter()
            .map(|declaration| match declaration.arguments {
                Some(arguments) => format!(
                    "{}:{}({})",
                    declaration.line,
                    declaration.name,
                    arguments.join(" ")
                ),
                None => format!("{}:{}", declaration.line, declaration.name),
            });
        shown.collect()
    }

    #[test]
    fn lines_for_cpp_alone_are_dropped() {
        let text = "#pragma once\n#ifdef __cplusplus\nnamespace x { class Y; }\nextern \"C\" {\n#else\nint in_c;\n#endif\n\
                    #if A\nint a(void);\n#if defined(__cplusplus) // C++\nclass Z;\n#endif\n#else\nint b(void);\n#endif\n\
                    #ifndef __cplusplus\nint c;\n#else\nint d;\n#endif\n#if !defined(__cplusplus)\nint e;\n#endif\n";
        let lines = for_c(text);
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines.len(), text.lines().count());
        assert_eq!(lines[5], "int in_c;");
        let kept: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        let expected = [
            "#pragma once",
            "int in_c;",
            "int a(void);",
            "int b(void);",
            "int c;",
            "int e;",
        ];
        assert_eq!(kept, expected);
    }

    #[test]
    fn functions_are_told_from_all_else() {
        let text = r#"
/* void no(void); */ #define X void no2(void);
#ifdef __cplusplus
extern "C" {
#endif
typedef struct { void (*f)(int); } S; // void no3(void);
enum E { A = (1), B };
MLIR_DECLARE(Toy, toy);
API int one(S (*f)(int),
            void *x); void two(void);
static inline int no4(int x) { return g(x); }
void (*no5)(int);
extern int no6;
__attribute__((visibility("hidden"))) void no7(void);
__attribute__((visibility("default"))) const struct S * __attribute__((cold)) three(void) __attribute__((nonnull(1)));
typedef int (*no8)(void);
int no9 = sizeof(int);
DEFINE(A)
extern "C" bool four();
_Static_assert(sizeof(int) == 4, "x;{");
inline void no10();
int no11(void) { if (1) { } return 0; }
unsigned five
  (int);
#ifdef __cplusplus
}
#endif
"#;
        assert_eq!(
            names(text),
            [
                "8:MLIR_DECLARE(Toy toy)",
                "9:one",
                "10:two",
                "15:three",
                "18:DEFINE(A)",
                "18:four",
                "23:five"
            ]
        );
    }

    #[test]
    fn what_is_cut_off_is_no_trouble() {
        for text in [
            "",
            "{",
            "}",
            "}}}",
            "void f(",
            "\"",
            "/*",
            "f(;",
            ";;",
            "= (",
            "é(é);",
            "__attribute__((x",
        ] {
            assert!(names(text).is_empty(), "{text}");
        }
    }
}
