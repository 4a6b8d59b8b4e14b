//! Diagnostics while a handler looks at them.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use mondo_sys::{
    MlirDiagnostic, MlirDiagnosticError, mlirDiagnosticGetLocation, mlirDiagnosticGetNote,
    mlirDiagnosticGetNumNotes, mlirDiagnosticGetSeverity, mlirDiagnosticPrint,
};

use crate::callback::text;
use crate::uniqued_handles::Location;

/// A diagnostic that was emitted, until its handler returns.
#[derive(Debug, Clone, Copy)]
pub struct Emitted<'ctx> {
    raw: MlirDiagnostic,
    brand: PhantomData<Location<'ctx>>,
}

impl<'ctx> Emitted<'ctx> {
    /// # Safety
    ///
    /// The diagnostic is live as long as the brand can be used, and of the brand's context.
    pub(crate) unsafe fn from_raw(raw: MlirDiagnostic) -> Self {
        Self {
            raw,
            brand: PhantomData,
        }
    }

    /// The diagnostic at an address.
    ///
    /// # Safety
    ///
    /// The address is that of a diagnostic which is live as long as the brand can be used, and of the brand's context.
    pub unsafe fn at(address: NonNull<c_void>) -> Self {
        let ptr = address.as_ptr();
        // SAFETY: this function has the contract of `from_raw`, for a diagnostic at an address.
        unsafe { Self::from_raw(MlirDiagnostic { ptr }) }
    }

    /// The address by which MLIR knows it.
    pub fn address(self) -> *mut c_void {
        self.raw.ptr
    }

    /// Returns true if it is an error.
    pub fn is_error(self) -> bool {
        self.severity() == MlirDiagnosticError
    }

    /// The severity, as the C API numbers it.
    pub fn severity(self) -> u32 {
        // SAFETY: the diagnostic is live while its brand can be used (`from_raw`).
        unsafe { mlirDiagnosticGetSeverity(self.raw) }
    }

    /// The location that it is about.
    pub fn location(self) -> Location<'ctx> {
        // SAFETY: the diagnostic is live, and its location is of its context.
        unsafe { Location::expect(mlirDiagnosticGetLocation(self.raw)) }
    }

    /// The text, without the location and the notes.
    pub fn message(self) -> String {
        // SAFETY: the diagnostic is live while its brand can be used (`from_raw`).
        text(|sink, data| unsafe { mlirDiagnosticPrint(self.raw, sink, data) }).0
    }

    /// The number of notes.
    pub fn note_count(self) -> usize {
        // SAFETY: the diagnostic is live while its brand can be used (`from_raw`).
        unsafe { mlirDiagnosticGetNumNotes(self.raw) }.unsigned_abs()
    }

    /// The note at that index.
    pub fn note(self, index: usize) -> Option<Self> {
        // SAFETY: the index is below the count, and a note lives as long as its diagnostic.
        (index < self.note_count())
            .then(|| unsafe { Self::from_raw(mlirDiagnosticGetNote(self.raw, index as isize)) })
    }
}
