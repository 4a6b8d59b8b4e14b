//! What operators compute. The interpreter and the dialect's folders share it.

use crate::tree::Binary;

/// The value of an operation, which wraps around.
pub fn compute(operator: Binary, left: i64, right: i64) -> i64 {
    match operator {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide if right == 0 => 0,
        Binary::Divide => left.wrapping_div(right),
        Binary::Remainder if right == 0 => 0,
        Binary::Remainder => left.wrapping_rem(right),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::Equal => (left == right).into(),
        Binary::NotEqual => (left != right).into(),
        Binary::Less => (left < right).into(),
        Binary::LessOrEqual => (left <= right).into(),
        Binary::Greater => (left > right).into(),
        Binary::GreaterOrEqual => (left >= right).into(),
    }
}
