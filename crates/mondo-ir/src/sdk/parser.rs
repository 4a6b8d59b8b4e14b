//! Reading types, attributes and operations.

use mondo_sys::{MondoSdkOpParser, MondoSdkParser, MondoSdkPlace, mondoSdkParserString};

use crate::attributes::{FloatAttr, Real};
use crate::callback::text;
use crate::sdk::calls::{self as c, RawOpParser, RawParser, Shim};
use crate::sdk::error::Error;
use crate::text::Text;
use crate::uniqued_handles::{Attribute, Type};
use crate::uniquer::Uniquer;

/// The reason for which nothing could be read.
///
/// ```
/// # use mondo_ir::sdk::{Error, Failure, Parser};
/// fn width(parser: &mut Parser<'_>) -> Result<u32, Failure> {
///     // An error without a place is reported where the parser began.
///     let width = u32::try_from(parser.integer()?).map_err(|_| Error::new("expected a width"))?;
///     Ok(width)
/// }
/// ```
#[derive(Debug)]
pub struct Failure(Option<(Option<MondoSdkPlace>, Error)>);

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
///
/// ```
/// # use mondo_ir::sdk::{Parsed, Parser};
/// fn digit(parser: &mut Parser<'_>) -> Parsed<i64> {
///     let place = parser.place();
///     match parser.integer()? {
///         digit @ 0..=9 => Ok(digit),
///         other => Err(place.error(format!("expected one digit, found {other}"))),
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Place(MondoSdkPlace);

impl Place {
    /// The error of that message, at this place.
    pub fn error(self, message: impl Into<Error>) -> Failure {
        Failure(Some((Some(self.0), message.into())))
    }
}

/// Reads a type or an attribute.
///
/// Only a function that MLIR calls gets a parser, and it cannot keep the parser beyond the call.
///
/// ```
/// # use mondo_ir::{Attribute, sdk::{Parsed, Parser}};
/// /// Reads `<"name", 0.5, element f32, 7 : i8>`, or `<*>`, and returns the attribute at the end.
/// fn read<'ctx>(parser: &mut Parser<'ctx>) -> Parsed<Attribute<'ctx>> {
///     parser.expect("<")?;
///     if parser.take("*") {
///         parser.expect(">")?;
///         return Ok(parser.uniquer().unit().any());
///     }
///     let name = parser.string()?;
///     parser.expect(",")?;
///     let scale = parser.float()?;
///     parser.expect(",")?;
///     let place = parser.place();
///     if name.is_empty() || scale <= 0.0 || parser.keyword()? != "element" {
///         return Err(place.error("expected `element`"));
///     }
///     let element = parser.type_()?;
///     parser.expect(",")?;
///     // With `attribute_of(element)`, its type would not be written.
///     let last = parser.attribute()?;
///     parser.expect(">")?;
///     Ok(if element == last.uniquer().f32() { last } else { parser.attribute_of(element)? })
/// }
/// ```
#[derive(Debug)]
pub struct Parser<'ctx> {
    raw: &'ctx mut RawParser<'ctx>,
    uniquer: Uniquer<'ctx>,
}

impl<'ctx> Parser<'ctx> {
    /// # Safety
    ///
    /// The parser is good for the call that the brand is of, and of the brand's context.
    pub(super) unsafe fn new(raw: *mut MondoSdkParser, uniquer: Uniquer<'ctx>) -> Self {
        // SAFETY: the parser is good for the call that the brand is of, by this function's contract, and
        // nothing else refers to it.
        let raw = unsafe { Shim::of(raw) };
        Self { raw, uniquer }
    }

    /// The context.
    pub fn uniquer(&self) -> Uniquer<'ctx> {
        self.uniquer
    }

    /// The place of what is read next.
    pub fn place(&mut self) -> Place {
        Place(c::mondoSdkParserPlace(self.raw))
    }

    /// Reads a token or keyword, if it is there: `<`, `,`, `->`, `f32`.
    pub fn take(&mut self, token: &str) -> bool {
        c::mondoSdkParserTake(self.raw, token.into())
    }

    /// Reads a token or keyword.
    ///
    /// # Errors
    /// Fails if it is not there.
    pub fn expect(&mut self, token: &str) -> Parsed<()> {
        said(c::mondoSdkParserExpect(self.raw, token.into()))
    }

    /// Reads any keyword.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn keyword(&mut self) -> Parsed<String> {
        let mut found = Text::from("");
        said(c::mondoSdkParserKeyword(self.raw, &mut found))?;
        Ok(found.to_text())
    }

    /// Reads a string in quotes.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn string(&mut self) -> Parsed<String> {
        // SAFETY: the parser is live, as it is referred to; `text` gives a sink with its data.
        let read = |sink, data| unsafe { mondoSdkParserString(self.raw.raw(), sink, data) };
        let (found, there) = text(read);
        said(there).map(|()| found)
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// Fails if there is none, or it does not fit.
    pub fn integer(&mut self) -> Parsed<i64> {
        let mut found = 0;
        said(c::mondoSdkParserInteger(self.raw, &mut found)).map(|()| found)
    }

    /// Reads a floating-point number, as MLIR writes doubles.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn float(&mut self) -> Parsed<f64> {
        let place = self.place();
        let attribute = self.attribute_of(self.uniquer.f64().any())?;
        let number = attribute.downcast::<Real>();
        number
            .map(FloatAttr::value)
            .ok_or_else(|| place.error("expected a floating-point number"))
    }

    /// Reads a type.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn type_(&mut self) -> Parsed<Type<'ctx>> {
        let mut found = None;
        said(c::mondoSdkParserType(self.raw, &mut found))?;
        found.ok_or(Failure::REPORTED)
    }

    /// Reads a type, if there is one.
    ///
    /// ```
    /// # use mondo_ir::Type;
    /// # use mondo_ir::sdk::{Parsed, Parser};
    /// /// Reads types with commas between them, or nothing.
    /// fn types<'ctx>(parser: &mut Parser<'ctx>) -> Parsed<Vec<Type<'ctx>>> {
    ///     let mut all: Vec<_> = parser.optional_type()?.into_iter().collect();
    ///     while !all.is_empty() && parser.take(",") {
    ///         all.push(parser.type_()?);
    ///     }
    ///     Ok(all)
    /// }
    /// ```
    ///
    /// # Errors
    /// Fails if it is damaged.
    pub fn optional_type(&mut self) -> Parsed<Option<Type<'ctx>>> {
        let mut found = None;
        said(c::mondoSdkParserOptionalType(self.raw, &mut found)).map(|()| found)
    }

    /// Reads an attribute with its type.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn attribute(&mut self) -> Parsed<Attribute<'ctx>> {
        self.attribute_as(None)
    }

    /// Reads an attribute of a type that is not written.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn attribute_of(&mut self, type_: Type<'ctx>) -> Parsed<Attribute<'ctx>> {
        self.attribute_as(Some(type_))
    }

    fn attribute_as(&mut self, type_: Option<Type<'ctx>>) -> Parsed<Attribute<'ctx>> {
        let mut found = None;
        said(c::mondoSdkParserAttribute(self.raw, type_, &mut found))?;
        found.ok_or(Failure::REPORTED)
    }

    /// Reports why nothing could be read, if nobody has yet; at `start`, unless there is a better
    /// place.
    pub(super) fn report(&mut self, start: Place, failure: Failure) {
        if let Some((place, error)) = failure.0 {
            let place = place.unwrap_or(start.0);
            c::mondoSdkParserEmit(self.raw, place, error.message().into());
        }
    }
}

/// MLIR's functions report what they return false for.
fn said(there: bool) -> Parsed<()> {
    if there {
        Ok(())
    } else {
        Err(Failure::REPORTED)
    }
}

/// Reads an operation.
///
/// Operands are kept under indices from zero on, in the order in which they are read.
///
/// ```
/// # use mondo_ir::sdk::{OpParser, Parsed};
/// /// Reads `%a, %b {dictionary} : i32`, or `%a -> i32`.
/// fn read(parser: &mut OpParser<'_, '_>) -> Parsed<()> {
///     parser.operand()?;
///     if parser.base().take(",") {
///         parser.operands()?;
///     }
///     parser.attr_dict()?;
///     let has_result = parser.base().take("->");
///     if !has_result {
///         parser.base().expect(":")?;
///     }
///     let type_ = parser.base().type_()?;
///     for index in 0..parser.operand_count() {
///         parser.resolve(index, type_)?;
///     }
///     if has_result {
///         let mark = parser.base().uniquer().unit().any();
///         parser.add_attribute("has_result", mark);
///         parser.add_type(type_);
///         return Ok(());
///     }
///     parser.infer()
/// }
/// ```
#[derive(Debug)]
pub struct OpParser<'p, 'ctx> {
    raw: &'p mut RawOpParser<'ctx>,
    base: &'p mut Parser<'ctx>,
}

impl<'p, 'ctx> OpParser<'p, 'ctx> {
    /// The parser of types, attributes and tokens that an operation's parser has.
    ///
    /// # Safety
    ///
    /// The parser is good for the call that the brand is of, and of the brand's context.
    pub(super) unsafe fn base_of(
        raw: *mut MondoSdkOpParser,
        uniquer: Uniquer<'ctx>,
    ) -> Parser<'ctx> {
        // SAFETY: the parser is good for the call that the brand is of, and of the context, by this
        // function's contract.
        unsafe {
            let raw: &mut RawOpParser<'ctx> = Shim::of(raw);
            Parser::new(c::mondoSdkOpParserBase(raw), uniquer)
        }
    }

    /// # Safety
    ///
    /// The parser is good for the call that the brand is of, and `base` is its own.
    pub(super) unsafe fn new(raw: *mut MondoSdkOpParser, base: &'p mut Parser<'ctx>) -> Self {
        // SAFETY: the parser is good for the call that the brand is of, by this function's contract, and
        // nothing else refers to it.
        let raw = unsafe { Shim::of(raw) };
        Self { raw, base }
    }

    /// The parser of types, attributes and tokens.
    pub fn base(&mut self) -> &mut Parser<'ctx> {
        self.base
    }

    /// The number of operands that were read.
    pub fn operand_count(&mut self) -> usize {
        c::mondoSdkOpParserNumOperands(self.raw).unsigned_abs()
    }

    /// Reads an operand.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn operand(&mut self) -> Parsed<()> {
        said(c::mondoSdkOpParserOperand(self.raw))
    }

    /// Reads any number of operands, with commas between them.
    ///
    /// # Errors
    /// Fails if a comma is followed by none.
    pub fn operands(&mut self) -> Parsed<()> {
        said(c::mondoSdkOpParserOperands(self.raw))
    }

    /// Gives the operation the operand at that index, which is of that type.
    ///
    /// # Errors
    /// Fails if a value of that name is of another type.
    ///
    /// # Panics
    /// Panics if so many operands were not read.
    pub fn resolve(&mut self, index: usize, type_: Type<'ctx>) -> Parsed<()> {
        assert!(
            index < self.operand_count(),
            "the operand {index} was not read"
        );
        // SAFETY: the parser has read the operand.
        said(unsafe { c::mondoSdkOpParserResolve(self.raw, index as isize, type_) })
    }

    /// Reads an operand, if there is one. Returns whether there was.
    ///
    /// # Errors
    /// Fails if it is damaged.
    pub fn optional_operand(&mut self) -> Parsed<bool> {
        let mut found = false;
        said(c::mondoSdkOpParserOptionalOperand(self.raw, &mut found)).map(|()| found)
    }

    /// Reads a symbol's name, `@f`, as an attribute.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn symbol_name(&mut self, attribute: &str) -> Parsed<()> {
        said(c::mondoSdkOpParserSymbolName(self.raw, attribute.into()))
    }

    /// Reads arguments with their types in parentheses. They are those of the first block of the region that is read next.
    ///
    /// # Errors
    /// Fails if they are not there.
    pub fn arguments(&mut self) -> Parsed<()> {
        said(c::mondoSdkOpParserArguments(self.raw))
    }

    /// Reads the region at that index.
    ///
    /// ```
    /// # use mondo_ir::sdk::{OpParser, Parsed};
    /// /// Reads `@name (%a: i32) attributes {} {...} ^bb1`.
    /// fn read(parser: &mut OpParser<'_, '_>) -> Parsed<()> {
    ///     parser.symbol_name("sym_name")?;
    ///     parser.arguments()?;
    ///     parser.attributes()?;
    ///     parser.region(0)?;
    ///     if !parser.optional_region(1)? {
    ///         parser.successor()?;
    ///         while parser.base().take(",") && parser.optional_successor()? {}
    ///     }
    ///     assert!(parser.optional_operand()? || parser.successor_count() < 9);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// Fails if there is none, or the index is beyond 1000.
    pub fn region(&mut self, index: usize) -> Parsed<()> {
        let index = region_index(index)?;
        // SAFETY: the index is not negative, and as small as `region_index` says.
        said(unsafe { c::mondoSdkOpParserRegion(self.raw, index) })
    }

    /// Reads the region at that index, if it is there. Returns whether it was.
    ///
    /// # Errors
    /// Fails if it is damaged, or the index is beyond 1000.
    pub fn optional_region(&mut self, index: usize) -> Parsed<bool> {
        let (index, mut found) = (region_index(index)?, false);
        // SAFETY: the index is not negative, and as small as `region_index` says.
        said(unsafe { c::mondoSdkOpParserOptionalRegion(self.raw, index, &mut found) })?;
        Ok(found)
    }

    /// Reads a successor.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn successor(&mut self) -> Parsed<()> {
        said(c::mondoSdkOpParserSuccessor(self.raw))
    }

    /// Reads a successor, if there is one. Returns whether there was.
    ///
    /// # Errors
    /// Fails if it is damaged.
    pub fn optional_successor(&mut self) -> Parsed<bool> {
        let mut found = false;
        said(c::mondoSdkOpParserOptionalSuccessor(self.raw, &mut found)).map(|()| found)
    }

    /// The number of successors that were read.
    pub fn successor_count(&mut self) -> usize {
        c::mondoSdkOpParserNumSuccessors(self.raw).unsigned_abs()
    }

    /// Reads the keyword `attributes` and a dictionary, if the keyword is there.
    ///
    /// # Errors
    /// Fails if the dictionary is damaged.
    pub fn attributes(&mut self) -> Parsed<()> {
        said(c::mondoSdkOpParserAttributes(self.raw))
    }

    /// Reads the dictionary of attributes, if it is there.
    ///
    /// # Errors
    /// Fails if it is damaged.
    pub fn attr_dict(&mut self) -> Parsed<()> {
        said(c::mondoSdkOpParserAttrDict(self.raw))
    }

    /// Gives the operation an attribute.
    pub fn add_attribute(&mut self, name: &str, attribute: Attribute<'ctx>) {
        c::mondoSdkOpParserAddAttribute(self.raw, name.into(), attribute);
    }

    /// Gives the operation a result of that type.
    pub fn add_type(&mut self, type_: Type<'ctx>) {
        c::mondoSdkOpParserAddType(self.raw, type_);
    }

    /// Gives the operation the results that it infers from its operands and attributes.
    ///
    /// # Errors
    /// Fails if they cannot be inferred.
    pub fn infer(&mut self) -> Parsed<()> {
        said(c::mondoSdkOpParserInfer(self.raw))
    }
}

/// The greatest index of a region that is read: each index below makes a region.
const MAX_REGION: usize = 1000;

fn region_index(index: usize) -> Parsed<isize> {
    if index > MAX_REGION {
        return Err(Error::new("has too many regions").into());
    }
    Ok(index as isize)
}
