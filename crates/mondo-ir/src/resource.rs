//! Elements that are a resource: memory that its owner keeps as long as MLIR needs it.

use std::ffi::c_void;

use mondo_sys::mlirUnmanagedDenseResourceElementsAttrGet;

use crate::attributes::DenseResourceAttr;
use crate::callback::{caught, string_ref};
use crate::types::ShapedType;

/// Memory that MLIR reads, and writes where it was told that it may.
///
/// ```
/// # use mondo_ir::{Blob, Context};
/// struct Numbers(Box<[f32; 2]>);
///
/// // SAFETY: the box does not move what is in it, and nothing else uses that.
/// unsafe impl Blob for Numbers {
///     fn memory(&self) -> (*mut u8, usize) {
///         (self.0.as_ptr().cast_mut().cast(), size_of::<[f32; 2]>())
///     }
/// }
///
/// Context::new().enter(|ctx, _| {
///     let type_ = ctx.tensor(&[Some(2)], ctx.f32(), None).unwrap().shaped();
///     let numbers = Numbers(Box::new([1.0, 2.0]));
///     let elements = type_.resource("numbers", numbers, 4, false).unwrap();
///     assert!(elements.to_string().starts_with("dense_resource<numbers>"));
/// });
/// ```
///
/// # Safety
///
/// The pointer stays the same, and may be used for that many bytes, until this is dropped; by any thread.
pub unsafe trait Blob: Send + 'static {
    /// The first byte, and the number of bytes.
    fn memory(&self) -> (*mut u8, usize);
}

/// The function that MLIR calls when it needs the memory no longer.
unsafe extern "C" fn release<B: Blob>(
    blob: *mut c_void,
    _data: *const c_void,
    _size: usize,
    _align: usize,
) {
    // SAFETY: `resource` leaked the blob, and MLIR calls this once. A panic ends here.
    let _ = caught(|| drop(unsafe { Box::from_raw(blob.cast::<B>()) }));
}

impl<'ctx> ShapedType<'ctx> {
    /// The attribute of elements that are in a blob, which is dropped when MLIR needs it no longer. MLIR may
    /// change the name, if there is a resource of that name. Returns `None` if the alignment is not a power of two, or
    /// MLIR does not make such an attribute.
    ///
    /// The elements are not looked at.
    pub fn resource<B: Blob>(
        self,
        name: &str,
        blob: B,
        alignment: usize,
        is_mutable: bool,
    ) -> Option<DenseResourceAttr<'ctx>> {
        if !alignment.is_power_of_two() {
            return None;
        }
        let (data, length) = blob.memory();
        let blob = Box::into_raw(Box::new(blob));
        // SAFETY: the type is shaped, MLIR copies the name, and the memory stays until `release` is called,
        // whether the attribute could be made or not. It is of that kind.
        unsafe {
            DenseResourceAttr::from_raw(mlirUnmanagedDenseResourceElementsAttrGet(
                self.raw(),
                string_ref(name),
                data.cast(),
                length,
                alignment,
                is_mutable,
                Some(release::<B>),
                blob.cast(),
            ))
        }
    }
}
