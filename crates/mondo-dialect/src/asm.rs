//! Reading and writing what stands between the angle brackets of a type or attribute.

use std::marker::PhantomData;

use mondo_sys::*;

use crate::error::Error;
use crate::ir::{Attribute, Context, Type, append, c_string, rust_string};

/// The reason for which nothing could be read.
#[derive(Debug)]
pub struct Failure(pub(crate) Option<(Option<MondoSdkPlace>, Error)>);

/// The result of reading; a failure carries its message, unless it is reported already.
pub type Parsed<T> = Result<T, Failure>;

impl Failure {
    /// MLIR's parser has said why.
    const REPORTED: Self = Self(None);
}

/// An error is reported where the parser began with the type, attribute or operation.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(Some((None, error)))
    }
}

/// A place in the text that is read.
#[derive(Debug, Clone, Copy)]
pub struct Place(MondoSdkPlace);

impl Place {
    /// The error of that message, at this place.
    #[must_use]
    pub fn error(self, message: impl Into<Error>) -> Failure {
        Failure(Some((Some(self.0), message.into())))
    }
}

/// Reads a type or an attribute.
#[derive(Debug)]
pub struct Parser<'c> {
    pub(crate) raw: *mut MondoSdkParser,
    pub(crate) context: Context<'c>,
}

impl<'c> Parser<'c> {
    /// The context.
    #[must_use]
    pub fn context(&self) -> Context<'c> {
        self.context
    }

    /// The place of what is read next.
    pub fn place(&mut self) -> Place {
        // SAFETY: the parser lives as long as `self`.
        Place(unsafe { mondoSdkParserPlace(self.raw) })
    }

    /// Reads a token or keyword, if it is there: `<`, `,`, `->`, `f32`.
    pub fn take(&mut self, token: &str) -> bool {
        // SAFETY: the parser lives as long as `self`.
        unsafe { mondoSdkParserTake(self.raw, c_string(token)) }
    }

    /// Reads a token or keyword.
    ///
    /// # Errors
    ///
    /// If it is not there.
    pub fn expect(&mut self, token: &str) -> Parsed<()> {
        // SAFETY: the parser lives as long as `self`.
        said(unsafe { mondoSdkParserExpect(self.raw, c_string(token)) })
    }

    /// Reads any keyword.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn keyword(&mut self) -> Parsed<String> {
        let mut found = c_string("");
        // SAFETY: the parser lives as long as `self`, and the keyword as long as the text.
        unsafe {
            said(mondoSdkParserKeyword(self.raw, &raw mut found))?;
            Ok(rust_string(found).unwrap_or_default().to_owned())
        }
    }

    /// Reads a string in quotes.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn string(&mut self) -> Parsed<String> {
        let mut found = String::new();
        // SAFETY: the parser lives as long as `self`, and `append` gets the string it expects.
        let there =
            unsafe { mondoSdkParserString(self.raw, Some(append), (&raw mut found).cast()) };
        said(there).map(|()| found)
    }

    /// Reads an integer.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not fit.
    pub fn integer(&mut self) -> Parsed<i64> {
        let mut found = 0;
        // SAFETY: the parser lives as long as `self`.
        said(unsafe { mondoSdkParserInteger(self.raw, &raw mut found) }).map(|()| found)
    }

    /// Reads a floating-point number, as MLIR writes doubles.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn float(&mut self) -> Parsed<f64> {
        let place = self.place();
        let attribute = self.attribute_of(self.context.f64())?;
        attribute
            .as_float()
            .ok_or_else(|| place.error("expected a floating-point number"))
    }

    /// Reads a type.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn ty(&mut self) -> Parsed<Type<'c>> {
        let mut found = MlirType {
            ptr: std::ptr::null(),
        };
        // SAFETY: the parser lives as long as `self`; what was found is not null and lives as long
        // as the context.
        unsafe {
            said(mondoSdkParserType(self.raw, &raw mut found))?;
            Ok(Type::new(found))
        }
    }

    /// Reads an attribute with its type.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn attribute(&mut self) -> Parsed<Attribute<'c>> {
        self.attribute_as(MlirType {
            ptr: std::ptr::null(),
        })
    }

    /// Reads an attribute of a type that is not written.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn attribute_of(&mut self, ty: Type<'c>) -> Parsed<Attribute<'c>> {
        self.attribute_as(ty.raw)
    }

    fn attribute_as(&mut self, ty: MlirType) -> Parsed<Attribute<'c>> {
        let mut found = MlirAttribute {
            ptr: std::ptr::null(),
        };
        // SAFETY: the parser lives as long as `self`, a type may be null; what was found is not
        // null and lives as long as the context.
        unsafe {
            said(mondoSdkParserAttribute(self.raw, ty, &raw mut found))?;
            Ok(Attribute::new(found))
        }
    }

    /// Reports why nothing could be read, if nobody has yet; at `start`, unless there is a better
    /// place.
    pub(crate) fn report(&mut self, start: Place, failure: Failure) {
        if let Some((place, error)) = failure.0 {
            let place = place.unwrap_or(start.0);
            // SAFETY: the parser lives as long as `self`, and the place is in its text.
            unsafe { mondoSdkParserEmit(self.raw, place, c_string(error.message())) };
        }
    }
}

/// MLIR's functions report what they return false for.
pub(crate) fn said(there: bool) -> Parsed<()> {
    if there {
        Ok(())
    } else {
        Err(Failure::REPORTED)
    }
}

/// Writes a type or an attribute.
#[derive(Debug)]
pub struct Printer<'c> {
    pub(crate) raw: *mut MondoSdkPrinter,
    pub(crate) context: Context<'c>,
    pub(crate) lives: PhantomData<&'c mut ()>,
}

impl<'c> Printer<'c> {
    /// The context.
    #[must_use]
    pub fn context(&self) -> Context<'c> {
        self.context
    }

    /// Writes text as it is.
    pub fn text(&mut self, text: &str) {
        // SAFETY: the printer lives as long as `self`.
        unsafe { mondoSdkPrinterText(self.raw, c_string(text)) }
    }

    /// Writes text in quotes, so that [`Parser::string`] gives it again.
    pub fn string(&mut self, text: &str) {
        // SAFETY: the printer lives as long as `self`.
        unsafe { mondoSdkPrinterString(self.raw, c_string(text)) }
    }

    /// Writes a number so that [`Parser::float`] gives it again, to the last bit.
    pub fn float(&mut self, value: f64) {
        let attribute = self.context.float_attribute(self.context.f64(), value);
        self.print(attribute, false);
    }

    /// Writes a type.
    pub fn ty(&mut self, ty: Type<'_>) {
        // SAFETY: the printer lives as long as `self`, and the type is live.
        unsafe { mondoSdkPrinterType(self.raw, ty.raw) }
    }

    /// Writes an attribute with its type.
    pub fn attribute(&mut self, attribute: Attribute<'_>) {
        self.print(attribute, true);
    }

    fn print(&mut self, attribute: Attribute<'_>, with_type: bool) {
        // SAFETY: the printer lives as long as `self`, and the attribute is live.
        unsafe { mondoSdkPrinterAttribute(self.raw, attribute.raw, with_type) }
    }
}
