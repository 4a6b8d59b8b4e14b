//! The calls of `dialect_sdk.h` on parsers and printers, declared with types that are all that they ask for.
//!
//! A parser is live as long as something refers to it, so that a call that takes a reference is safe. What
//! mondo-sys has of the header is compared with each declaration while this is compiled.

use std::fmt;
use std::marker::PhantomData;

use mondo_sys::{
    MlirAttribute, MlirStringRef, MlirType, MondoSdkOpParser, MondoSdkOpPrinter, MondoSdkParser,
    MondoSdkPlace, MondoSdkPrinter,
};

use crate::brand::Brand;
use crate::text::Text;
use crate::uniqued_handles::{Attribute, Type};

/// A parser or printer of the shim's, which is known by references alone. What it reads and writes is of the
/// brand's context.
#[repr(C)]
pub(super) struct Shim<'ctx, T> {
    nothing: [u8; 0],
    brand: Brand<'ctx>,
    of: PhantomData<*mut T>,
}

impl<T> fmt::Debug for Shim<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:p}")
    }
}

impl<T> Shim<'_, T> {
    /// # Safety
    ///
    /// It is live for `'call`, in which nothing else refers to it, and of the brand's context.
    pub(super) unsafe fn of<'call>(raw: *mut T) -> &'call mut Self {
        // SAFETY: the caller upholds this function's contract. No byte of it is read or written here.
        unsafe { &mut *raw.cast() }
    }

    /// As the calls take it that are not declared here.
    pub(super) fn raw(&mut self) -> *mut T {
        std::ptr::from_mut(self).cast()
    }
}

pub(super) type RawParser<'ctx> = Shim<'ctx, MondoSdkParser>;
pub(super) type RawOpParser<'ctx> = Shim<'ctx, MondoSdkOpParser>;
pub(super) type RawPrinter<'ctx> = Shim<'ctx, MondoSdkPrinter>;
pub(super) type RawOpPrinter<'ctx> = Shim<'ctx, MondoSdkOpPrinter>;

/// A type that is passed as `Raw` is in C.
trait Passed {
    type Raw;
}

macro_rules! passed {
    ($($type:ty => $raw:ty;)+) => {
        $(impl Passed for $type {
            type Raw = $raw;
        })+
    };
}

passed! {
    () => ();
    bool => bool;
    isize => isize;
    MondoSdkPlace => MondoSdkPlace;
    *mut MondoSdkParser => *mut MondoSdkParser;
    *mut MondoSdkPrinter => *mut MondoSdkPrinter;
    &mut i64 => *mut i64;
    &mut bool => *mut bool;
    Text<'_> => MlirStringRef;
    &mut Text<'_> => *mut MlirStringRef;
    Type<'_> => MlirType;
    Option<Type<'_>> => MlirType;
    &mut Option<Type<'_>> => *mut MlirType;
    Attribute<'_> => MlirAttribute;
    &mut Option<Attribute<'_>> => *mut MlirAttribute;
}

impl<T> Passed for &mut Shim<'_, T> {
    type Raw = *mut T;
}

macro_rules! calls {
    ($($kind:ident $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        // SAFETY: the types are passed as those of the header, which `_compared` sees; a parser or printer is
        // live as long as it is referred to, and the handles are of its context by the brand. What is more than
        // that is a precondition of an `unsafe fn`.
        unsafe extern "C" {
            $(pub(super) $kind fn $name<'ctx>($($argument: $type),*) $(-> $result)?;)+
        }

        #[expect(clippy::extra_unused_lifetimes, reason = "not each call has something of a context")]
        const _: () = {
            $(#[allow(non_snake_case, unused_parens, reason = "the name is the function's")]
            fn $name<'ctx>() {
                let _: unsafe extern "C" fn($(<$type as Passed>::Raw),*) $(-> <$result as Passed>::Raw)? =
                    mondo_sys::$name;
            })+
            $(let _ = $name;)+
        };
    };
}

calls! {
    safe mondoSdkParserPlace(parser: &mut RawParser<'ctx>) -> MondoSdkPlace;
    safe mondoSdkParserEmit(parser: &mut RawParser<'ctx>, place: MondoSdkPlace, message: Text<'_>);
    safe mondoSdkParserTake(parser: &mut RawParser<'ctx>, token: Text<'_>) -> bool;
    safe mondoSdkParserExpect(parser: &mut RawParser<'ctx>, token: Text<'_>) -> bool;
    safe mondoSdkParserKeyword(parser: &mut RawParser<'ctx>, keyword: &mut Text<'ctx>) -> bool;
    safe mondoSdkParserInteger(parser: &mut RawParser<'ctx>, value: &mut i64) -> bool;
    safe mondoSdkParserType(parser: &mut RawParser<'ctx>, found: &mut Option<Type<'ctx>>) -> bool;
    safe mondoSdkParserOptionalType(
        parser: &mut RawParser<'ctx>, found: &mut Option<Type<'ctx>>
    ) -> bool;
    safe mondoSdkParserAttribute(
        parser: &mut RawParser<'ctx>, of: Option<Type<'ctx>>, found: &mut Option<Attribute<'ctx>>
    ) -> bool;
    safe mondoSdkOpParserBase(parser: &mut RawOpParser<'ctx>) -> *mut MondoSdkParser;
    safe mondoSdkOpParserOperand(parser: &mut RawOpParser<'ctx>) -> bool;
    safe mondoSdkOpParserOperands(parser: &mut RawOpParser<'ctx>) -> bool;
    safe mondoSdkOpParserNumOperands(parser: &mut RawOpParser<'ctx>) -> isize;
    unsafe mondoSdkOpParserResolve(parser: &mut RawOpParser<'ctx>, index: isize, of: Type<'ctx>) -> bool;
    safe mondoSdkOpParserAttrDict(parser: &mut RawOpParser<'ctx>) -> bool;
    safe mondoSdkOpParserAddAttribute(
        parser: &mut RawOpParser<'ctx>, name: Text<'_>, attribute: Attribute<'ctx>
    );
    safe mondoSdkOpParserAddType(parser: &mut RawOpParser<'ctx>, of: Type<'ctx>);
    safe mondoSdkOpParserInfer(parser: &mut RawOpParser<'ctx>) -> bool;
    safe mondoSdkOpParserAttributes(parser: &mut RawOpParser<'ctx>) -> bool;
    safe mondoSdkOpParserOptionalOperand(parser: &mut RawOpParser<'ctx>, found: &mut bool) -> bool;
    safe mondoSdkOpParserSymbolName(parser: &mut RawOpParser<'ctx>, attribute: Text<'_>) -> bool;
    safe mondoSdkOpParserArguments(parser: &mut RawOpParser<'ctx>) -> bool;
    unsafe mondoSdkOpParserRegion(parser: &mut RawOpParser<'ctx>, index: isize) -> bool;
    unsafe mondoSdkOpParserOptionalRegion(
        parser: &mut RawOpParser<'ctx>, index: isize, found: &mut bool
    ) -> bool;
    safe mondoSdkOpParserSuccessor(parser: &mut RawOpParser<'ctx>) -> bool;
    safe mondoSdkOpParserOptionalSuccessor(parser: &mut RawOpParser<'ctx>, found: &mut bool) -> bool;
    safe mondoSdkOpParserNumSuccessors(parser: &mut RawOpParser<'ctx>) -> isize;
    safe mondoSdkPrinterText(printer: &mut RawPrinter<'ctx>, text: Text<'_>);
    safe mondoSdkPrinterString(printer: &mut RawPrinter<'ctx>, text: Text<'_>);
    safe mondoSdkPrinterType(printer: &mut RawPrinter<'ctx>, of: Type<'ctx>);
    safe mondoSdkPrinterAttribute(printer: &mut RawPrinter<'ctx>, of: Attribute<'ctx>, with_type: bool);
    safe mondoSdkOpPrinterBase(printer: &mut RawOpPrinter<'ctx>) -> *mut MondoSdkPrinter;
    safe mondoSdkOpPrinterSymbolName(printer: &mut RawOpPrinter<'ctx>, name: Text<'_>);
}
