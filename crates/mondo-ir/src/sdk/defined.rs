//! The functions of a dialect's operations and constants, which the callbacks call.

use std::fmt;

use crate::interned::{Attribute, Type};
use crate::sdk::call::Call;
use crate::sdk::error::Result;
use crate::sdk::folded::Folded;
use crate::sdk::operation::Operation;
use crate::sdk::parser::{OpParser, Parsed};
use crate::sdk::printer::OpPrinter;

/// An operation that a dialect defines: the functions that MLIR calls.
pub trait DefinedOp: fmt::Debug + Sync {
    /// The name, with the dialect's.
    fn name(&self) -> &'static str;

    /// Checks an operation.
    ///
    /// # Errors
    /// Fails if it is not as defined.
    fn verify(&self, operation: Operation<'_>) -> Result<()>;

    /// Reads the custom form, behind the name.
    ///
    /// # Errors
    /// Fails if it is not there.
    fn parse(&self, parser: &mut OpParser<'_, '_>) -> Parsed<()>;

    /// Writes the custom form, behind the name.
    fn print(&self, printer: &mut OpPrinter<'_, '_>);

    /// The replacements of the results, given those operands that are constants.
    fn fold<'ctx>(
        &self,
        operation: Operation<'ctx>,
        constants: &[Option<Attribute<'ctx>>],
    ) -> Option<Folded<'ctx>>;

    /// The types of the results.
    ///
    /// # Errors
    /// Fails if there are none.
    fn infer<'ctx>(&self, call: &Call<'ctx>) -> Result<Vec<Type<'ctx>>>;
}

/// The operation that a folded attribute becomes.
#[derive(Debug, Clone, Copy)]
pub struct Constants {
    /// The operation, with the dialect's name.
    pub operation: &'static str,
    /// Its attribute.
    pub attribute: &'static str,
    /// True if an attribute is a constant of a type.
    pub accepts: for<'ctx> fn(Attribute<'ctx>, Type<'ctx>) -> bool,
}
