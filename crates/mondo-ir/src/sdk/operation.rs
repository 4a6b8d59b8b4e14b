//! An operation and its values as a function of a dialect sees them: read-only, for the length of a call.

use std::fmt;
use std::marker::PhantomData;

use mondo_sys::{
    MlirBlock, MlirOperation, MlirRegion, MlirValue, mlirBlockGetArgument,
    mlirBlockGetFirstOperation, mlirBlockGetNextInRegion, mlirBlockGetNumArguments,
    mlirOperationGetAttributeByName, mlirOperationGetContext, mlirOperationGetLocation,
    mlirOperationGetName, mlirOperationGetNextInBlock, mlirOperationGetNumOperands,
    mlirOperationGetNumRegions, mlirOperationGetNumResults, mlirOperationGetNumSuccessors,
    mlirOperationGetOperand, mlirOperationGetRegion, mlirOperationGetResult,
    mlirOperationGetSuccessor, mlirRegionGetFirstBlock, mlirValueGetType,
};

use crate::brand::Brand;
use crate::callback::string_ref;
use crate::uniqued_handles::{Attribute, Identifier, Location, Type};
use crate::uniquer::Uniquer;

/// An operation that MLIR has given to a function of its dialect.
///
/// It does not lead to operations beside or above it, which other threads may be changing.
///
/// ```
/// # use mondo_ir::sdk::{Error, Operation, Result};
/// fn verify(operation: Operation<'_>) -> Result<()> {
///     let types: Vec<_> = operation.operands().iter().map(|value| value.type_()).collect();
///     let types_of_results: Vec<_> = operation.results().iter().map(|value| value.type_()).collect();
///     if types != types_of_results {
///         let (name, at) = (operation.name(), operation.location());
///         return Err(Error::new(format!("{name} at {at} has results of other types")));
///     }
///     if operation.attribute("mark") != Some(operation.uniquer().unit().any()) {
///         return Err("has no mark".into());
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Operation<'ctx> {
    raw: Pointer,
    brand: Brand<'ctx>,
}

/// A value: an operand or a result of an [`Operation`].
///
/// ```
/// # use mondo_ir::sdk::{Folded, Operation, Value};
/// /// Folds an operation to its operand, where that is of the result's type.
/// fn fold<'ctx>(operation: Operation<'ctx>) -> Option<Folded<'ctx>> {
///     let value: Value<'ctx> = operation.operand(0);
///     (value.type_() == operation.result(0).type_()).then_some(Folded::Value(value))
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Value<'ctx> {
    raw: Pointer,
    brand: Brand<'ctx>,
}

/// A pointer of C's, compared by identity.
type Pointer = *const std::ffi::c_void;

impl<'ctx> Operation<'ctx> {
    /// # Safety
    ///
    /// The operation is live until the call ends that the brand is of, and of the brand's context.
    pub(super) unsafe fn new(raw: MlirOperation) -> Self {
        Self {
            raw: raw.ptr,
            brand: PhantomData,
        }
    }

    pub(super) fn raw(self) -> MlirOperation {
        MlirOperation {
            ptr: self.raw.cast_mut(),
        }
    }

    /// The context.
    pub fn uniquer(self) -> Uniquer<'ctx> {
        // SAFETY: the operation is live, and of the brand's context.
        unsafe { Uniquer::expect(mlirOperationGetContext(self.raw())) }
    }

    /// The name, with the dialect's.
    pub fn name(self) -> Identifier<'ctx> {
        // SAFETY: the operation is live, and names live as long as their context.
        unsafe { Identifier::expect(mlirOperationGetName(self.raw())) }
    }

    /// The location.
    pub fn location(self) -> Location<'ctx> {
        // SAFETY: the operation is live, and locations live as long as their context.
        unsafe { Location::expect(mlirOperationGetLocation(self.raw())) }
    }

    /// The operands.
    pub fn operands(self) -> Vec<Value<'ctx>> {
        // SAFETY: the operation is live, and asked for no more operands than it has.
        unsafe {
            (0..mlirOperationGetNumOperands(self.raw()))
                .map(|index| Value::new(mlirOperationGetOperand(self.raw(), index)))
                .collect()
        }
    }

    /// The results.
    pub fn results(self) -> Vec<Value<'ctx>> {
        // SAFETY: the operation is live, and asked for no more results than it has.
        unsafe {
            (0..mlirOperationGetNumResults(self.raw()))
                .map(|index| Value::new(mlirOperationGetResult(self.raw(), index)))
                .collect()
        }
    }

    /// The operand at that index.
    ///
    /// # Panics
    /// Panics where there are not so many. The functions of an operation are called only when it has those that
    /// it is defined with.
    pub fn operand(self, index: usize) -> Value<'ctx> {
        self.operands()[index]
    }

    /// The result at that index.
    ///
    /// # Panics
    /// As for [`operand`](Self::operand).
    pub fn result(self, index: usize) -> Value<'ctx> {
        self.results()[index]
    }

    /// The regions.
    ///
    /// ```
    /// # use mondo_ir::sdk::Operation;
    /// /// Returns true if each region and each successor has one argument.
    /// fn takes_one(operation: Operation<'_>) -> bool {
    ///     let mut blocks: Vec<_> = operation.regions().iter().filter_map(|region| region.entry()).collect();
    ///     blocks.extend(operation.successors());
    ///     blocks.iter().all(|block| block.arguments().len() == 1)
    /// }
    /// ```
    pub fn regions(self) -> Vec<Region<'ctx>> {
        // SAFETY: the operation is live, by its brand, and asked for no more regions than it has.
        unsafe {
            (0..mlirOperationGetNumRegions(self.raw()))
                .map(|index| Region::new(mlirOperationGetRegion(self.raw(), index)))
                .collect()
        }
    }

    /// The region at that index.
    pub fn region(self, index: usize) -> Option<Region<'ctx>> {
        self.regions().get(index).copied()
    }

    /// The successors.
    pub fn successors(self) -> Vec<Block<'ctx>> {
        // SAFETY: the operation is live, by its brand, and asked for no more successors than it has.
        unsafe {
            (0..mlirOperationGetNumSuccessors(self.raw()))
                .filter_map(|index| Block::from_raw(mlirOperationGetSuccessor(self.raw(), index)))
                .collect()
        }
    }

    /// The attribute of that name.
    pub fn attribute(self, name: &str) -> Option<Attribute<'ctx>> {
        // SAFETY: the operation is live, and attributes live as long as their context.
        unsafe {
            Attribute::from_raw(mlirOperationGetAttributeByName(
                self.raw(),
                string_ref(name),
            ))
        }
    }
}

impl fmt::Debug for Operation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operation({})", self.name())
    }
}

impl<'ctx> Value<'ctx> {
    /// # Safety
    ///
    /// As for [`Operation::new`], for a value.
    pub(super) unsafe fn new(raw: MlirValue) -> Self {
        Self {
            raw: raw.ptr,
            brand: PhantomData,
        }
    }

    pub(super) fn raw(self) -> MlirValue {
        MlirValue { ptr: self.raw }
    }

    /// The type.
    pub fn type_(self) -> Type<'ctx> {
        // SAFETY: the value is live, and types live as long as their context.
        unsafe { Type::expect(mlirValueGetType(self.raw())) }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.type_())
    }
}

/// A region of an [`Operation`].
///
/// ```
/// # use mondo_ir::sdk::{Operation, Result};
/// /// Checks that the first region has blocks, whose first takes as many values as the operation has results.
/// fn verify(operation: Operation<'_>) -> Result<()> {
///     let body = operation.region(0).ok_or("has a region")?;
///     let entry = body.entry().ok_or("has a block")?;
///     if body.blocks().len() == 1 && entry.arguments().len() == operation.results().len() {
///         Ok(())
///     } else {
///         Err("takes other values than it gives".into())
///     }
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Region<'ctx> {
    raw: Pointer,
    brand: Brand<'ctx>,
}

/// A block of a [`Region`], or a successor of an [`Operation`].
///
/// ```
/// # use mondo_ir::sdk::{Block, Result};
/// /// The last operation, which has to be a terminator of that name.
/// fn check_end(block: Block<'_>, name: &str) -> Result<()> {
///     let last = block.operations().last().copied();
///     assert_eq!(last, block.last());
///     let last = last.ok_or("is empty")?;
///     if last.name().to_string() == name { Ok(()) } else { Err("ends with something else".into()) }
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Block<'ctx> {
    raw: Pointer,
    brand: Brand<'ctx>,
}

impl<'ctx> Region<'ctx> {
    /// # Safety
    ///
    /// The region is live until the call ends that the brand is of, and of the brand's context.
    pub(super) unsafe fn new(raw: MlirRegion) -> Self {
        Self {
            raw: raw.ptr,
            brand: PhantomData,
        }
    }

    pub(super) fn raw(self) -> MlirRegion {
        MlirRegion {
            ptr: self.raw.cast_mut(),
        }
    }

    /// The first block, or `None` if the region is empty.
    pub fn entry(self) -> Option<Block<'ctx>> {
        // SAFETY: the region is live, by its brand, and so are its blocks.
        unsafe { Block::from_raw(mlirRegionGetFirstBlock(self.raw())) }
    }

    /// The blocks.
    pub fn blocks(self) -> Vec<Block<'ctx>> {
        // SAFETY: the block is live, by its brand, and so is the one after it.
        let next =
            |block: &Block<'ctx>| unsafe { Block::from_raw(mlirBlockGetNextInRegion(block.raw())) };
        std::iter::successors(self.entry(), next).collect()
    }
}

impl<'ctx> Block<'ctx> {
    /// # Safety
    ///
    /// The block is null, or live until the call ends that the brand is of, and of the brand's context.
    pub(super) unsafe fn from_raw(raw: MlirBlock) -> Option<Self> {
        (!raw.ptr.is_null()).then_some(Self {
            raw: raw.ptr,
            brand: PhantomData,
        })
    }

    pub(super) fn raw(self) -> MlirBlock {
        MlirBlock {
            ptr: self.raw.cast_mut(),
        }
    }

    /// The arguments.
    pub fn arguments(self) -> Vec<Value<'ctx>> {
        // SAFETY: the block is live, by its brand, and asked for no more arguments than it has.
        unsafe {
            (0..mlirBlockGetNumArguments(self.raw()))
                .map(|index| Value::new(mlirBlockGetArgument(self.raw(), index)))
                .collect()
        }
    }

    /// The operations.
    pub fn operations(self) -> Vec<Operation<'ctx>> {
        let mut all = Vec::new();
        // SAFETY: the block is live, by its brand, and so are the operations in it; null is asked for nothing.
        unsafe {
            let mut next = mlirBlockGetFirstOperation(self.raw());
            while !next.ptr.is_null() {
                all.push(Operation::new(next));
                next = mlirOperationGetNextInBlock(next);
            }
        }
        all
    }

    /// The last operation.
    pub fn last(self) -> Option<Operation<'ctx>> {
        self.operations().pop()
    }
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region({:?})", self.blocks())
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({:?})", self.operations())
    }
}
