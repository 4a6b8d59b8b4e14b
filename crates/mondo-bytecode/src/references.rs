//! The graph of references among attributes and types, which has no cycle: MLIR makes an entry from
//! those that it refers to, and would never end.

use crate::error::Error;

/// The entries of a chain of references, along which MLIR's reader and printer recurse.
const DEPTH: u32 = 3000;

/// The references of each entry, attributes first, then types.
#[derive(Debug)]
pub(crate) struct References {
    targets: Vec<usize>,
    /// The end of each entry's references in `targets`.
    ends: Vec<usize>,
}

impl References {
    pub(crate) fn new(attributes: usize, types: usize) -> Self {
        Self {
            targets: Vec::new(),
            ends: Vec::with_capacity(attributes + types),
        }
    }

    /// Adds a reference of the present entry.
    pub(crate) fn add(&mut self, target: usize) {
        self.targets.push(target);
    }

    pub(crate) fn end_of_entry(&mut self) {
        self.ends.push(self.targets.len());
    }

    fn of(&self, entry: usize) -> &[usize] {
        let start = entry.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start..self.ends[entry]]
    }

    /// Fails if an entry refers to itself through others. `offset` is that of an entry in the file.
    pub(crate) fn have_no_cycle(&self, offset: impl Fn(usize) -> usize) -> Result<(), Error> {
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Visit {
            Never,
            Open,
            /// The number of entries of the longest chain that begins with this one.
            Done(u32),
        }
        let mut visits = vec![Visit::Never; self.ends.len()];
        // An open entry, and the number of its references that were followed.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for first in 0..self.ends.len() {
            if visits[first] == Visit::Never {
                visits[first] = Visit::Open;
                path.push((first, 0));
            }
            while let Some((entry, followed)) = path.last_mut() {
                let Some(target) = self.of(*entry).get(*followed).copied() else {
                    let below = self.of(*entry).iter().map(|target| match visits[*target] {
                        Visit::Done(depth) => depth,
                        _ => 0,
                    });
                    let depth = below.max().unwrap_or(0) + 1;
                    if depth > DEPTH {
                        let message = "attributes and types nest deeper than MLIR can follow";
                        return Err(Error::new(offset(*entry), message));
                    }
                    visits[*entry] = Visit::Done(depth);
                    path.pop();
                    continue;
                };
                *followed += 1;
                match visits[target] {
                    Visit::Done(_) => {}
                    Visit::Open => {
                        let message = "an attribute or type refers to itself";
                        return Err(Error::new(offset(target), message));
                    }
                    Visit::Never => {
                        visits[target] = Visit::Open;
                        path.push((target, 0));
                    }
                }
            }
        }
        Ok(())
    }
}
