//! Types and attributes with parameters: a Rust value, and MLIR's attributes that encode it.

use mondo_sys::*;

use crate::asm::{Parsed, Parser, Printer};
use crate::error::{Error, Result};
use crate::ir::{Attribute, Context, Type, c_string};

/// The parameters of a type or an attribute of a dialect.
///
/// MLIR keeps the attributes of [`Self::encode`] and nothing else: two types are the same if these
/// are. So values that mean the same must be encoded the same.
pub trait Parameters: Sized + 'static {
    /// The dialect's name.
    const DIALECT: &'static str;
    /// The name without the dialect's: `q` for `!units.q`.
    const NAME: &'static str;
    /// One sentence for the documentation.
    const SUMMARY: &'static str;

    /// The value that these attributes stand for.
    ///
    /// # Errors
    ///
    /// If they stand for none: then there is no such type or attribute. Anyone can come with any
    /// attributes.
    fn decode(parameters: &[Attribute<'_>]) -> Result<Self>;

    /// The attributes that stand for the value.
    fn encode<'c>(&self, context: Context<'c>) -> Vec<Attribute<'c>>;

    /// Reads what follows the name, which [`Self::print`] writes.
    ///
    /// # Errors
    ///
    /// If that is not there.
    fn parse(parser: &mut Parser<'_>) -> Parsed<Self>;

    /// Writes what follows the name.
    fn print(&self, printer: &mut Printer<'_>);
}

/// The functions of a [`Parameters`], whichever it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Codec {
    pub(crate) dialect: &'static str,
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) verify: fn(&[Attribute<'_>]) -> Result<()>,
    pub(crate) parse: for<'c> fn(Context<'c>, &mut Parser<'c>) -> Parsed<Vec<Attribute<'c>>>,
    pub(crate) print: fn(&[Attribute<'_>], &mut Printer<'_>) -> Result<()>,
}

impl Codec {
    pub(crate) const fn of<T: Parameters>() -> Self {
        Self {
            dialect: T::DIALECT,
            name: T::NAME,
            summary: T::SUMMARY,
            verify: |parameters| T::decode(parameters).map(drop),
            parse: |context, parser| Ok(T::parse(parser)?.encode(context)),
            print: |parameters, printer| {
                T::decode(parameters)?.print(printer);
                Ok(())
            },
        }
    }
}

impl<'c> Context<'c> {
    /// The type with these parameters, of a dialect that is loaded.
    ///
    /// # Errors
    ///
    /// If there is no such type in this context, or the parameters are refused, which a diagnostic
    /// says, too.
    pub fn defined_type<T: Parameters>(self, parameters: &T) -> Result<Type<'c>> {
        let raw = self.defined(parameters, mondoSdkTypeGet);
        if raw.ptr.is_null() {
            return Err(refused::<T>("type", '!'));
        }
        // SAFETY: it is not null, and types live as long as their context.
        Ok(unsafe { Type::new(raw) })
    }

    /// The attribute with these parameters, of a dialect that is loaded.
    ///
    /// # Errors
    ///
    /// As for [`Self::defined_type`].
    pub fn defined_attribute<T: Parameters>(self, parameters: &T) -> Result<Attribute<'c>> {
        let raw = self.defined(parameters, mondoSdkAttributeGet);
        if raw.ptr.is_null() {
            return Err(refused::<T>("attribute", '#'));
        }
        // SAFETY: it is not null, and attributes live as long as their context.
        Ok(unsafe { Attribute::new(raw) })
    }

    /// Calls `get` with the name of `T` and these parameters; the result may be null.
    fn defined<T: Parameters, R>(self, parameters: &T, get: Get<R>) -> R {
        let encoded: Vec<_> = parameters.encode(self).iter().map(|it| it.raw).collect();
        // SAFETY: everything is live, and the pointer and the length are a vector's.
        unsafe {
            get(
                self.raw,
                self.unknown_location(),
                c_string(T::DIALECT),
                c_string(T::NAME),
                encoded.len().cast_signed(),
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
    #[must_use]
    pub fn parameters<T: Parameters>(self) -> Option<T> {
        // SAFETY: the type is live; the others are asked only if it is of that definition, and for
        // no more parameters than it has.
        let parameters: Vec<_> = unsafe {
            if !mondoSdkTypeIs(self.raw, c_string(T::DIALECT), c_string(T::NAME)) {
                return None;
            }
            (0..mondoSdkTypeGetNumParameters(self.raw))
                .map(|index| Attribute::new(mondoSdkTypeGetParameter(self.raw, index)))
                .collect()
        };
        // They were verified when the type was made.
        T::decode(&parameters).ok()
    }
}

impl Attribute<'_> {
    /// The parameters, if it is the attribute that they belong to.
    #[must_use]
    pub fn parameters<T: Parameters>(self) -> Option<T> {
        // SAFETY: the attribute is live; the others are asked only if it is of that definition, and
        // for no more parameters than it has.
        let parameters: Vec<_> = unsafe {
            if !mondoSdkAttributeIs(self.raw, c_string(T::DIALECT), c_string(T::NAME)) {
                return None;
            }
            (0..mondoSdkAttributeGetNumParameters(self.raw))
                .map(|index| Attribute::new(mondoSdkAttributeGetParameter(self.raw, index)))
                .collect()
        };
        // They were verified when the attribute was made.
        T::decode(&parameters).ok()
    }
}
