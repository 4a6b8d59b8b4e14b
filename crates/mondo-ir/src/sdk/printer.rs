//! Writing types, attributes and operations.

use mondo_sys::{
    MondoSdkOpPrinter, MondoSdkPrinter, mondoSdkOpPrinterArguments, mondoSdkOpPrinterAttrDict,
    mondoSdkOpPrinterAttributes, mondoSdkOpPrinterOperand, mondoSdkOpPrinterRegion,
    mondoSdkOpPrinterSuccessor,
};

use crate::callback::string_ref;
use crate::sdk::calls::{self as c, RawOpPrinter, RawPrinter, Shim};
use crate::sdk::operation::{Block, Region};
use crate::sdk::operation::{Operation, Value};
use crate::uniqued_handles::{Attribute, Type};
use crate::uniquer::Uniquer;

/// Writes a type or an attribute.
///
/// ```
/// # use mondo_ir::sdk::Printer;
/// /// Writes `<"name", 0.5, f32, 7 : i8>`.
/// fn write(printer: &mut Printer<'_>, name: &str, scale: f64) {
///     let uniquer = printer.uniquer();
///     printer.text("<");
///     printer.string(name);
///     printer.text(", ");
///     printer.float(scale);
///     printer.text(", ");
///     printer.type_(uniquer.f32().any());
///     printer.text(", ");
///     printer.attribute(uniquer.integer_attr(uniquer.i8(), 7).any());
///     printer.text(">");
/// }
/// ```
#[derive(Debug)]
pub struct Printer<'ctx> {
    raw: &'ctx mut RawPrinter<'ctx>,
    uniquer: Uniquer<'ctx>,
}

impl<'ctx> Printer<'ctx> {
    /// # Safety
    ///
    /// The printer is good for the call that the brand is of, and of the brand's context.
    pub(super) unsafe fn new(raw: *mut MondoSdkPrinter, uniquer: Uniquer<'ctx>) -> Self {
        // SAFETY: the printer is good for the call that the brand is of, by this function's contract, and
        // nothing else refers to it.
        let raw = unsafe { Shim::of(raw) };
        Self { raw, uniquer }
    }

    /// The context.
    pub fn uniquer(&self) -> Uniquer<'ctx> {
        self.uniquer
    }

    /// Writes text as it is.
    pub fn text(&mut self, text: &str) {
        c::mondoSdkPrinterText(self.raw, text.into());
    }

    /// Writes text in quotes, so that [`Parser::string`](crate::sdk::Parser::string) gives it again.
    pub fn string(&mut self, text: &str) {
        c::mondoSdkPrinterString(self.raw, text.into());
    }

    /// Writes a number so that [`Parser::float`](crate::sdk::Parser::float) gives it again, to the last
    /// bit.
    pub fn float(&mut self, value: f64) {
        let attribute = self.uniquer.float_attr(self.uniquer.f64(), value);
        self.print(attribute.any(), false);
    }

    /// Writes a type.
    pub fn type_(&mut self, type_: Type<'ctx>) {
        c::mondoSdkPrinterType(self.raw, type_);
    }

    /// Writes an attribute with its type.
    pub fn attribute(&mut self, attribute: Attribute<'ctx>) {
        self.print(attribute, true);
    }

    fn print(&mut self, attribute: Attribute<'ctx>, with_type: bool) {
        c::mondoSdkPrinterAttribute(self.raw, attribute, with_type);
    }
}

/// Writes an operation, behind its name.
///
/// ```
/// # use mondo_ir::sdk::OpPrinter;
/// /// Writes `%a, %b {dictionary} : i32`.
/// fn write(printer: &mut OpPrinter<'_, '_>) {
///     for (index, operand) in printer.operation().operands().into_iter().enumerate() {
///         printer.base().text(if index == 0 { " " } else { ", " });
///         printer.operand(operand);
///     }
///     printer.attr_dict(&["hidden"]);
///     printer.base().text(" : ");
///     let type_ = printer.operation().result(0).type_();
///     printer.base().type_(type_);
/// }
/// ```
#[derive(Debug)]
pub struct OpPrinter<'p, 'ctx> {
    raw: &'p mut RawOpPrinter<'ctx>,
    base: Printer<'ctx>,
    operation: Operation<'ctx>,
}

impl<'p, 'ctx> OpPrinter<'p, 'ctx> {
    /// # Safety
    ///
    /// The printer is good for the call that the brand is of, and prints the operation.
    pub(super) unsafe fn new(raw: *mut MondoSdkOpPrinter, operation: Operation<'ctx>) -> Self {
        // SAFETY: the printer is good for the call that the brand is of, and prints the operation, by this
        // function's contract.
        let (raw, base) = unsafe {
            let raw: &'p mut RawOpPrinter<'ctx> = Shim::of(raw);
            let base = Printer::new(c::mondoSdkOpPrinterBase(raw), operation.uniquer());
            (raw, base)
        };
        Self {
            raw,
            base,
            operation,
        }
    }

    /// The operation that is written.
    pub fn operation(&self) -> Operation<'ctx> {
        self.operation
    }

    /// The printer of types, attributes and text.
    pub fn base(&mut self) -> &mut Printer<'ctx> {
        &mut self.base
    }

    /// Writes the name of a value.
    pub fn operand(&mut self, value: Value<'ctx>) {
        // SAFETY: the printer is live, as it is referred to, and the value is, by its brand.
        unsafe { mondoSdkOpPrinterOperand(self.raw.raw(), value.raw()) };
    }

    /// Writes the operation's attributes except those named.
    pub fn attr_dict(&mut self, elided: &[&str]) {
        let elided: Vec<_> = elided.iter().map(|name| string_ref(*name)).collect();
        // SAFETY: the printer is live, as it is referred to, the operation is, by its brand, and the names are a
        // vector's.
        unsafe {
            mondoSdkOpPrinterAttrDict(
                self.raw.raw(),
                self.operation.raw(),
                elided.len() as isize,
                elided.as_ptr(),
            );
        }
    }

    /// Writes the keyword `attributes` and the operation's attributes, without those that `elided` names. Writes nothing if
    /// no other is left.
    pub fn attributes(&mut self, elided: &[&str]) {
        let elided: Vec<_> = elided.iter().map(|name| string_ref(*name)).collect();
        // SAFETY: the printer is live, as it is referred to, the operation is, by its brand, and the names are a
        // vector's.
        unsafe {
            mondoSdkOpPrinterAttributes(
                self.raw.raw(),
                self.operation.raw(),
                elided.len() as isize,
                elided.as_ptr(),
            );
        }
    }

    /// Writes a symbol's name: `@f`.
    pub fn symbol_name(&mut self, name: &str) {
        c::mondoSdkOpPrinterSymbolName(self.raw, name.into());
    }

    /// Writes the arguments of a block with their types, in parentheses.
    pub fn arguments(&mut self, block: Block<'ctx>) {
        // SAFETY: the printer is live, as it is referred to, and the block is, by its brand.
        unsafe { mondoSdkOpPrinterArguments(self.raw.raw(), block.raw()) };
    }

    /// Writes a region of the operation, with or without the arguments of its first block.
    ///
    /// ```
    /// # use mondo_ir::sdk::OpPrinter;
    /// /// Writes `@f (%a: i32) attributes {a} {...} ^bb1`.
    /// fn write(printer: &mut OpPrinter<'_, '_>) {
    ///     printer.symbol_name("f");
    ///     let regions = printer.operation().regions();
    ///     if let Some(block) = regions[0].entry() {
    ///         printer.arguments(block);
    ///     }
    ///     printer.attributes(&["sym_name"]);
    ///     printer.region(regions[0], false);
    ///     for block in printer.operation().successors() {
    ///         printer.successor(block);
    ///     }
    /// }
    /// ```
    pub fn region(&mut self, region: Region<'ctx>, with_arguments: bool) {
        // SAFETY: the printer is live, as it is referred to, and the region is, by its brand.
        unsafe { mondoSdkOpPrinterRegion(self.raw.raw(), region.raw(), with_arguments) };
    }

    /// Writes the name of a successor.
    pub fn successor(&mut self, block: Block<'ctx>) {
        // SAFETY: the printer is live, as it is referred to, and the block is, by its brand.
        unsafe { mondoSdkOpPrinterSuccessor(self.raw.raw(), block.raw()) };
    }
}
