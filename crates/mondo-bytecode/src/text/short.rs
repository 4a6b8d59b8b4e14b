//! A look at the whole of a short text, which has no room for much of what the check refuses.

/// The size up to which a text may be accepted by a look at it. It has room for no number of too many digits.
const SHORT: usize = 8192;

/// The bytes of a part, whose counts fit into a byte each.
const PART: usize = 64;

/// The weight of brackets, and the number of signs and of sigils, that a text may have: all in one another, they are
/// less than the half of what the check accepts, brackets, signs and levels of aliases alike.
const WEIGHT: usize = 1000;
const SIGNS: usize = 500;
const SIGILS: usize = 500;

/// The counts of what may nest, and whether there is a backslash.
#[derive(Debug, Default)]
struct Counts {
    weight: usize,
    signs: usize,
    sigils: usize,
    escapes: bool,
}

impl Counts {
    /// Without a branch, so that the compiler counts many bytes by one instruction.
    #[inline]
    fn add(&mut self, part: &[u8; PART]) {
        let (mut weight, mut signs, mut sigils, mut escapes) = (0, 0, 0, 0);
        for byte in part {
            let is_bracket = (*byte == b'(') | (byte | 0x20 == b'{');
            weight += u8::from(is_bracket) * 2 + u8::from(*byte == b'<');
            signs += u8::from(*byte == b'-');
            // `#` and `!`.
            sigils += u8::from(byte | 2 == b'#');
            escapes |= u8::from(*byte == b'\\');
        }
        self.weight += usize::from(weight);
        self.signs += usize::from(signs);
        self.sigils += usize::from(sigils);
        self.escapes |= escapes != 0;
    }
}

/// True if the check accepts the text, whatever the order of its brackets. False says nothing.
///
/// Strings and comments count as well. The check is not needed for text in which
///
/// - brackets, signs and aliases are too few for too deep a nesting, whatever they mean;
/// - no string can go on behind the end: no backslash is there, by which a string would go over the end of its line,
///   and no quote in the last line;
/// - no digit follows `#`, as in the number of a result, and `-#` does not, with which resources begin.
pub(super) fn is_harmless(text: &[u8]) -> bool {
    if text.len() > SHORT {
        return false;
    }
    let (parts, rest) = text.as_chunks();
    let mut last = [0; PART];
    last[..rest.len()].copy_from_slice(rest);
    let mut all = Counts::default();
    for part in parts.iter().chain([&last]) {
        all.add(part);
    }
    let Counts {
        weight,
        signs,
        sigils,
        escapes,
    } = all;
    if escapes || weight > WEIGHT || signs > SIGNS || sigils > SIGILS {
        return false;
    }
    if sigils != 0 && has_number_or_resources(text) {
        return false;
    }
    let last = text.iter().rposition(|byte| *byte == b'\n');
    let last = &text[last.map_or(0, |newline| newline + 1)..];
    !last.contains(&b'"')
}

/// True if there is a `#` in front of a digit, or behind a `-`.
fn has_number_or_resources(text: &[u8]) -> bool {
    let behind = text.get(1..).unwrap_or_default();
    let pairs = text.iter().zip(behind);
    let found = pairs.fold(0, |found, (one, two)| {
        let number = (*one == b'#') & two.is_ascii_digit();
        let resources = (*one == b'-') & (*two == b'#');
        found | u8::from(number | resources)
    });
    found != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_check_looks_for_is_not_accepted_by_a_look() {
        let sound = "module {\n  // \"a\"\n  %0 = \"t.a\"() : () -> !t.b<#a>\n}\n";
        assert!(is_harmless(sound.as_bytes()));
        assert!(is_harmless(b""));
        for other in ["\"", "\\", "%0#1", "{-#", "-#"] {
            assert!(
                !is_harmless(format!("{sound}{other}").as_bytes()),
                "{other}"
            );
        }
        for (one, fits) in [
            ("(", WEIGHT / 2),
            ("[", WEIGHT / 2),
            ("{", WEIGHT / 2),
            ("<", WEIGHT),
            ("-", SIGNS),
            ("#", SIGILS),
            ("!", SIGILS),
            ("a", SHORT),
        ] {
            assert!(is_harmless(one.repeat(fits).as_bytes()), "{one}");
            assert!(!is_harmless(one.repeat(fits + 1).as_bytes()), "{one}");
        }
    }
}
