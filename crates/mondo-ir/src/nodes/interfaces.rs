//! Interfaces of operations, and the inference of results.

use std::ffi::c_void;

use mondo_sys::{
    MlirAttribute, MlirType, mlirInferShapedTypeOpInterfaceInferReturnTypes,
    mlirInferShapedTypeOpInterfaceTypeID, mlirInferTypeOpInterfaceInferReturnTypes,
    mlirInferTypeOpInterfaceTypeID, mlirOperationImplementsInterface,
    mlirOperationImplementsInterfaceStatic, mondoInferenceCheck,
};

use super::unchecked::is_unchecked;
use super::{Op, Region, Value};
use crate::attributes::DictionaryAttr;
use crate::callback::{string_ref, text};
use crate::uniqued_handles::{Attribute, Location, Type, TypeId, raw_or_null};
use crate::uniquer::Uniquer;

/// An interface that infers the results of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inference {
    /// `InferTypeOpInterface`.
    Types,
    /// `InferShapedTypeOpInterface`.
    Shapes,
}

impl Inference {
    fn type_id(self) -> TypeId<'static> {
        // SAFETY: there is no precondition, and the object behind it is static.
        unsafe {
            crate::c_type::CType::of_raw(match self {
                Self::Types => mlirInferTypeOpInterfaceTypeID(),
                Self::Shapes => mlirInferShapedTypeOpInterfaceTypeID(),
            })
        }
    }

    /// Returns true if the operation has the interface.
    pub fn is_of(self, op: Op<'_>) -> bool {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`).
        unsafe { mlirOperationImplementsInterface(op.raw(), self.type_id().raw()) }
    }

    /// Returns true if the operations of a name have the interface.
    pub fn is_of_name(self, ctx: Uniquer<'_>, name: &str) -> bool {
        // SAFETY: a `Uniquer` is of a live context, by its brand; MLIR reads the name during the call only.
        unsafe {
            mlirOperationImplementsInterfaceStatic(
                string_ref(name),
                ctx.raw(),
                self.type_id().raw(),
            )
        }
    }
}

/// The parts of an operation whose results are inferred.
#[derive(Debug)]
pub struct Inferred<'a, 'ctx> {
    /// The name of the operation.
    pub name: &'a str,
    /// The location.
    pub location: Location<'ctx>,
    /// The operands.
    pub operands: &'a [Value<'ctx>],
    /// The attributes.
    pub attributes: Option<DictionaryAttr<'ctx>>,
    /// The regions.
    pub regions: &'a [Region<'ctx>],
}

/// The components that MLIR infers for one result.
#[derive(Debug)]
pub struct Components<'ctx> {
    /// The sizes; none without a rank.
    pub shape: Option<Vec<i64>>,
    /// The type of the elements.
    pub element_type: Option<Type<'ctx>>,
}

/// Calls a function of the C API that infers something of the results: the interfaces have the same parameters, but for
/// the type of the callback, which appends to `found`.
macro_rules! infer {
    ($self:ident, $ctx:ident, $function:ident, $append:ident, $found:ident) => {
        $function(
            string_ref($self.name),
            $ctx.raw(),
            $self.location.raw(),
            $self.operands.len() as isize,
            $self.operands.as_ptr().cast_mut().cast(),
            $self.raw_attributes(),
            std::ptr::null_mut(),
            $self.regions.len() as isize,
            $self.regions.as_ptr().cast_mut().cast(),
            Some($append),
            (&raw mut $found).cast(),
        )
    };
}

impl<'ctx> Inferred<'_, 'ctx> {
    /// The attributes as MLIR takes them: null where there are none.
    fn raw_attributes(&self) -> MlirAttribute {
        raw_or_null(self.attributes.map(Attribute::any))
    }

    /// Fails where the verifier would refuse such an operation, with so many regions, for what inference relies
    /// on without a look at it.
    pub(super) fn check(&self, regions: usize) -> Result<(), String> {
        if !is_unchecked(self.name) {
            return Ok(());
        }
        let print = |sink, data| {
            // SAFETY: all is live and of one context, by the brand; the counts are those of the arrays.
            unsafe {
                mondoInferenceCheck(
                    string_ref(self.name),
                    self.location.raw(),
                    self.operands.len() as isize,
                    self.operands.as_ptr().cast(),
                    self.raw_attributes(),
                    regions as isize,
                    sink,
                    data,
                )
            }
        };
        match text(print) {
            (_, valid) if valid.value != 0 => Ok(()),
            (message, _) => Err(message),
        }
    }

    /// The types of the results, or `None` if they cannot be inferred.
    ///
    /// # Errors
    /// The verifier's message about operands or attributes that MLIR's inference must not see.
    pub fn types(&self, ctx: Uniquer<'ctx>) -> Result<Option<Vec<Type<'ctx>>>, String> {
        unsafe extern "C" fn append(count: isize, types: *mut MlirType, found: *mut c_void) {
            // SAFETY: `found` is the vector below, and there are as many types as MLIR says.
            unsafe {
                let found = &mut *found.cast::<Vec<MlirType>>();
                for index in 0..count.max(0) {
                    found.push(*types.offset(index));
                }
            }
        }
        self.check(self.regions.len())?;
        let mut found: Vec<MlirType> = Vec::new();
        // SAFETY: everything is live and of the one context, by the brand; the counts are those of the arrays,
        // which are in the form of the C API, and are only read.
        let inferred = unsafe {
            infer!(
                self,
                ctx,
                mlirInferTypeOpInterfaceInferReturnTypes,
                append,
                found
            )
        };
        if inferred.value == 0 {
            return Ok(None);
        }
        // SAFETY: MLIR made the types in this context.
        let types = found.into_iter().map(|raw| unsafe { Type::from_raw(raw) });
        Ok(types.collect())
    }

    /// The components of the results, or `None` if they cannot be inferred.
    ///
    /// # Errors
    /// As for [`types`](Self::types).
    pub fn shapes(&self, ctx: Uniquer<'ctx>) -> Result<Option<Vec<Components<'ctx>>>, String> {
        type Found = Vec<(Option<Vec<i64>>, MlirType)>;
        unsafe extern "C" fn append(
            has_rank: bool,
            rank: isize,
            shape: *const i64,
            element_type: MlirType,
            _attribute: MlirAttribute,
            found: *mut c_void,
        ) {
            // SAFETY: `found` is the vector below, and there are as many sizes as MLIR says.
            unsafe {
                let size = |index| *shape.offset(index);
                let shape = has_rank.then(|| (0..rank.max(0)).map(size).collect());
                (*found.cast::<Found>()).push((shape, element_type));
            }
        }
        self.check(self.regions.len())?;
        let mut found = Found::new();
        // SAFETY: all parts are live and of one context, by the brand; the counts are those of the arrays,
        // which are only read. `append` gets the vector as `found`.
        let inferred = unsafe {
            infer!(
                self,
                ctx,
                mlirInferShapedTypeOpInterfaceInferReturnTypes,
                append,
                found
            )
        };
        let components = found.into_iter().map(|(shape, raw)| Components {
            shape,
            // SAFETY: MLIR made the type in this context.
            element_type: unsafe { Type::from_raw(raw) },
        });
        Ok((inferred.value != 0).then(|| components.collect()))
    }
}
