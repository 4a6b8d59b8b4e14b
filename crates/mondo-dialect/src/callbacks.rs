//! The functions that the shim calls. Each finds the definition behind a pointer, calls the
//! dialect's function, and turns an error or a panic into a diagnostic: nothing unwinds into C++.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::slice;

use mondo_sys::*;

use crate::asm::{Parsed, Parser, Printer};
use crate::call::Call;
use crate::custom_form;
use crate::definition::{Constant, Dialect, Op};
use crate::fold::Folded;
use crate::ir::{Attribute, Context, Location, Operation, Type, Value, c_string};
use crate::panic::caught;
use crate::parameters::Codec;
use crate::verify;

/// An operation's definition, as the callbacks get it.
#[derive(Debug)]
pub(crate) struct NamedOp {
    /// With the dialect's name.
    pub(crate) name: &'static str,
    pub(crate) op: &'static Op,
}

/// The table of them.
pub(crate) static CALLBACKS: MondoSdkCallbacks = MondoSdkCallbacks {
    verifyParameters: Some(verify_parameters),
    parseParameters: Some(parse_parameters),
    printParameters: Some(print_parameters),
    verifyOp: Some(verify_op),
    parseOp: Some(parse_op),
    printOp: Some(print_op),
    fold: Some(fold),
    infer: Some(infer),
    acceptsConstant: Some(accepts_constant),
};

/// The definition that a pointer of our tables stands for.
///
/// # Safety
///
/// `definition` was made by [`crate::registration`] from a `&'static T`.
unsafe fn defined<T>(definition: *const c_void) -> &'static T {
    // SAFETY: the caller vouches for it.
    unsafe { &*definition.cast() }
}

/// References to `count` attributes.
///
/// # Safety
///
/// There are so many at `attributes`, good for `'c`, and none is null.
unsafe fn attributes<'c>(count: isize, attributes: *const MlirAttribute) -> Vec<Attribute<'c>> {
    // SAFETY: the caller vouches for them.
    unsafe {
        raw_slice(count, attributes)
            .iter()
            .map(|raw| Attribute::new(*raw))
            .collect()
    }
}

/// The slice that C gives as a length and a pointer, which may be null if the length is zero.
///
/// # Safety
///
/// There are so many at `first`, good for `'a`.
unsafe fn raw_slice<'a, T>(count: isize, first: *const T) -> &'a [T] {
    match usize::try_from(count) {
        // SAFETY: the caller vouches for it.
        Ok(count) if count > 0 => unsafe { slice::from_raw_parts(first, count) },
        _ => &[],
    }
}

unsafe extern "C" fn verify_parameters(
    definition: *const c_void,
    diagnostics: *mut MondoSdkDiagnostics,
    count: isize,
    parameters: *const MlirAttribute,
) -> bool {
    // SAFETY: the shim passes what is in the table, and attributes good for the call.
    let (codec, parameters): (&Codec, _) =
        unsafe { (defined(definition), attributes(count, parameters)) };
    let what = || format!("verifying the parameters of '{}'", codec.name);
    let error = match caught(&what(), || (codec.verify)(&parameters)) {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    // SAFETY: the diagnostics are good for the call.
    unsafe { mondoSdkEmit(diagnostics, c_string(&error)) };
    false
}

unsafe extern "C" fn parse_parameters(
    definition: *const c_void,
    context: MlirContext,
    parser: *mut MondoSdkParser,
    parameters: *mut MondoSdkAttributes,
) -> bool {
    // SAFETY: the shim passes what is in the table, and a live context.
    let (codec, context): (&Codec, _) = unsafe { (defined(definition), Context::new(context)) };
    let mut reader = Parser {
        raw: parser,
        context,
    };
    let what = format!("parsing '{}'", codec.name);
    let Some(found) = parsed(&what, &mut reader, |reader| (codec.parse)(context, reader)) else {
        return false;
    };
    for attribute in found {
        // SAFETY: the list is good for the call, and the attribute is live.
        unsafe { mondoSdkAttributesPush(parameters, attribute.raw) };
    }
    true
}

/// Returns the result of `function`, or nothing if it fails, which has been reported then.
fn parsed<'c, T>(
    what: &str,
    reader: &mut Parser<'c>,
    function: impl FnOnce(&mut Parser<'c>) -> Parsed<T>,
) -> Option<T> {
    let start = reader.place();
    let failure = match caught(what, || function(reader)) {
        Ok(Ok(found)) => return Some(found),
        Ok(Err(failure)) => failure,
        Err(panic) => start.error(panic),
    };
    reader.report(start, failure);
    None
}

unsafe extern "C" fn print_parameters(
    definition: *const c_void,
    context: MlirContext,
    printer: *mut MondoSdkPrinter,
    count: isize,
    parameters: *const MlirAttribute,
) {
    // SAFETY: the shim passes what is in the table, a live context, and attributes good for the
    // call.
    let (codec, context, parameters): (&Codec, _, _) = unsafe {
        (
            defined(definition),
            Context::new(context),
            attributes(count, parameters),
        )
    };
    let mut writer = Printer {
        raw: printer,
        context,
        lives: PhantomData,
    };
    let what = format!("printing '{}'", codec.name);
    let error = match caught(&what, || (codec.print)(&parameters, &mut writer)) {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    writer.text("<<not printable>>");
    // SAFETY: the context is live.
    unsafe { mondoSdkEmitError(mlirLocationUnknownGet(context.raw), c_string(&error)) };
}

unsafe extern "C" fn verify_op(definition: *const c_void, op: MlirOperation) -> bool {
    // SAFETY: the shim passes what is in the table, and a live operation.
    let (NamedOp { op: definition, .. }, operation): (&NamedOp, _) =
        unsafe { (defined(definition), Operation::new(op)) };
    let error = match caught("its verifier", || verify::operation(definition, operation)) {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    // SAFETY: the operation is live.
    unsafe { mondoSdkEmitOpError(op, c_string(&error)) };
    false
}

unsafe extern "C" fn parse_op(
    definition: *const c_void,
    context: MlirContext,
    parser: *mut MondoSdkOpParser,
) -> bool {
    // SAFETY: the shim passes what is in the table, a live context, and a parser good for the call.
    let (NamedOp { name, op }, mut reader): (&'static NamedOp, _) = unsafe {
        let context = Context::new(context);
        let raw = mondoSdkOpParserBase(parser);
        (defined(definition), Parser { raw, context })
    };
    let what = format!("parsing '{name}'");
    // SAFETY: both are good for the call. An operation with a custom form has pieces.
    let read = |reader: &mut Parser<'_>| unsafe {
        custom_form::parse(op, op.assembly.unwrap_or_default(), parser, reader)
    };
    parsed(&what, &mut reader, read).is_some()
}

unsafe extern "C" fn print_op(
    definition: *const c_void,
    op: MlirOperation,
    printer: *mut MondoSdkOpPrinter,
) {
    // SAFETY: the shim passes what is in the table, a live operation, and a printer good for the
    // call.
    let (NamedOp { op: definition, .. }, operation, raw): (&'static NamedOp, _, _) = unsafe {
        (
            defined(definition),
            Operation::new(op),
            mondoSdkOpPrinterBase(printer),
        )
    };
    let mut writer = Printer {
        raw,
        context: operation.context(),
        lives: PhantomData,
    };
    let pieces = definition.assembly.unwrap_or_default();
    // SAFETY: the printer is good for the call.
    let write =
        || unsafe { custom_form::print(definition, pieces, operation, printer, &mut writer) };
    if let Err(panic) = caught("its printer", write) {
        // SAFETY: the operation is live.
        unsafe { mondoSdkEmitOpError(op, c_string(&panic)) };
    }
}

unsafe extern "C" fn fold(
    definition: *const c_void,
    op: MlirOperation,
    count: isize,
    constants: *const MlirAttribute,
    folded: *mut MondoSdkFolded,
) -> bool {
    // SAFETY: the shim passes what is in the table, a live operation, and so many attributes, of
    // which those of operands that are no constants are null.
    let (NamedOp { op: definition, .. }, operation, constants): (&NamedOp, _, Vec<_>) = unsafe {
        let constants = raw_slice(count, constants).iter();
        let constants = constants.map(|raw| (!raw.ptr.is_null()).then(|| Attribute::new(*raw)));
        (defined(definition), Operation::new(op), constants.collect())
    };
    let Some(function) = definition.fold else {
        return false;
    };
    let error = match caught("its folder", || {
        let Some(found) = function(operation, &constants) else {
            return Ok(None);
        };
        verify::folded(operation, found).map(Some)
    }) {
        Ok(Ok(None)) => return false,
        Ok(Ok(Some(found))) => {
            for one in found {
                match one {
                    // SAFETY: the list is good for the call, and the attribute is live.
                    Folded::Constant(it) => unsafe { mondoSdkFoldedPushAttribute(folded, it.raw) },
                    // SAFETY: as above, for a value.
                    Folded::Value(it) => unsafe { mondoSdkFoldedPushValue(folded, it.raw) },
                    Folded::Many(_) => {}
                }
            }
            return true;
        }
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    // SAFETY: the operation is live.
    unsafe {
        mondoSdkEmitOpError(op, c_string(&error));
        mondoSdkFailNextVerification(op);
    }
    false
}

unsafe extern "C" fn infer(
    definition: *const c_void,
    context: MlirContext,
    location: MlirLocation,
    count: isize,
    operands: *const MlirValue,
    attributes: MlirAttribute,
    types: *mut MondoSdkTypes,
) -> bool {
    // SAFETY: the shim passes what is in the table, and all the rest is live for the call.
    let (
        NamedOp {
            name,
            op: definition,
        },
        call,
    ): (&NamedOp, _) = unsafe {
        let operands = raw_slice(count, operands).iter();
        let call = Call {
            context: Context::new(context),
            operands: operands.map(|raw| Value::new(*raw)).collect(),
            attributes: Attribute::new(attributes),
        };
        (defined(definition), call)
    };
    let Some(function) = definition.infer else {
        return false;
    };
    let error = match caught("inferring the types of its results", || function(&call)) {
        Ok(Ok(found)) => {
            for ty in found {
                // SAFETY: the list is good for the call, and the type is live.
                unsafe { mondoSdkTypesPush(types, ty.raw) };
            }
            return true;
        }
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    if !location.ptr.is_null() {
        // SAFETY: it is a live location.
        let location = unsafe { Location::new(location) };
        let message = format!("'{name}' op {error}");
        // SAFETY: the location is live.
        unsafe { mondoSdkEmitError(location.raw, c_string(&message)) };
    }
    false
}

unsafe extern "C" fn accepts_constant(
    definition: *const c_void,
    value: MlirAttribute,
    ty: MlirType,
) -> bool {
    // SAFETY: the shim passes what is in the table, and both are live.
    let (dialect, value, ty): (&Dialect, _, _) =
        unsafe { (defined(definition), Attribute::new(value), Type::new(ty)) };
    let Some(Constant { accepts, .. }) = dialect.constant else {
        return false;
    };
    match caught("looking at a constant", || accepts(value, ty)) {
        Ok(accepted) => accepted,
        Err(panic) => {
            // SAFETY: the context is live.
            unsafe {
                let place = mlirLocationUnknownGet(value.context().raw);
                mondoSdkEmitError(place, c_string(&panic));
            }
            false
        }
    }
}
