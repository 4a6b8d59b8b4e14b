//! How the operands and results of an operation are divided into the groups that ODS names.

use crate::attributes::{I32Array, I32ArrayAttr};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{Block, Op, Region, Value};

/// How many values, regions or successors a group has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// Any number.
    Variadic,
}

/// What ODS declares of an operation.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) operands: &'static [Count],
    pub(super) results: &'static [Count],
    pub(super) regions: &'static [Count],
    pub(super) successors: &'static [Count],
    /// Whether attributes have the sizes of the groups.
    pub(super) operand_segments: bool,
    pub(super) result_segments: bool,
}

/// The parts of an operation when it was looked at.
#[derive(Debug, Clone)]
pub(super) struct Parts<'call, 'ctx> {
    pub(super) op: Op<'call, 'ctx>,
    pub(super) operands: Groups<Value<'call, 'ctx>>,
    pub(super) results: Groups<Value<'call, 'ctx>>,
    pub(super) regions: Groups<Region<'call, 'ctx>>,
    pub(super) successors: Groups<Block<'call, 'ctx>>,
}

/// Things one after another, and where each group ends.
#[derive(Debug, Clone)]
pub(super) struct Groups<T> {
    all: Vec<T>,
    /// None where each group is of one thing.
    ends: Option<Vec<usize>>,
}

impl<T> Groups<T> {
    /// The things of a group; none where there is no such group.
    pub(super) fn group(&self, index: usize) -> &[T] {
        let end = |index: usize| match &self.ends {
            Some(ends) => ends.get(index).copied(),
            None => Some(index + 1),
        };
        let start = index.checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(index)).map(|(start, end)| start..end);
        range.and_then(|range| self.all.get(range)).unwrap_or(&[])
    }
}

impl Shape {
    /// The parts of an operation of this name and this shape.
    pub(super) fn parts<'call, 'ctx>(&self, op: Op<'call, 'ctx>) -> Result<Parts<'call, 'ctx>> {
        let failed = |why: String| Error::new(ErrorKind::Cast, why);
        if op.name() != self.name {
            return Err(failed(format!("`{}` is not `{}`", op.name(), self.name)));
        }
        let unfit = |what: &str, number: usize| {
            failed(format!(
                "`{}` has {number} {what}, which are not those that ODS declares",
                self.name
            ))
        };
        let segments = |name: &str, is: bool| {
            let sizes = is.then(|| op.attribute(name)?.downcast::<I32Array>());
            sizes.map(|sizes| sizes.map_or_else(Vec::new, I32ArrayAttr::values))
        };
        let operands = segments("operandSegmentSizes", self.operand_segments);
        let results = segments("resultSegmentSizes", self.result_segments);
        Ok(Parts {
            op,
            operands: divided(op.operands(), self.operands, operands)
                .map_err(|number| unfit("operands", number))?,
            results: divided(op.results(), self.results, results)
                .map_err(|number| unfit("results", number))?,
            regions: divided(op.regions(), self.regions, None)
                .map_err(|number| unfit("regions", number))?,
            successors: divided(op.successors(), self.successors, None)
                .map_err(|number| unfit("successors", number))?,
        })
    }
}

/// The groups of things; the number of things where these groups do not have so many.
fn divided<T>(
    all: Vec<T>,
    counts: &[Count],
    segments: Option<Vec<i32>>,
) -> std::result::Result<Groups<T>, usize> {
    let number = all.len();
    if counts.iter().all(|count| *count == Count::One) && segments.is_none() {
        let fits = number == counts.len();
        return fits.then_some(Groups { all, ends: None }).ok_or(number);
    }
    let sizes: Vec<usize> = match segments {
        Some(sizes) => {
            let sizes = sizes.iter().map(|size| usize::try_from(*size));
            sizes
                .collect::<std::result::Result<_, _>>()
                .map_err(|_| number)?
        }
        None => {
            let open = counts.iter().filter(|count| **count != Count::One).count();
            let rest = number.checked_sub(counts.len() - open).ok_or(number)?;
            // Several groups without sizes have the same number of things each.
            let each = rest.checked_div(open).unwrap_or(0);
            counts
                .iter()
                .map(|count| if *count == Count::One { 1 } else { each })
                .collect()
        }
    };
    let fits = |(count, size): (&Count, &usize)| match count {
        Count::One => *size == 1,
        Count::Optional => *size <= 1,
        Count::Variadic => true,
    };
    if sizes.len() != counts.len() || !counts.iter().zip(&sizes).all(fits) {
        return Err(number);
    }
    let mut ends = Vec::with_capacity(sizes.len());
    let mut end = 0_usize;
    for size in sizes {
        end = end.checked_add(size).ok_or(number)?;
        ends.push(end);
    }
    if end == number {
        let ends = Some(ends);
        Ok(Groups { all, ends })
    } else {
        Err(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_found_and_numbers_that_do_not_fit_are_refused() {
        use Count::{One, Optional, Variadic};
        let groups = |number: usize, counts: &[Count], sizes: Option<&[i32]>| {
            let found = divided((0..number).collect(), counts, sizes.map(<[i32]>::to_vec))?;
            Ok((0..counts.len())
                .map(|index| found.group(index).len())
                .collect())
        };
        let fits = |number, counts: &[Count], sizes, expected: &[usize]| {
            let found: std::result::Result<Vec<usize>, usize> = groups(number, counts, sizes);
            assert_eq!(found.as_deref(), Ok(expected));
        };
        fits(2, &[One, One], None, &[1, 1]);
        fits(4, &[One, Variadic], None, &[1, 3]);
        fits(1, &[One, Optional], None, &[1, 0]);
        fits(5, &[One, Variadic, Variadic], None, &[1, 2, 2]);
        fits(3, &[One, Variadic, Optional], Some(&[1, 2, 0]), &[1, 2, 0]);
        fits(0, &[], None, &[]);
        let refused = |number, counts: &[Count], sizes| {
            let found: std::result::Result<Vec<usize>, usize> = groups(number, counts, sizes);
            assert_eq!(found, Err(number));
        };
        refused(1, &[One, One], None);
        refused(3, &[One, One], None);
        refused(3, &[One, Optional], None);
        refused(4, &[One, Variadic, Variadic], None);
        refused(2, &[One, Variadic], Some(&[1]));
        refused(2, &[One, Variadic], Some(&[1, -1]));
        refused(2, &[One, Variadic], Some(&[2, 0]));
        refused(2, &[Variadic, Variadic], Some(&[i32::MAX, i32::MAX]));
        refused(1, &[], None);
        assert_eq!(divided(vec![1], &[One], None).unwrap().group(1), [0; 0]);
    }
}
