//! What an operation has as an attribute: an attribute's handle, or an enumeration of ODS.

use crate::attributes::AttributeKind;
use crate::uniqued_handles::{Any, Attribute};
use crate::uniquer::Uniquer;

/// A value that is kept as an attribute.
///
/// ```
/// # #[cfg(feature = "arith")] {
/// use mondo_ir::ops::{AttributeValue, arith::{CmpIPredicate, FastMathFlags}};
/// # use mondo_ir::Context;
/// # Context::new().enter(|ctx, _| {
/// # ctx.load("arith").unwrap();
/// let kept = CmpIPredicate::Ule.attribute(*ctx);
/// assert_eq!(kept.to_string(), "7 : i64");
/// assert_eq!(CmpIPredicate::of_attribute(kept), Some(CmpIPredicate::Ule));
/// let flags = FastMathFlags::NNAN | FastMathFlags::NINF;
/// assert_eq!(FastMathFlags::of_attribute(flags.attribute(*ctx)), Some(flags));
/// assert!(flags.contains(FastMathFlags::NNAN) && !flags.contains(FastMathFlags::CONTRACT));
/// assert_eq!(FastMathFlags::of_attribute(kept), None);
/// # });
/// # }
/// ```
pub trait AttributeValue<'ctx>: Sized {
    /// The attribute that keeps it.
    fn attribute(self, ctx: Uniquer<'ctx>) -> Attribute<'ctx>;

    /// The value that an attribute keeps, or `None` if the attribute is of another kind.
    fn of_attribute(attribute: Attribute<'ctx>) -> Option<Self>;
}

impl<'ctx, K: AttributeKind> AttributeValue<'ctx> for Attribute<'ctx, K> {
    fn attribute(self, _: Uniquer<'ctx>) -> Attribute<'ctx> {
        self.any()
    }

    fn of_attribute(attribute: Attribute<'ctx>) -> Option<Self> {
        attribute.downcast()
    }
}

impl<'ctx> AttributeValue<'ctx> for Attribute<'ctx, Any> {
    fn attribute(self, _: Uniquer<'ctx>) -> Attribute<'ctx> {
        self
    }

    fn of_attribute(attribute: Attribute<'ctx>) -> Option<Self> {
        Some(attribute)
    }
}

/// An enumeration that is kept as an integer of a width.
macro_rules! integers {
    ($(#[doc = $doc:literal])* $name:ident $make:ident { $($case:ident = $value:literal,)+ }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("The number ", $value, ".")] $case = $value,)+
        }

        impl<'ctx> crate::ops::AttributeValue<'ctx> for $name {
            fn attribute(self, ctx: crate::Uniquer<'ctx>) -> crate::Attribute<'ctx> {
                ctx.integer_attr(ctx.$make(), self as i64).any()
            }

            fn of_attribute(attribute: crate::Attribute<'ctx>) -> Option<Self> {
                match attribute.downcast::<crate::attributes::Int>()?.value() {
                    $($value => Some(Self::$case),)+
                    _ => None,
                }
            }
        }
    };
}

/// An enumeration of a dialect's own attribute.
macro_rules! words {
    ($(#[doc = $doc:literal])* $name:ident $attribute:literal { $($case:ident = $word:literal,)+ }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`.")] $case,)+
        }

        impl<'ctx> crate::ops::AttributeValue<'ctx> for $name {
            fn attribute(self, ctx: crate::Uniquer<'ctx>) -> crate::Attribute<'ctx> {
                let word = match self { $(Self::$case => $word,)+ };
                crate::ops::attribute::of_words(ctx, $attribute, word)
            }

            fn of_attribute(attribute: crate::Attribute<'ctx>) -> Option<Self> {
                match crate::ops::attribute::words_of(attribute, $attribute)?.as_str() {
                    $($word => Some(Self::$case),)+
                    _ => None,
                }
            }
        }
    };
}

/// A set of flags of a dialect's own attribute.
macro_rules! flags {
    (
        $(#[doc = $doc:literal])*
        $name:ident $attribute:literal $separator:literal { $($case:ident = $value:literal $word:literal,)+ }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(u64);

        impl $name {
            /// The flags by their words. Of groups, the largest is first, as MLIR prints it.
            const WORDS: &'static [(u64, &'static str)] = &[$(($value, $word),)+];

            $(#[doc = concat!("`", $word, "`.")] pub const $case: Self = Self($value);)+

            /// Whether all of these flags are set.
            pub fn contains(self, flags: Self) -> bool {
                self.0 & flags.0 == flags.0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl<'ctx> crate::ops::AttributeValue<'ctx> for $name {
            fn attribute(self, ctx: crate::Uniquer<'ctx>) -> crate::Attribute<'ctx> {
                let words = crate::ops::attribute::words_in(self.0, Self::WORDS, $separator);
                crate::ops::attribute::of_words(ctx, $attribute, &words)
            }

            fn of_attribute(attribute: crate::Attribute<'ctx>) -> Option<Self> {
                let words = crate::ops::attribute::words_of(attribute, $attribute)?;
                crate::ops::attribute::bits_of(&words, Self::WORDS, $separator).map(Self)
            }
        }
    };
}

pub(super) use {flags, integers, words};

/// `#arith.overflow<nsw>`, of its name and its word. The unit attribute where MLIR does not parse it, as without the dialect: no operation
/// takes that for an enumeration.
pub(super) fn of_words<'ctx>(ctx: Uniquer<'ctx>, name: &str, words: &str) -> Attribute<'ctx> {
    ctx.parsed_attribute(&format!("#{name}<{words}>"))
        .unwrap_or_else(|| ctx.unit().any())
}

/// The words of such an attribute.
pub(super) fn words_of(attribute: Attribute<'_>, name: &str) -> Option<String> {
    let text = attribute.to_string();
    let words = text.strip_prefix('#')?.strip_prefix(name)?;
    Some(words.strip_prefix('<')?.strip_suffix('>')?.to_owned())
}

/// The words of the flags that are set; of none, that of zero.
pub(super) fn words_in(bits: u64, words: &[(u64, &str)], separator: &str) -> String {
    let single = |value: u64| value.is_power_of_two();
    let found: Vec<&str> = words
        .iter()
        .filter(|(value, _)| *value == bits || single(*value) && bits & value == *value)
        .map(|(_, word)| *word)
        .collect();
    match words.iter().find(|(value, _)| *value == bits) {
        Some((_, word)) => (*word).to_owned(),
        None => found.join(separator),
    }
}

/// The flags of these words.
pub(super) fn bits_of(text: &str, words: &[(u64, &str)], separator: &str) -> Option<u64> {
    let separator = separator.trim();
    let one = |word: &str| {
        let found = words.iter().find(|(_, known)| *known == word.trim());
        found.map(|(value, _)| *value)
    };
    text.split(separator)
        .map(one)
        .try_fold(0, |all, bits| Some(all | bits?))
}
