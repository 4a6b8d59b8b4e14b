//! Traits of MLIR that an operation of a dialect has.

use mondo_sys as c;

/// A trait of an operation, which MLIR's passes ask for. What follows from the numbers of operands, results, regions
/// and successors is known without being said.
///
/// ```
/// # use mondo_ir::sdk::Trait;
/// const OF_A_FUNCTION: &[Trait] = &[Trait::Symbol, Trait::IsolatedFromAbove];
/// assert!(OF_A_FUNCTION.contains(&Trait::Symbol));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trait {
    /// It ends its block.
    Terminator,
    /// Its regions use no value from outside of it.
    IsolatedFromAbove,
    /// Each of its regions has at most one block.
    SingleBlock,
    /// The blocks of its regions need no terminator.
    NoTerminator,
    /// The first blocks of its regions have no arguments.
    NoRegionArguments,
    /// It defines the symbol that its attribute `sym_name` names.
    Symbol,
    /// Its region has symbols.
    SymbolTable,
    /// The order of its operands does not matter.
    Commutative,
    /// Applied to its own result it changes nothing.
    Idempotent,
    /// Applied to its own result it gives the operand again.
    Involution,
    /// It hands its operands to the operation that it is in.
    ReturnLike,
    /// It is a constant: it has no operands and folds to an attribute.
    ConstantLike,
    /// It has no effect but its results, and may be executed at any time.
    Pure,
    /// It has no effect on memory, but may not be executed at any time: it can fail.
    NoMemoryEffects,
    /// It has the effects of what is in its regions, beside its own.
    RecursiveMemoryEffects,
    /// It may be executed at any time if all in its regions may.
    RecursivelySpeculatable,
    /// It may be executed at any time, whatever it does to memory.
    AlwaysSpeculatable,
    /// A value of type `index` at the top of its region is a symbol of affine expressions.
    AffineScope,
    /// What is allocated on the stack in it is freed when it ends.
    AutomaticAllocationScope,
    /// The order of the operations in its regions does not matter.
    GraphRegion,
    /// Its operands have one type.
    SameTypeOperands,
    /// Its operands and results have one type.
    SameOperandsAndResultType,
    /// It maps scalars, and vectors and tensors element by element.
    Elementwise,
    /// It can be replaced by operations on scalars.
    Scalarizable,
    /// It can be replaced by an operation on vectors.
    Vectorizable,
    /// It can be replaced by an operation on tensors.
    Tensorizable,
}

impl Trait {
    /// Returns true if it is that one, for constants, where `==` cannot be used.
    ///
    /// ```
    /// # use mondo_ir::sdk::Trait;
    /// const SAME: bool = Trait::Pure.is(Trait::Pure);
    /// assert!(SAME && !Trait::Pure.is(Trait::Symbol));
    /// ```
    pub const fn is(self, other: Self) -> bool {
        self as u8 == other as u8
    }

    pub(super) fn raw(self) -> c::MondoSdkTrait {
        match self {
            Self::Terminator => c::MondoSdkTraitTerminator,
            Self::IsolatedFromAbove => c::MondoSdkTraitIsolatedFromAbove,
            Self::SingleBlock => c::MondoSdkTraitSingleBlock,
            Self::NoTerminator => c::MondoSdkTraitNoTerminator,
            Self::NoRegionArguments => c::MondoSdkTraitNoRegionArguments,
            Self::Symbol => c::MondoSdkTraitSymbol,
            Self::SymbolTable => c::MondoSdkTraitSymbolTable,
            Self::Commutative => c::MondoSdkTraitCommutative,
            Self::Idempotent => c::MondoSdkTraitIdempotent,
            Self::Involution => c::MondoSdkTraitInvolution,
            Self::ReturnLike => c::MondoSdkTraitReturnLike,
            Self::ConstantLike => c::MondoSdkTraitConstantLike,
            Self::Pure => c::MondoSdkTraitPure,
            Self::NoMemoryEffects => c::MondoSdkTraitNoMemoryEffects,
            Self::RecursiveMemoryEffects => c::MondoSdkTraitRecursiveMemoryEffects,
            Self::RecursivelySpeculatable => c::MondoSdkTraitRecursivelySpeculatable,
            Self::AlwaysSpeculatable => c::MondoSdkTraitAlwaysSpeculatable,
            Self::AffineScope => c::MondoSdkTraitAffineScope,
            Self::AutomaticAllocationScope => c::MondoSdkTraitAutomaticAllocationScope,
            Self::GraphRegion => c::MondoSdkTraitGraphRegion,
            Self::SameTypeOperands => c::MondoSdkTraitSameTypeOperands,
            Self::SameOperandsAndResultType => c::MondoSdkTraitSameOperandsAndResultType,
            Self::Elementwise => c::MondoSdkTraitElementwise,
            Self::Scalarizable => c::MondoSdkTraitScalarizable,
            Self::Vectorizable => c::MondoSdkTraitVectorizable,
            Self::Tensorizable => c::MondoSdkTraitTensorizable,
        }
    }
}
