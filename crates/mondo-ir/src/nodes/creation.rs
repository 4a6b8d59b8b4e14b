//! Creation of operations and regions.

use mondo_sys::{
    MondoOperationParts, mlirDictionaryAttrGet, mlirIdentifierGet, mlirOperationCreate,
    mlirOperationStateAddAttributes, mlirOperationStateAddOperands,
    mlirOperationStateAddOwnedRegions, mlirOperationStateAddResults,
    mlirOperationStateAddSuccessors, mlirOperationStateEnableResultTypeInference,
    mlirOperationStateGet, mondoOperationCreate, mondoOperationFindLostAttribute,
};

use super::interfaces::Inferred;
use super::unchecked::is_unchecked;
use super::{Block, Loose, Op, Region, Value};
use crate::attributes::DictionaryAttr;
use crate::c_type::CType;
use crate::callback::string_ref;
use crate::tree;
use crate::uniqued_handles::{Attribute, Identifier, Location, Type};
use crate::uniquer::Uniquer;

/// A name and an attribute, in the form of the C API.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Attached<'ctx> {
    /// The name.
    pub name: Identifier<'ctx>,
    /// The attribute.
    pub attribute: Attribute<'ctx>,
}

impl<'ctx> Attached<'ctx> {
    /// An attribute with a name.
    #[inline]
    pub fn new(ctx: Uniquer<'ctx>, name: &str, attribute: Attribute<'ctx>) -> Self {
        // SAFETY: a `Uniquer` is of a live context, by its brand; the context copies the text.
        let name = unsafe { Identifier::expect(mlirIdentifierGet(ctx.raw(), string_ref(name))) };
        Self { name, attribute }
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// The dictionary of these attributes, each name once.
    pub fn dictionary_of(self, attributes: &[Attached<'ctx>]) -> DictionaryAttr<'ctx> {
        // SAFETY: a `Uniquer` is of a live context, by its brand, which the attributes have, too; pointer
        // and length are those of one slice.
        unsafe {
            let number = attributes.len() as isize;
            let raw = mlirDictionaryAttrGet(self.raw(), number, attributes.as_ptr().cast());
            Attribute::expect(raw)
        }
    }
}

impl CType for Attached<'_> {
    type Raw = mondo_sys::MlirNamedAttribute;

    fn name() -> String {
        "MlirNamedAttribute".to_owned()
    }

    fn to_raw(self) -> Self::Raw {
        mondo_sys::MlirNamedAttribute {
            name: self.name.raw(),
            attribute: self.attribute.raw(),
        }
    }

    unsafe fn of_raw(raw: Self::Raw) -> Self {
        // SAFETY: the fields are live and of the brand's context, by this function's contract.
        unsafe {
            Self {
                name: Identifier::expect(raw.name),
                attribute: Attribute::expect(raw.attribute),
            }
        }
    }
}

/// The parts of a new operation.
#[derive(Debug)]
pub struct Parts<'a, 'ctx> {
    /// The name, as `arith.addi`.
    pub name: &'a str,
    /// The location.
    pub location: Location<'ctx>,
    /// The types of the results.
    pub results: &'a [Type<'ctx>],
    /// The operands.
    pub operands: &'a [Value<'ctx>],
    /// The attributes, each name once.
    pub attributes: &'a [Attached<'ctx>],
    /// The successors.
    pub successors: &'a [Block<'ctx>],
    /// The regions.
    pub regions: NewRegions<'ctx>,
}

/// The regions of a new operation, which owns them.
#[derive(Debug)]
pub enum NewRegions<'ctx> {
    /// A number of new, empty regions.
    Empty(usize),
    /// These. They are destroyed where MLIR does not make the operation ([`NotMade::Failed`]), and stay the
    /// caller's where it was not asked to.
    Given(Vec<Loose<Region<'ctx>>>),
}

impl NewRegions<'_> {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Empty(count) => *count == 0,
            Self::Given(regions) => regions.is_empty(),
        }
    }

    /// Returns whether they would nest deeper than 1000 levels in an operation in `around`, or in none.
    pub fn are_too_deep_in(&self, around: Option<Op<'_>>) -> bool {
        let above = around.map_or(0, Op::levels_inside) + 1;
        let Some(most) = tree::LEVELS.checked_sub(above) else {
            return true;
        };
        let Self::Given(regions) = self else {
            return false;
        };
        let blocks = regions.iter().flat_map(|region| region.node().blocks());
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`).
        blocks
            .flat_map(Block::operations)
            .any(|op| unsafe { tree::is_deeper_than(op.raw(), most) })
    }
}

/// The reason why there is no new operation.
#[derive(Debug)]
pub enum NotMade<'ctx> {
    /// MLIR does not make it: it does not know the name, or cannot infer the types of the results, which it
    /// reports.
    Failed,
    /// An operation of that name does not take this attribute.
    Refused(Attached<'ctx>),
    /// It would have this number of regions, which are too many.
    Regions(usize),
    /// MLIR's inference relies on operands and attributes of the right kind: the verifier's message about those.
    Unfit(String),
}

/// The most regions that a number asks for.
const MOST_EMPTY_REGIONS: usize = 65535;
/// The most regions of an operation: MLIR has 23 bits for their number, and cuts off the others.
const MOST_REGIONS: usize = (1 << 23) - 1;

/// The greatest length of an attribute's text in a message, in bytes.
const SHOWN: usize = 80;

/// The message for an attribute that an operation does not take.
pub fn refusal(operation: &str, name: &str, attribute: Attribute<'_>) -> String {
    let text = attribute.to_string();
    let shown = if text.len() > SHOWN {
        "one of another kind"
    } else {
        &text
    };
    format!(
        "the attribute `{name}` of `{operation}` cannot be {shown}: it has to be of the kind that the operation declares"
    )
}

impl<'ctx> Op<'ctx> {
    /// Makes an operation, in no block.
    ///
    /// # Errors
    /// The reason why there is none.
    #[inline]
    pub fn create(parts: Parts<'_, 'ctx>) -> Result<Loose<Self>, NotMade<'ctx>> {
        Self::made(parts, Self::make)
    }

    /// A new operation in no block, the types of whose results are inferred.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn infer(ctx: Uniquer<'ctx>, parts: Parts<'_, 'ctx>) -> Result<Loose<Self>, NotMade<'ctx>> {
        if is_unchecked(parts.name) {
            let regions = match &parts.regions {
                NewRegions::Empty(count) => *count,
                NewRegions::Given(given) => given.len(),
            };
            let inferred = Inferred {
                name: parts.name,
                location: parts.location,
                operands: parts.operands,
                attributes: Some(ctx.dictionary_of(parts.attributes)),
                regions: &[],
            };
            inferred.check(regions).map_err(NotMade::Unfit)?;
        }
        Self::made(parts, Self::make_inferred)
    }

    #[inline]
    fn made(
        parts: Parts<'_, 'ctx>,
        make: impl FnOnce(&Parts<'_, 'ctx>, &[Loose<Region<'ctx>>]) -> Option<Loose<Self>>,
    ) -> Result<Loose<Self>, NotMade<'ctx>> {
        let made = match &parts.regions {
            NewRegions::Empty(0) => make(&parts, &[]),
            NewRegions::Empty(count) if *count > MOST_EMPTY_REGIONS => {
                return Err(NotMade::Regions(*count));
            }
            NewRegions::Given(regions) if regions.len() > MOST_REGIONS => {
                return Err(NotMade::Regions(regions.len()));
            }
            NewRegions::Empty(count) => {
                let regions: Vec<_> = (0..*count).filter_map(|_| Region::create()).collect();
                make(&parts, &regions)
            }
            NewRegions::Given(regions) => {
                if !parts.attributes.is_empty() {
                    Self::look_at_attributes(&parts)?;
                }
                make(&parts, regions)
            }
        };
        made.ok_or(NotMade::Failed)?.with_all(parts.attributes)
    }

    /// Looks whether an operation takes the attributes, without the regions.
    #[cold]
    fn look_at_attributes(parts: &Parts<'_, 'ctx>) -> Result<(), NotMade<'ctx>> {
        let bare = Parts {
            name: parts.name,
            location: parts.location,
            results: &[],
            operands: &[],
            attributes: parts.attributes,
            successors: &[],
            regions: NewRegions::Empty(0),
        };
        let probe = Self::create(bare)?;
        // SAFETY: the operation was made in this function, so nothing else uses it, and it has no regions.
        unsafe { probe.node().destroy() };
        Ok(())
    }

    #[inline]
    fn make(parts: &Parts<'_, 'ctx>, regions: &[Loose<Region<'ctx>>]) -> Option<Loose<Self>> {
        let parts = MondoOperationParts {
            name: string_ref(parts.name),
            location: parts.location.raw(),
            nResults: parts.results.len() as isize,
            results: parts.results.as_ptr().cast(),
            nOperands: parts.operands.len() as isize,
            operands: parts.operands.as_ptr().cast(),
            nAttributes: parts.attributes.len() as isize,
            attributes: parts.attributes.as_ptr().cast(),
            nSuccessors: parts.successors.len() as isize,
            successors: parts.successors.as_ptr().cast(),
            nRegions: regions.len() as isize,
            regions: regions.as_ptr().cast(),
        };
        // SAFETY: all is live and of one context, by the brand; the arrays are as long as said, in the form
        // of the C API, and MLIR copies them.
        unsafe { Op::from_raw(mondoOperationCreate(&raw const parts)).map(|op| Loose::new(op)) }
    }

    fn make_inferred(
        parts: &Parts<'_, 'ctx>,
        regions: &[Loose<Region<'ctx>>],
    ) -> Option<Loose<Self>> {
        // SAFETY: all parts are live and of one context, by the brand, and each array is as long as its
        // count, in the form of the C API. Empty arrays are not added, as their pointer may be null.
        unsafe {
            let mut state = mlirOperationStateGet(string_ref(parts.name), parts.location.raw());
            let at = &raw mut state;
            if !parts.operands.is_empty() {
                let number = parts.operands.len() as isize;
                mlirOperationStateAddOperands(at, number, parts.operands.as_ptr().cast());
            }
            if !parts.results.is_empty() {
                let number = parts.results.len() as isize;
                mlirOperationStateAddResults(at, number, parts.results.as_ptr().cast());
            }
            if !parts.attributes.is_empty() {
                let number = parts.attributes.len() as isize;
                mlirOperationStateAddAttributes(at, number, parts.attributes.as_ptr().cast());
            }
            if !parts.successors.is_empty() {
                let number = parts.successors.len() as isize;
                mlirOperationStateAddSuccessors(at, number, parts.successors.as_ptr().cast());
            }
            if !regions.is_empty() {
                let number = regions.len() as isize;
                mlirOperationStateAddOwnedRegions(at, number, regions.as_ptr().cast());
            }
            mlirOperationStateEnableResultTypeInference(at);
            Op::from_raw(mlirOperationCreate(at)).map(|op| Loose::new(op))
        }
    }
}

impl<'ctx> Loose<Op<'ctx>> {
    /// The new operation, if it has taken the attributes that it was made with.
    #[inline]
    fn with_all(self, attributes: &[Attached<'ctx>]) -> Result<Self, NotMade<'ctx>> {
        if attributes.is_empty() {
            return Ok(self);
        }
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`), and the
        // attributes have its brand; pointer and length are those of one slice, whose elements are in the
        // form of the C API.
        let lost = unsafe {
            let number = attributes.len() as isize;
            mondoOperationFindLostAttribute(self.0.raw(), number, attributes.as_ptr().cast())
        };
        match usize::try_from(lost)
            .ok()
            .and_then(|index| attributes.get(index))
        {
            None => Ok(self),
            Some(refused) => {
                // SAFETY: nothing has seen the operation yet, and its regions are empty: the attributes were
                // looked at before it got others.
                unsafe { self.0.destroy() };
                Err(NotMade::Refused(*refused))
            }
        }
    }
}
