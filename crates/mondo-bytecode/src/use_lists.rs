//! The values of a scope, their uses, and the orders of use-lists that a file states.

use crate::error::Error;
use crate::reader::Reader;

/// The order of a value's uses, as far as MLIR must not be given another one.
#[derive(Debug, Clone, Copy)]
struct Order {
    /// The value's index in its scope.
    value: usize,
    /// The offset of the order in the file.
    at: usize,
    /// The largest index of a use in it.
    largest: u64,
}

/// The uses of values, in one of two passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uses {
    NotCounted,
    Counted,
}

/// The values between two regions that are isolated from above.
#[derive(Debug)]
pub(crate) struct Scope {
    values: usize,
    /// The number of uses of each value, if they are counted.
    uses: Option<Vec<u32>>,
    orders: Vec<Order>,
    /// Of each open region, the index of the value that is defined next.
    next: Vec<usize>,
}

impl Scope {
    pub(crate) fn new(uses: Uses) -> Self {
        Self {
            values: 0,
            uses: (uses == Uses::Counted).then(Vec::new),
            orders: Vec::new(),
            next: Vec::new(),
        }
    }

    /// The number of values of all open regions.
    pub(crate) fn values(&self) -> usize {
        self.values
    }

    /// The number of values of the innermost region that are not defined yet.
    pub(crate) fn free(&self) -> usize {
        self.values - self.next.last().copied().unwrap_or(self.values)
    }

    /// Opens a region that defines `values`.
    pub(crate) fn push(&mut self, values: usize) {
        self.next.push(self.values);
        self.values += values;
        if let Some(uses) = &mut self.uses {
            uses.resize(self.values, 0);
        }
    }

    /// Closes a region that defines `values`, and compares the orders of their uses with their uses.
    pub(crate) fn pop(&mut self, values: usize) -> Result<(), Error> {
        self.values -= values;
        self.next.pop();
        let first = self.values;
        let Some(counts) = &mut self.uses else {
            return Ok(());
        };
        while let Some(order) = self.orders.pop_if(|order| order.value >= first) {
            let uses = counts[order.value];
            // The order of less than two uses is never looked at.
            if uses > 1 && order.largest >= u64::from(uses) {
                let message = format!(
                    "the order of {uses} uses of a value has the index {}",
                    order.largest
                );
                return Err(Error::new(order.at, message));
            }
        }
        counts.truncate(first);
        Ok(())
    }

    /// Reads an operand.
    #[inline]
    pub(crate) fn operand(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        let value = reader.index(self.values, "values")?;
        if let Some(uses) = &mut self.uses {
            uses[value] += 1;
        }
        Ok(())
    }

    /// Defines the next `count` values of the innermost region, and returns the index of the first.
    #[inline]
    pub(crate) fn define(&mut self, count: usize, at: usize) -> Result<usize, Error> {
        let values = self.values;
        let next = self.next.last_mut();
        let defined = next.and_then(|next| {
            let first = *next;
            *next = first.checked_add(count).filter(|end| *end <= values)?;
            Some(first)
        });
        defined.ok_or_else(|| {
            Error::new(
                at,
                format!("more values are defined than the {values} of the regions"),
            )
        })
    }

    /// Remembers the orders of values from the one with the index `first` on.
    #[inline]
    pub(crate) fn order(&mut self, first: usize, orders: &[StatedOrder]) {
        if orders.is_empty() || self.uses.is_none() {
            return;
        }
        let before = self.orders.len();
        self.orders.extend(orders.iter().map(|order| Order {
            value: first + order.position,
            at: order.at,
            largest: order.largest,
        }));
        // `pop` takes them from the end. Values are defined in the order of their indices, but a file
        // states the orders of one operation's in any.
        self.orders[before..].sort_by_key(|order| order.value);
    }
}

/// An order as the file states it: that of the value at `position` among the results of an operation or
/// the arguments of a block.
#[derive(Debug)]
pub(crate) struct StatedOrder {
    position: usize,
    at: usize,
    largest: u64,
}

/// Reads the orders of the uses of some of `values` values.
pub(crate) fn orders(reader: &mut Reader<'_>, values: usize) -> Result<Vec<StatedOrder>, Error> {
    if values == 0 {
        return Err(reader.error("an order of uses where there is no value"));
    }
    let count = match values {
        1 => 1,
        _ => reader.count("orders of uses")?,
    };
    let mut orders = Vec::new();
    for _ in 0..count {
        let position = match values {
            1 => 0,
            _ => reader.index(values, "values of the operation or block")?,
        };
        let at = reader.offset();
        let (indices, pairs) = reader.flagged_count("indices of uses")?;
        if pairs && indices % 2 != 0 {
            return Err(Error::new(at, "a pair of indices of uses lacks its half"));
        }
        let mut largest = 0;
        for _ in 0..indices {
            largest = reader.varint()?.max(largest);
        }
        orders.push(StatedOrder {
            position,
            at,
            largest,
        });
    }
    Ok(orders)
}
