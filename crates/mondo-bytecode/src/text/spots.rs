//! Places in a line that may come again with numbers of other widths.

/// The steps of a line: parts without digits, with numbers between them.
pub(super) const STEPS: usize = 16;

/// The offsets in a line at which its steps begin.
pub(super) type Starts = [u8; STEPS];

/// A place in a line, whatever the widths of the numbers before it: in a step of the line (`lines.rs`), and the bytes
/// behind that step's beginning.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spot {
    pub(super) step: u8,
    pub(super) offset: u8,
}

impl Spot {
    /// The place that an offset is in a line of which the steps are not known.
    pub(super) fn of(offset: usize) -> Option<Self> {
        let offset = u8::try_from(offset).ok()?;
        Some(Self { step: 0, offset })
    }

    /// The offset in a line whose steps begin at these.
    #[inline(always)]
    pub(super) fn offset(self, starts: &Starts) -> usize {
        usize::from(starts[usize::from(self.step) % starts.len()]) + usize::from(self.offset)
    }
}
