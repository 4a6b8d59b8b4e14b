//! Types and attributes with parameters: a Rust value, and MLIR's attributes that encode it.

use crate::sdk::error::Result;
use crate::sdk::parser::{Parsed, Parser};
use crate::sdk::printer::Printer;
use crate::uniqued_handles::Attribute;
use crate::uniquer::Uniquer;

/// The parameters of a type or an attribute of a dialect.
///
/// MLIR keeps the attributes of [`Self::encode`] and nothing else: two types are the same if these
/// are. So values that mean the same must be encoded the same.
///
/// ```
/// # use mondo_ir::{Attribute, Type, Uniquer, attributes::Int};
/// # use mondo_ir::sdk::{Parameters, Parsed, Parser, Printer, Result};
/// /// `!units.length<7>`.
/// struct Length(i64);
///
/// impl Parameters for Length {
///     const DIALECT: &'static str = "units";
///     const NAME: &'static str = "length";
///     const SUMMARY: &'static str = "So many meters.";
///
///     fn decode(parameters: &[Attribute<'_>]) -> Result<Self> {
///         let [length] = parameters else {
///             return Err("has one parameter".into());
///         };
///         let length = length.downcast::<Int>().ok_or("has a number")?;
///         Ok(Self(i64::try_from(length.value()).map_err(|_| "is too long")?))
///     }
///
///     fn encode<'ctx>(&self, uniquer: Uniquer<'ctx>) -> Vec<Attribute<'ctx>> {
///         vec![uniquer.integer_attr(uniquer.i64(), self.0).any()]
///     }
///
///     fn parse(parser: &mut Parser<'_>) -> Parsed<Self> {
///         parser.expect("<")?;
///         let length = parser.integer()?;
///         parser.expect(">")?;
///         Ok(Self(length))
///     }
///
///     fn print(&self, printer: &mut Printer<'_>) {
///         printer.text(&format!("<{}>", self.0));
///     }
/// }
///
/// fn longer<'ctx>(of: Type<'ctx>) -> Option<Type<'ctx>> {
///     let length: Length = of.parameters()?;
///     of.uniquer().defined_type(&Length(length.0 + 1)).ok()
/// }
///
/// fn as_attribute<'ctx>(of: Type<'ctx>) -> Result<Attribute<'ctx>> {
///     let length: Length = of.parameters().ok_or("is not a length")?;
///     of.uniquer().defined_attribute(&length)
/// }
/// ```
pub trait Parameters: Sized + 'static {
    /// The dialect's name.
    const DIALECT: &'static str;
    /// The name without the dialect's: `q` for `!units.q`.
    const NAME: &'static str;
    /// One sentence for the documentation.
    const SUMMARY: &'static str;

    /// The value that these attributes encode.
    ///
    /// # Errors
    /// Fails if they encode none; then no such type or attribute can be made. This is called with attributes from
    /// generic builders and from bytecode, so they may be of any number and kind.
    fn decode(parameters: &[Attribute<'_>]) -> Result<Self>;

    /// The attributes that encode the value.
    fn encode<'ctx>(&self, uniquer: Uniquer<'ctx>) -> Vec<Attribute<'ctx>>;

    /// Reads what follows the name, which [`Self::print`] writes.
    ///
    /// # Errors
    /// Fails if that is not there.
    fn parse(parser: &mut Parser<'_>) -> Parsed<Self>;

    /// Writes what follows the name.
    fn print(&self, printer: &mut Printer<'_>);
}

/// The functions of a [`Parameters`], whichever it is.
///
/// ```
/// # use mondo_ir::sdk::{Codec, Parameters};
/// fn name_of<T: Parameters>() -> String {
///     let codec = Codec::of::<T>();
///     format!("!{}.{}", codec.dialect, codec.name)
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Codec {
    /// [`Parameters::DIALECT`].
    pub dialect: &'static str,
    /// [`Parameters::NAME`].
    pub name: &'static str,
    /// [`Parameters::SUMMARY`].
    pub summary: &'static str,
    pub(super) verify: fn(&[Attribute<'_>]) -> Result<()>,
    pub(super) parse: for<'ctx> fn(&mut Parser<'ctx>) -> Parsed<Vec<Attribute<'ctx>>>,
    pub(super) print: fn(&[Attribute<'_>], &mut Printer<'_>) -> Result<()>,
}

impl Codec {
    /// The codec of the parameters `T`.
    pub const fn of<T: Parameters>() -> Self {
        Self {
            dialect: T::DIALECT,
            name: T::NAME,
            summary: T::SUMMARY,
            verify: |parameters| T::decode(parameters).map(drop),
            parse: |parser| {
                let uniquer = parser.uniquer();
                Ok(T::parse(parser)?.encode(uniquer))
            },
            print: |parameters, printer| {
                T::decode(parameters)?.print(printer);
                Ok(())
            },
        }
    }
}
