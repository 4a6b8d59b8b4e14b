//! The passes of each group that a bundle has.

use std::collections::BTreeSet;

use super::selection::{Selection, sorted};
use crate::catalogue::{PassGroup, Release};

/// The pass groups of one LLVM.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passes<'a>(pub(super) &'a Release<'a>);

impl<'a> Passes<'a> {
    /// Archives whose pass group is not part of the bundle. All passes at once need none of them by
    /// name, but `@all` promises each.
    pub(super) fn unasked(&self, groups: &Selection<'a>) -> BTreeSet<&'a str> {
        let all = self.0.pass_groups.iter();
        all.filter(|(name, _)| !groups.names.contains(*name))
            .map(|(_, group)| group.archive.get_ref().as_str())
            .collect()
    }

    /// The passes of a group of which a bundle with these dialects lacks some: those that it has, or
    /// those that it lacks.
    fn parts(
        &self,
        group: &PassGroup,
        dialects: &Selection<'a>,
        there: bool,
    ) -> impl Iterator<Item = &'a String> {
        let parts = self.0.pass_parts.iter();
        parts
            .filter(|part| part.group.get_ref() == group.name.get_ref())
            .filter(move |part| dialects.has_all(&part.dialects) == there)
            .flat_map(|part| &part.names)
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The functions that register a group: its own, or one for each pass where some are left out.
    pub(super) fn registered(&self, group: &PassGroup, dialects: &Selection<'a>) -> Vec<String> {
        if self.parts(group, dialects, false).next().is_none() {
            return vec![group.register.clone()];
        }
        self.parts(group, dialects, true)
            .map(|name| format!("mlirRegister{name}"))
            .collect()
    }

    /// The C API's functions for passes whose dialects the bundle excludes. They are not exported,
    /// so that the linker can drop those passes and dialects.
    pub(super) fn excluded_functions(
        &self,
        dialects: &Selection<'a>,
        groups: &Selection<'a>,
    ) -> Vec<String> {
        if groups.all {
            return Vec::new();
        }
        let chosen = groups.names.iter();
        let mut functions = Vec::new();
        for group in chosen.filter_map(|name| self.0.pass_groups.get(name)) {
            let lacking: Vec<&String> = self.parts(group, dialects, false).collect();
            if !lacking.is_empty() {
                functions.push(group.register.clone());
            }
            for name in lacking {
                functions.push(format!("mlirCreate{name}"));
                functions.push(format!("mlirRegister{name}"));
            }
        }
        sorted(functions)
    }
}

/// True if a header of the C API declares the passes of its archive, and nothing else.
pub(super) fn of_passes(header: &str) -> bool {
    header.ends_with(".capi.h.inc")
}
