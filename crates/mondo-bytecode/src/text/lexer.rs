//! The ends of strings and comments, as MLIR's lexer sees them.

/// The offset of the last byte of the string that begins at `start`, or of the end of its line: no string has
/// more than one. None where the text ends first.
pub(super) fn end_of_string(text: &[u8], start: usize) -> Option<usize> {
    const BLOCK: usize = 32;
    let ends = |byte: u8| (byte == b'"') | (byte == b'\n') | (byte == b'\\');
    let mut at = start + 1;
    let mut next_block = at + BLOCK;
    loop {
        match text.get(at)? {
            b'"' | b'\n' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
        if at < next_block {
            continue;
        }
        // Without a branch for each byte, of which the data of a resource has many.
        while let Some(block) = text.get(at..at + BLOCK)
            && !block.iter().fold(false, |found, byte| found | ends(*byte))
        {
            at += BLOCK;
        }
        next_block = at + BLOCK;
    }
}

pub(super) fn end_of_line(text: &[u8], start: usize) -> usize {
    let newline = text[start..].iter().position(|byte| *byte == b'\n');
    newline.map_or(text.len(), |newline| start + newline)
}
