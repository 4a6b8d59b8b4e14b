//! The parts that an operation is about to be created from.

use crate::ir::{Attribute, Context, Type, Value};

/// The operands and attributes of an operation whose results are not known yet.
#[derive(Debug)]
pub struct Call<'c> {
    pub(crate) context: Context<'c>,
    pub(crate) operands: Vec<Value<'c>>,
    pub(crate) attributes: Attribute<'c>,
}

impl<'c> Call<'c> {
    /// The context of all that is in here.
    #[must_use]
    pub fn context(&self) -> Context<'c> {
        self.context
    }

    /// The operands. There may be fewer or more than the operation is defined with: it has not been
    /// verified.
    #[must_use]
    pub fn operands(&self) -> &[Value<'c>] {
        &self.operands
    }

    /// The type of an operand, if there are so many.
    #[must_use]
    pub fn operand_type(&self, index: usize) -> Option<Type<'c>> {
        self.operands.get(index).map(|operand| operand.ty())
    }

    /// The attribute of that name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        self.attributes.entry(name)
    }
}
