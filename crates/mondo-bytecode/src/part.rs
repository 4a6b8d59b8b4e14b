//! The parts that an operation has, a bit each.

pub(crate) const ATTRIBUTES: u8 = 1;
pub(crate) const RESULTS: u8 = 1 << 1;
pub(crate) const OPERANDS: u8 = 1 << 2;
pub(crate) const SUCCESSORS: u8 = 1 << 3;
pub(crate) const REGIONS: u8 = 1 << 4;
pub(crate) const USE_LIST_ORDERS: u8 = 1 << 5;
pub(crate) const PROPERTIES: u8 = 1 << 6;
