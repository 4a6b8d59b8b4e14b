//! The functions of a dialect's operations and constants, which the callbacks call.

use std::fmt;
use std::ops::Range;

use mondo_sys::{
    MlirOperation, MondoSdkVerification, MondoSdkVerifyParts, MondoSdkVerifyRegions,
    mondoSdkOpDefinition, mondoSdkOpOperandGroup, mondoSdkOpResultGroup,
};

use crate::sdk::call::Call;
use crate::sdk::error::Result;
use crate::sdk::folded::Folded;
use crate::sdk::operation::{Operation, Value};
use crate::sdk::parser::{OpParser, Parsed};
use crate::sdk::printer::OpPrinter;
use crate::uniqued_handles::{Attribute, Type};
use crate::uniquer::Uniquer;

/// The time at which an operation is verified.
///
/// ```
/// # use mondo_ir::sdk::Verification;
/// assert_ne!(Verification::Parts, Verification::Regions);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// Its parts are looked at one by one.
    Parts,
    /// Its parts, and its traits, are as defined.
    Whole,
    /// All that is in its regions is valid.
    Regions,
}

impl Verification {
    pub(super) fn of(raw: MondoSdkVerification) -> Self {
        if raw == MondoSdkVerifyParts {
            Self::Parts
        } else if raw == MondoSdkVerifyRegions {
            Self::Regions
        } else {
            Self::Whole
        }
    }
}

/// An operation that a dialect defines: the functions that MLIR calls.
///
/// ```
/// # use mondo_ir::{Attribute, Type, Uniquer};
/// # use mondo_ir::sdk::{Call, DefinedOp, Folded, OpParser, OpPrinter, Operation, Parsed, Result, Verification};
/// /// `%1 = same.as %0 : i32`.
/// #[derive(Debug)]
/// struct SameAs;
///
/// impl DefinedOp for SameAs {
///     fn name(&self) -> &'static str {
///         "same.as"
///     }
///
///     fn operand_group(&self, name: &str) -> Option<usize> {
///         (name == "operand").then_some(0)
///     }
///
///     fn result_group(&self, name: &str) -> Option<usize> {
///         (name == "result").then_some(0)
///     }
///
///     fn defaults<'ctx>(&self, _uniquer: Uniquer<'ctx>) -> Vec<Option<Attribute<'ctx>>> {
///         Vec::new()
///     }
///
///     fn verify(&self, operation: Operation<'_>, when: Verification) -> Result<()> {
///         if when != Verification::Whole {
///             return Ok(());
///         }
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

    /// The index of the group of operands of that name.
    fn operand_group(&self, name: &str) -> Option<usize>;

    /// The index of the group of results of that name.
    fn result_group(&self, name: &str) -> Option<usize>;

    /// The default of each attribute of the operation's row, in order.
    fn defaults<'ctx>(&self, uniquer: Uniquer<'ctx>) -> Vec<Option<Attribute<'ctx>>>;

    /// Checks an operation.
    ///
    /// # Errors
    /// Fails if it is not as defined.
    fn verify(&self, operation: Operation<'_>, when: Verification) -> Result<()>;

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
    /// Returns true if an attribute is a constant of a type.
    pub accepts: for<'ctx> fn(Attribute<'ctx>, Type<'ctx>) -> bool,
}

/// The row that the group of that name is, among the operands or the results, or `None` if the operation's dialect is not
/// defined in Rust, or has no such group.
///
/// # Safety
///
/// The operation is live.
unsafe fn row(op: MlirOperation, name: &str, results: bool) -> Option<Range<usize>> {
    // SAFETY: the operation is live, by this function's contract; a definition is one of `crate::sdk::table`'s, which
    // stay until the process ends.
    let definition = unsafe {
        let definition: *const &'static dyn DefinedOp = mondoSdkOpDefinition(op).cast();
        *definition.as_ref()?
    };
    let group = if results {
        definition.result_group(name)?
    } else {
        definition.operand_group(name)?
    };
    let (mut first, mut count) = (0, 0);
    // SAFETY: the operation is live and of a dialect in Rust, as it has a definition.
    unsafe {
        let find = if results {
            mondoSdkOpResultGroup
        } else {
            mondoSdkOpOperandGroup
        };
        find(op, group as isize, &raw mut first, &raw mut count);
    }
    let first = first.unsigned_abs();
    Some(first..first + count.unsigned_abs())
}

/// The groups that a definition names.
impl<'ctx> Operation<'ctx> {
    /// The operands of the group of that name, or `None` if its dialect is not defined in Rust, or has no such group.
    ///
    /// ```
    /// # use mondo_ir::sdk::{Operation, Value};
    /// fn inits_and_outs<'ctx>(operation: Operation<'ctx>) -> Vec<Value<'ctx>> {
    ///     let mut all = operation.operand_group("inits");
    ///     all.extend(operation.result_group("outs"));
    ///     all
    /// }
    /// ```
    pub fn operand_group(self, name: &str) -> Vec<Value<'ctx>> {
        // SAFETY: the operation is live, by its brand.
        let Some(row) = (unsafe { row(self.raw(), name, false) }) else {
            return Vec::new();
        };
        self.operands().get(row).unwrap_or_default().to_vec()
    }

    /// The results of the group of that name.
    pub fn result_group(self, name: &str) -> Vec<Value<'ctx>> {
        // SAFETY: the operation is live, by its brand.
        let Some(row) = (unsafe { row(self.raw(), name, true) }) else {
            return Vec::new();
        };
        self.results().get(row).unwrap_or_default().to_vec()
    }
}
