//! The graph of references among attributes and types, which has no cycle: MLIR makes an entry from
//! those that it refers to, and would never end.

use crate::error::Error;

/// The entries of a chain of references, along which MLIR's reader and printer recurse.
const DEPTH: u32 = 3000;

/// The depth of an entry that is not known yet.
const UNKNOWN: u32 = 0;

/// The references of the entries, attributes first, then types. An entry that refers to earlier ones only
/// has its depth at once; the others wait for the end.
#[derive(Debug)]
pub(crate) struct References {
    /// The number of entries of the longest chain that begins with each entry.
    depths: Vec<u32>,
    waiting: Vec<Waiting>,
    targets: Vec<usize>,
    /// The depth below the present entry, and whether one that it refers to has none yet.
    below: u32,
    waits: bool,
}

/// An entry that refers to later ones.
#[derive(Debug)]
struct Waiting {
    entry: usize,
    /// Its offset in the file.
    at: usize,
    /// The end of its references in `targets`.
    end: usize,
}

impl References {
    pub(crate) fn new(entries: usize) -> Self {
        Self {
            depths: vec![UNKNOWN; entries],
            waiting: Vec::new(),
            targets: Vec::new(),
            below: 0,
            waits: false,
        }
    }

    /// Adds a reference of the present entry.
    #[inline]
    pub(crate) fn add(&mut self, target: usize) {
        let depth = self.depths[target];
        self.below = self.below.max(depth);
        self.waits |= depth == UNKNOWN;
        self.targets.push(target);
    }

    /// The depths of the first `entries`, for the caller to set those of entries with known references.
    pub(crate) fn depths(&mut self, entries: usize) -> &mut [u32] {
        &mut self.depths[..entries]
    }

    /// Ends the present entry, which is at an offset in the file.
    #[inline]
    pub(crate) fn end_of_entry(&mut self, entry: usize, at: usize) -> Result<(), Error> {
        let below = std::mem::take(&mut self.below);
        if std::mem::take(&mut self.waits) {
            let end = self.targets.len();
            self.waiting.push(Waiting { entry, at, end });
            return Ok(());
        }
        self.targets
            .truncate(self.waiting.last().map_or(0, |before| before.end));
        self.depths[entry] = one_more(below, at)?;
        Ok(())
    }

    fn of(&self, index: usize) -> &[usize] {
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.waiting[before].end);
        &self.targets[start..self.waiting[index].end]
    }

    /// Fails if an entry refers to itself through others.
    pub(crate) fn have_no_cycle(mut self) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut places = vec![None; self.depths.len()];
        for (index, waiting) in self.waiting.iter().enumerate() {
            places[waiting.entry] = Some(index);
        }
        let mut open = vec![false; self.waiting.len()];
        // One of the entries that wait, and the number of its references that were followed.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for first in 0..self.waiting.len() {
            if self.depths[self.waiting[first].entry] == UNKNOWN {
                open[first] = true;
                path.push((first, 0));
            }
            while let Some((index, followed)) = path.last_mut() {
                let index = *index;
                let Some(target) = self.of(index).get(*followed).copied() else {
                    let below = self
                        .of(index)
                        .iter()
                        .map(|target| self.depths[*target])
                        .max();
                    let Waiting { entry, at, .. } = self.waiting[index];
                    self.depths[entry] = one_more(below.unwrap_or(0), at)?;
                    path.pop();
                    continue;
                };
                *followed += 1;
                let Some(place) = places[target].filter(|_| self.depths[target] == UNKNOWN) else {
                    continue;
                };
                if std::mem::replace(&mut open[place], true) {
                    let message = "an attribute or type refers to itself";
                    return Err(Error::new(self.waiting[place].at, message));
                }
                path.push((place, 0));
            }
        }
        Ok(())
    }
}

/// True if a depth is known, and an entry may refer to the one that has it.
#[inline(always)]
pub(crate) fn has_room(depth: u32) -> bool {
    depth.wrapping_sub(UNKNOWN + 1) < DEPTH - 1
}

#[inline]
fn one_more(below: u32, at: usize) -> Result<u32, Error> {
    if below < DEPTH {
        return Ok(below + 1);
    }
    let message = "attributes and types nest deeper than MLIR can follow";
    Err(Error::new(at, message))
}
