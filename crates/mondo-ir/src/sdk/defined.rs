//! The functions of a dialect's operations and constants, which the callbacks call.

use std::fmt;

use crate::sdk::call::Call;
use crate::sdk::error::Result;
use crate::sdk::folded::Folded;
use crate::sdk::operation::Operation;
use crate::sdk::parser::{OpParser, Parsed};
use crate::sdk::printer::OpPrinter;
use crate::uniqued_handles::{Attribute, Type};

/// An operation that a dialect defines: the functions that MLIR calls.
///
/// ```
/// # use mondo_ir::{Attribute, Type};
/// # use mondo_ir::sdk::{Call, DefinedOp, Folded, OpParser, OpPrinter, Operation, Parsed, Result};
/// /// `%1 = same.as %0 : i32`.
/// #[derive(Debug)]
/// struct SameAs;
///
/// impl DefinedOp for SameAs {
///     fn name(&self) -> &'static str {
///         "same.as"
///     }
///
///     fn verify(&self, operation: Operation<'_>) -> Result<()> {
///         let same = operation.operand(0).type_() == operation.result(0).type_();
///         if same { Ok(()) } else { Err("has a result of another type".into()) }
///     }
///
///     fn parse(&self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
///         parser.operand()?;
///         parser.base().expect(":")?;
///         let type_ = parser.base().type_()?;
///         parser.resolve(0, type_)?;
///         parser.infer()
///     }
///
///     fn print(&self, printer: &mut OpPrinter<'_, '_>) {
///         let operand = printer.operation().operand(0);
///         printer.base().text(" ");
///         printer.operand(operand);
///         printer.base().text(" : ");
///         printer.base().type_(operand.type_());
///     }
///
///     fn fold<'ctx>(
///         &self,
///         operation: Operation<'ctx>,
///         _constants: &[Option<Attribute<'ctx>>],
///     ) -> Option<Folded<'ctx>> {
///         Some(Folded::Value(operation.operand(0)))
///     }
///
///     fn infer<'ctx>(&self, call: &Call<'ctx>) -> Result<Vec<Type<'ctx>>> {
///         Ok(vec![call.operand_type(0).ok_or("has one operand")?])
///     }
/// }
/// ```
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
///
/// ```
/// # use mondo_ir::{attributes::Int, sdk::Constants, types::Integer};
/// let constants = Constants {
///     operation: "units.constant",
///     attribute: "value",
///     accepts: |value, type_| value.is::<Int>() && type_.is::<Integer>(),
/// };
/// assert!(format!("{constants:?}").contains("units.constant"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Constants {
    /// The operation, with the dialect's name.
    pub operation: &'static str,
    /// Its attribute.
    pub attribute: &'static str,
    /// True if an attribute is a constant of a type.
    pub accepts: for<'ctx> fn(Attribute<'ctx>, Type<'ctx>) -> bool,
}
