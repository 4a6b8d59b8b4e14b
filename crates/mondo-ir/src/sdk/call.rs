//! The parts that an operation is about to be created from.

use crate::attributes::Dictionary;
use crate::sdk::operation::Region;
use crate::sdk::operation::Value;
use crate::uniqued_handles::{Attribute, Type};
use crate::uniquer::Uniquer;

/// The operands and attributes of an operation whose results are not known yet.
///
/// ```
/// # use mondo_ir::{Type, sdk::{Call, Result}};
/// /// The result is of the type of the first operand, or what an attribute says.
/// fn infer<'ctx>(call: &Call<'ctx>) -> Result<Vec<Type<'ctx>>> {
///     if call.operands().is_empty() && call.attribute("nothing").is_some() {
///         return Ok(vec![call.uniquer().none().any()]);
///     }
///     let type_ = call.operand_type(0).ok_or("has no operand")?;
///     Ok(vec![type_])
/// }
/// ```
#[derive(Debug)]
pub struct Call<'ctx> {
    pub(super) uniquer: Uniquer<'ctx>,
    pub(super) operands: Vec<Value<'ctx>>,
    pub(super) attributes: Attribute<'ctx>,
    pub(super) regions: Vec<Region<'ctx>>,
}

impl<'ctx> Call<'ctx> {
    /// The context of all that is in here.
    pub fn uniquer(&self) -> Uniquer<'ctx> {
        self.uniquer
    }

    /// The operands. There may be fewer or more than the operation is defined with: it has not been
    /// verified.
    pub fn operands(&self) -> &[Value<'ctx>] {
        &self.operands
    }

    /// The type of an operand, if there are so many.
    pub fn operand_type(&self, index: usize) -> Option<Type<'ctx>> {
        self.operands.get(index).map(|operand| operand.type_())
    }

    /// The regions.
    ///
    /// ```
    /// # use mondo_ir::{Type, sdk::{Call, Result}};
    /// /// The results are what the last operation of the body has for operands.
    /// fn infer<'ctx>(call: &Call<'ctx>) -> Result<Vec<Type<'ctx>>> {
    ///     let body = call.regions().first().and_then(|region| region.entry());
    ///     let last = body.and_then(|block| block.last()).ok_or("has a body")?;
    ///     Ok(last.operands().iter().map(|value| value.type_()).collect())
    /// }
    /// ```
    pub fn regions(&self) -> &[Region<'ctx>] {
        &self.regions
    }

    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'ctx>> {
        self.attributes.downcast::<Dictionary>()?.get(name)
    }
}
