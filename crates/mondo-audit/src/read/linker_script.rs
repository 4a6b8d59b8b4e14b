//! GNU linker scripts that stand in place of a shared library.

/// The file name in a GNU linker script that is `INPUT(<file name>)`, after comments, and nothing
/// else.
pub(crate) fn linker_script_input(bytes: &[u8]) -> Option<&str> {
    let mut text = std::str::from_utf8(bytes).ok()?.trim();
    while let Some(comment) = text.strip_prefix("/*") {
        text = comment.split_once("*/")?.1.trim_start();
    }
    let input = text.strip_prefix("INPUT")?.trim_start();
    let name = input.strip_prefix('(')?.strip_suffix(')')?.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    (!name.is_empty() && !name.starts_with('-') && name.chars().all(plain)).then_some(name)
}
