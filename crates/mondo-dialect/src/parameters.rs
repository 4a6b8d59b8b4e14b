//! Types and attributes with parameters: a Rust value, and MLIR's attributes that stand for it.

use crate::asm::{Parsed, Parser, Printer};
use crate::error::Result;
use crate::ir::{Attribute, Context};

/// What a type or an attribute of a dialect is made of.
///
/// MLIR keeps the attributes of [`Self::encode`] and nothing else: two types are the same if these
/// are. So values that mean the same must be encoded the same.
pub trait Parameters: Sized + 'static {
    /// The dialect's name.
    const DIALECT: &'static str;
    /// The name without the dialect's: `q` for `!units.q`.
    const NAME: &'static str;
    /// What it is, for the documentation.
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
