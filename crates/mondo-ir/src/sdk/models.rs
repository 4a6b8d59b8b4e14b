//! Interfaces for operations of other dialects.

use mondo_sys::MondoSdkModel;

use crate::callback::string_ref;
use crate::sdk::interfaces::{Effect, EffectOn, effect, leaked};

/// An effect of another dialect's operation.
///
/// ```
/// # use mondo_ir::sdk::{Effect, ModelEffect};
/// const READS_THE_FIRST: ModelEffect = ModelEffect::on_operand(Effect::Read, 0);
/// const ALLOCATES: ModelEffect = ModelEffect::on_result(Effect::Allocate, 0);
/// const WRITES: ModelEffect = ModelEffect::on_everything(Effect::Write);
/// # let _ = (READS_THE_FIRST, ALLOCATES, WRITES);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ModelEffect(Effect, EffectOn);

impl ModelEffect {
    /// An effect on memory that is not known closer.
    #[must_use]
    pub const fn on_everything(effect: Effect) -> Self {
        Self(effect, EffectOn::Everything)
    }

    /// An effect on what the operand of that index refers to.
    #[must_use]
    pub const fn on_operand(effect: Effect, index: usize) -> Self {
        Self(effect, EffectOn::Operands(index))
    }

    /// An effect on what the result of that index refers to.
    #[must_use]
    pub const fn on_result(effect: Effect, index: usize) -> Self {
        Self(effect, EffectOn::Results(index))
    }
}

/// What MLIR's passes may know of another dialect's operation, which says nothing about it itself.
///
/// It holds in each context where the dialect with the model is loaded. If the operation has such an interface, or there is no
/// such operation, the dialect is refused: its operations are not valid.
///
/// ```
/// # use mondo_ir::sdk::Model;
/// /// The intrinsics that this dialect makes have no effects.
/// const INTRINSIC: Model = Model::of("llvm.call_intrinsic").effects(&[]).speculatable();
/// assert_eq!(INTRINSIC.inlinable().operation(), "llvm.call_intrinsic");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Model {
    operation: &'static str,
    effects: Option<&'static [ModelEffect]>,
    speculatable: bool,
    inlinable: bool,
}

impl Model {
    /// A model of that operation that says nothing yet.
    #[must_use]
    pub const fn of(operation: &'static str) -> Self {
        Self {
            operation,
            effects: None,
            speculatable: false,
            inlinable: false,
        }
    }

    /// These effects on memory, and no others (MLIR's `MemoryEffectOpInterface`).
    #[must_use]
    pub const fn effects(mut self, effects: &'static [ModelEffect]) -> Self {
        self.effects = Some(effects);
        self
    }

    /// It may be executed at any time (MLIR's `ConditionallySpeculatable`).
    #[must_use]
    pub const fn speculatable(mut self) -> Self {
        self.speculatable = true;
        self
    }

    /// It may be moved into the place of a call, with the function that it is in (MLIR's `DialectInlinerInterface`).
    #[must_use]
    pub const fn inlinable(mut self) -> Self {
        self.inlinable = true;
        self
    }

    /// The name of the operation.
    pub const fn operation(&self) -> &'static str {
        self.operation
    }

    /// As the table has it. The list is leaked.
    pub(super) fn raw(&self) -> MondoSdkModel {
        let effects = self.effects.unwrap_or_default().iter();
        let (count, effects) = leaked(effects.map(|one| effect(one.0, one.1)).collect());
        MondoSdkModel {
            operation: string_ref(self.operation),
            hasEffects: self.effects.is_some(),
            numEffects: count,
            effects,
            speculatable: self.speculatable,
            inlinable: self.inlinable,
        }
    }
}
