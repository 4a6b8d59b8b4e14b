//! The types and attributes that dialects in Rust define, made of their parameters and asked for them.

use mondo_sys::{
    MlirAttribute, MlirContext, MlirLocation, MlirStringRef, mondoSdkAttributeGet,
    mondoSdkAttributeGetNumParameters, mondoSdkAttributeGetParameter, mondoSdkAttributeIs,
    mondoSdkTypeGet, mondoSdkTypeGetNumParameters, mondoSdkTypeGetParameter, mondoSdkTypeIs,
};

use crate::callback::string_ref;
use crate::sdk::codec::Parameters;
use crate::sdk::error::{Error, Result};
use crate::uniqued_handles::{Attribute, Type};
use crate::uniquer::Uniquer;

impl<'ctx> Uniquer<'ctx> {
    /// The type with these parameters, of a dialect that is loaded.
    ///
    /// # Errors
    /// Fails if there is no such type in this context, or the parameters are refused, which a diagnostic
    /// says, too.
    pub fn defined_type<T: Parameters>(self, parameters: &T) -> Result<Type<'ctx>> {
        // SAFETY: the type is of this context, or null.
        let found = unsafe { Type::from_raw(self.defined(parameters, mondoSdkTypeGet)) };
        found.ok_or_else(|| refused::<T>("type", '!'))
    }

    /// The attribute with these parameters, of a dialect that is loaded.
    ///
    /// # Errors
    /// As for [`Self::defined_type`].
    pub fn defined_attribute<T: Parameters>(self, parameters: &T) -> Result<Attribute<'ctx>> {
        // SAFETY: the attribute is of this context, or null.
        let found = unsafe { Attribute::from_raw(self.defined(parameters, mondoSdkAttributeGet)) };
        found.ok_or_else(|| refused::<T>("attribute", '#'))
    }

    /// Calls `get` with the name of `T` and these parameters; the result may be null.
    fn defined<T: Parameters, R>(self, parameters: &T, get: Get<R>) -> R {
        let encoded: Vec<_> = parameters
            .encode(self)
            .iter()
            .map(|attribute| attribute.raw())
            .collect();
        // SAFETY: everything is live, and the pointer and the length are a vector's.
        unsafe {
            get(
                self.raw(),
                self.unknown().raw(),
                string_ref(T::DIALECT),
                string_ref(T::NAME),
                encoded.len() as isize,
                encoded.as_ptr(),
            )
        }
    }
}

/// The signature of `mondoSdkTypeGet` and `mondoSdkAttributeGet`.
type Get<R> = unsafe extern "C" fn(
    MlirContext,
    MlirLocation,
    MlirStringRef,
    MlirStringRef,
    isize,
    *const MlirAttribute,
) -> R;

fn refused<T: Parameters>(what: &str, sigil: char) -> Error {
    let (dialect, name) = (T::DIALECT, T::NAME);
    Error::new(format!(
        "there is no such {what}: `{sigil}{dialect}.{name}` is not defined in this context, or \
         refuses its parameters"
    ))
}

impl Type<'_> {
    /// The parameters, if it is the type that they belong to.
    pub fn parameters<T: Parameters>(self) -> Option<T> {
        // SAFETY: the type is live; the others are asked only if it is of that definition, and for
        // no more parameters than it has.
        let parameters: Vec<_> = unsafe {
            if !mondoSdkTypeIs(self.raw(), string_ref(T::DIALECT), string_ref(T::NAME)) {
                return None;
            }
            (0..mondoSdkTypeGetNumParameters(self.raw()))
                .map(|index| Attribute::expect(mondoSdkTypeGetParameter(self.raw(), index)))
                .collect()
        };
        // They were verified when the type was made.
        T::decode(&parameters).ok()
    }
}

impl Attribute<'_> {
    /// The parameters, if it is the attribute that they belong to.
    pub fn parameters<T: Parameters>(self) -> Option<T> {
        // SAFETY: the attribute is live; the others are asked only if it is of that definition, and
        // for no more parameters than it has.
        let parameters: Vec<_> = unsafe {
            if !mondoSdkAttributeIs(self.raw(), string_ref(T::DIALECT), string_ref(T::NAME)) {
                return None;
            }
            (0..mondoSdkAttributeGetNumParameters(self.raw()))
                .map(|index| Attribute::expect(mondoSdkAttributeGetParameter(self.raw(), index)))
                .collect()
        };
        // They were verified when the attribute was made.
        T::decode(&parameters).ok()
    }
}
