//! The extent of a run: the part of the project's checks that it covers.

/// The part of each group that a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every part of the project once, in minutes: the gate.
    Gate,
    /// All that there is: every night, and before work is called done on what only this covers.
    All,
}

impl Extent {
    /// By the flag `--all` of the command line.
    #[must_use]
    pub fn new(all: bool) -> Self {
        if all { Self::All } else { Self::Gate }
    }

    /// Its name in `MONDO_EXTENT`, which the suites in Python read.
    #[must_use]
    pub fn name(self) -> &'static str {
        if self.is_all() { "all" } else { "gate" }
    }

    /// True for a run of all that there is.
    #[must_use]
    pub fn is_all(self) -> bool {
        self == Self::All
    }

    /// The first ones in the gate, else all of them.
    #[must_use]
    pub fn first<T>(self, gate: usize, all: &[T]) -> &[T] {
        if self.is_all() { all } else { &all[..gate] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_has_the_first_ones() {
        let all = ["core", "default"];
        assert_eq!(Extent::new(false).first(1, &all), ["core"]);
        assert_eq!(Extent::new(true).first(1, &all), all);
    }
}
