//! The functions that the shim calls. Each finds the definition behind a pointer, calls the
//! dialect's function, and turns an error or a panic into a diagnostic: nothing unwinds into C++.

use std::ffi::c_void;
use std::slice;

use mondo_sys::{
    MlirAttribute, MlirContext, MlirLocation, MlirOperation, MlirPatternRewriter, MlirRegion,
    MlirType, MlirValue, MondoConversionRewriter, MondoSdkAttributes, MondoSdkCallbacks,
    MondoSdkDiagnostics, MondoSdkFolded, MondoSdkLoweredType, MondoSdkOpParser, MondoSdkOpPrinter,
    MondoSdkParser, MondoSdkPrinter, MondoSdkRewritten, MondoSdkRun, MondoSdkTypes,
    MondoSdkVerification, mondoSdkAttributesPush, mondoSdkAttributesPushNothing, mondoSdkEmit,
    mondoSdkEmitError, mondoSdkEmitOpError, mondoSdkFailNextVerification,
    mondoSdkFoldedPushAttribute, mondoSdkFoldedPushValue, mondoSdkTypesPush,
};

use crate::callback::string_ref;
use crate::sdk::call::Call;
use crate::sdk::codec::Codec;
use crate::sdk::defined::{Constants, DefinedOp, Verification};
use crate::sdk::folded::{self, Folded};
use crate::sdk::lowering::{self, LowerType, Lowering};
use crate::sdk::operation::Region;
use crate::sdk::operation::{Operation, Value};
use crate::sdk::panic::caught;
use crate::sdk::parser::{OpParser, Parsed, Parser};
use crate::sdk::printer::{OpPrinter, Printer};
use crate::sdk::rewriting::{self, PassRow, Pattern};
use crate::uniqued_handles::{Attribute, Location, Type};
use crate::uniquer::Uniquer;

/// The table of the functions.
pub(super) static CALLBACKS: MondoSdkCallbacks = MondoSdkCallbacks {
    verifyParameters: Some(verify_parameters),
    parseParameters: Some(parse_parameters),
    printParameters: Some(print_parameters),
    verifyOp: Some(verify_op),
    parseOp: Some(parse_op),
    printOp: Some(print_op),
    fold: Some(fold),
    infer: Some(infer),
    acceptsConstant: Some(accepts_constant),
    defaults: Some(defaults),
    rewrite: Some(rewrite),
    runPass: Some(run_pass),
    lower: Some(lower),
    lowerType: Some(lower_type),
};

/// The definition that a pointer of our tables stands for.
///
/// # Safety
///
/// `definition` was made by [`crate::sdk::table`] from a `&'static T`.
unsafe fn defined<T>(definition: *const c_void) -> &'static T {
    // SAFETY: `definition` comes from a row that `crate::sdk::table` made from a `&'static T` (this
    // function's contract).
    unsafe { &*definition.cast() }
}

/// References to `count` attributes.
///
/// # Safety
///
/// There are so many at `attributes`, good for `'ctx`, and none is null.
unsafe fn attributes<'ctx>(count: isize, attributes: *const MlirAttribute) -> Vec<Attribute<'ctx>> {
    // SAFETY: so many attributes are there, live for `'ctx` and not null, by this function's contract.
    unsafe {
        raw_slice(count, attributes)
            .iter()
            .map(|raw| Attribute::expect(*raw))
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
        // SAFETY: so many elements are there, live for `'a`, by this function's contract.
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
    unsafe { mondoSdkEmit(diagnostics, string_ref(&error)) };
    false
}

unsafe extern "C" fn parse_parameters(
    definition: *const c_void,
    context: MlirContext,
    parser: *mut MondoSdkParser,
    parameters: *mut MondoSdkAttributes,
) -> bool {
    // SAFETY: the shim passes what is in the table, and a live context.
    let (codec, context): (&Codec, _) = unsafe { (defined(definition), Uniquer::expect(context)) };
    // SAFETY: the parser is good for the call, and of the context.
    let mut reader = unsafe { Parser::new(parser, context) };
    let what = format!("parsing '{}'", codec.name);
    let Some(found) = parsed(&what, &mut reader, |reader| (codec.parse)(reader)) else {
        return false;
    };
    for attribute in found {
        // SAFETY: the shim's list is good until this callback returns, and the attribute is live, by its
        // brand.
        unsafe { mondoSdkAttributesPush(parameters, attribute.raw()) };
    }
    true
}

/// Returns the result of `function`, or nothing if it fails, which has been reported then.
fn parsed<'ctx, T>(
    what: &str,
    reader: &mut Parser<'ctx>,
    function: impl FnOnce(&mut Parser<'ctx>) -> Parsed<T>,
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
            Uniquer::expect(context),
            attributes(count, parameters),
        )
    };
    // SAFETY: the printer is good for the call, and of the context.
    let mut writer = unsafe { Printer::new(printer, context) };
    let what = format!("printing '{}'", codec.name);
    let error = match caught(&what, || (codec.print)(&parameters, &mut writer)) {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    writer.text("<<not printable>>");
    // SAFETY: a uniqued location is live as long as its context, which the shim keeps for the call.
    unsafe { mondoSdkEmitError(context.unknown().raw(), string_ref(&error)) };
}

unsafe extern "C" fn verify_op(
    definition: *const c_void,
    op: MlirOperation,
    when: MondoSdkVerification,
) -> bool {
    // SAFETY: the shim passes what is in the table, and a live operation.
    let (definition, operation): (&&dyn DefinedOp, _) =
        unsafe { (defined(definition), Operation::new(op)) };
    let error = match caught("its verifier", || {
        definition.verify(operation, Verification::of(when))
    }) {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    // SAFETY: the shim passes an operation that is live until this callback returns.
    unsafe { mondoSdkEmitOpError(op, string_ref(&error)) };
    false
}

unsafe extern "C" fn parse_op(
    definition: *const c_void,
    context: MlirContext,
    parser: *mut MondoSdkOpParser,
) -> bool {
    // SAFETY: the shim passes what is in the table, a live context, and a parser good for the call.
    let (definition, mut reader): (&&dyn DefinedOp, _) = unsafe {
        let context = Uniquer::expect(context);
        (defined(definition), OpParser::base_of(parser, context))
    };
    let what = format!("parsing '{}'", definition.name());
    let read = |reader: &mut Parser<'_>| {
        // SAFETY: the shim passes a parser that is good until this callback returns, and `base_of` made the
        // reader from it.
        definition.parse(&mut unsafe { OpParser::new(parser, reader) })
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
    let (definition, mut writer): (&&dyn DefinedOp, _) = unsafe {
        let operation = Operation::new(op);
        (defined(definition), OpPrinter::new(printer, operation))
    };
    let write = || definition.print(&mut writer);
    if let Err(panic) = caught("its printer", write) {
        // SAFETY: the shim passes an operation that is live until this callback returns.
        unsafe { mondoSdkEmitOpError(op, string_ref(&panic)) };
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
    // which those of operands that are not constants are null.
    let (definition, operation, constants): (&&dyn DefinedOp, _, Vec<_>) = unsafe {
        let constants = raw_slice(count, constants).iter();
        let constants = constants.map(|raw| Attribute::from_raw(*raw));
        (defined(definition), Operation::new(op), constants.collect())
    };
    let error = match caught("its folder", || {
        let Some(found) = definition.fold(operation, &constants) else {
            return Ok(None);
        };
        folded::checked(operation, found).map(Some)
    }) {
        Ok(Ok(None)) => return false,
        Ok(Ok(Some(found))) => {
            for one in found {
                match one {
                    // SAFETY: the shim's list is good until this callback returns, and the attribute is
                    // live, by its brand.
                    Folded::Constant(it) => unsafe {
                        mondoSdkFoldedPushAttribute(folded, it.raw());
                    },
                    // SAFETY: the shim's list is good until this callback returns, and `folded::checked`
                    // has accepted the value.
                    Folded::Value(it) => unsafe { mondoSdkFoldedPushValue(folded, it.raw()) },
                    Folded::Many(_) => {}
                }
            }
            return true;
        }
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    // SAFETY: the shim passes an operation that is live until this callback returns.
    unsafe {
        mondoSdkEmitOpError(op, string_ref(&error));
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
    num_regions: isize,
    regions: *const MlirRegion,
    types: *mut MondoSdkTypes,
) -> bool {
    // SAFETY: the shim passes what is in the table, and all the rest is live for the call.
    let (definition, call): (&&dyn DefinedOp, _) = unsafe {
        let operands = raw_slice(count, operands).iter();
        let call = Call {
            uniquer: Uniquer::expect(context),
            operands: operands.map(|raw| Value::new(*raw)).collect(),
            attributes: Attribute::expect(attributes),
            regions: raw_slice(num_regions, regions)
                .iter()
                .map(|raw| Region::new(*raw))
                .collect(),
        };
        (defined(definition), call)
    };
    let error = match caught("inferring the types of its results", || {
        definition.infer(&call)
    }) {
        Ok(Ok(found)) => {
            for ty in found {
                // SAFETY: the shim's list is good until this callback returns, and the type is live, by its
                // brand.
                unsafe { mondoSdkTypesPush(types, ty.raw()) };
            }
            return true;
        }
        Ok(Err(error)) => error.message().to_owned(),
        Err(panic) => panic,
    };
    // SAFETY: the shim passes a location that is live for the call, or null.
    let location: Option<Location<'_>> = unsafe { Location::from_raw(location) };
    if let Some(location) = location {
        let message = format!("'{}' op {error}", definition.name());
        // SAFETY: the location that the shim passed was just found not to be null, and is live for the
        // call.
        unsafe { mondoSdkEmitError(location.raw(), string_ref(&message)) };
    }
    false
}

unsafe extern "C" fn accepts_constant(
    definition: *const c_void,
    value: MlirAttribute,
    ty: MlirType,
) -> bool {
    // SAFETY: the shim passes what is in the table, and both are live.
    let (constants, value, ty): (&Constants, Attribute<'_>, Type<'_>) = unsafe {
        (
            defined(definition),
            Attribute::expect(value),
            Type::expect(ty),
        )
    };
    match caught("looking at a constant", || (constants.accepts)(value, ty)) {
        Ok(accepted) => accepted,
        Err(panic) => {
            // SAFETY: a uniqued location is live as long as its context, which the shim keeps for the call.
            unsafe { mondoSdkEmitError(value.uniquer().unknown().raw(), string_ref(&panic)) };
            false
        }
    }
}

unsafe extern "C" fn defaults(
    definition: *const c_void,
    context: MlirContext,
    into: *mut MondoSdkAttributes,
) {
    // SAFETY: the shim passes what is in the table, and a live context.
    let (definition, context): (&&dyn DefinedOp, _) =
        unsafe { (defined(definition), Uniquer::expect(context)) };
    let what = format!("making the defaults of '{}'", definition.name());
    match caught(&what, || definition.defaults(context)) {
        Ok(found) => {
            for one in found {
                // SAFETY: the shim's list is good until this callback returns, and the attribute is live, by
                // its brand.
                unsafe {
                    match one {
                        Some(default) => mondoSdkAttributesPush(into, default.raw()),
                        None => mondoSdkAttributesPushNothing(into),
                    }
                }
            }
        }
        // SAFETY: a uniqued location is live as long as its context, which the shim keeps for the call.
        Err(panic) => unsafe { mondoSdkEmitError(context.unknown().raw(), string_ref(&panic)) },
    }
}

unsafe extern "C" fn rewrite(
    definition: *const c_void,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
) -> MondoSdkRewritten {
    // SAFETY: the shim passes what is in the table.
    let pattern: &Pattern = unsafe { defined(definition) };
    // SAFETY: MLIR passes a live operation and rewriter, and no handle outlives the call that it was made in.
    unsafe { rewriting::rewrite(pattern, op, rewriter) }
}

unsafe extern "C" fn run_pass(
    definition: *const c_void,
    op: MlirOperation,
    run: *mut MondoSdkRun,
) -> bool {
    // SAFETY: the shim passes what is in the table.
    let pass: &'static PassRow = unsafe { defined(definition) };
    // SAFETY: MLIR passes a live operation, the shim its pass, and no handle outlives the call that it was made in.
    unsafe { rewriting::run_pass(pass, op, run) }
}

unsafe extern "C" fn lower(
    definition: *const c_void,
    op: MlirOperation,
    num_operands: isize,
    counts: *const isize,
    values: *const MlirValue,
    rewriter: *mut MondoConversionRewriter,
) -> bool {
    // SAFETY: the shim passes what is in the table.
    let pattern: &Lowering = unsafe { defined(definition) };
    // SAFETY: MLIR passes a live operation and live values, the shim a rewriter, and no handle outlives the call that it
    // was made in.
    unsafe { lowering::lower(pattern, op, num_operands, counts, values, rewriter) }
}

unsafe extern "C" fn lower_type(
    definition: *const c_void,
    type_: MlirType,
    lowered: *mut MlirType,
) -> MondoSdkLoweredType {
    // SAFETY: the shim passes what is in the table.
    let function: &LowerType = unsafe { defined(definition) };
    // SAFETY: the type is live, and the shim has a place for the other.
    unsafe { lowering::lower_type(*function, type_, lowered) }
}
