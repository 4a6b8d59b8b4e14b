//! Values with their places in a file.

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// A value with its place in the file: toml's, with the JSON schema of the value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Spanned<T>(toml::Spanned<T>);

impl<T> Spanned<T> {
    /// A value with the place of another one.
    #[must_use]
    pub fn new(range: Range<usize>, value: T) -> Self {
        Self(toml::Spanned::new(range, value))
    }

    /// The value, borrowed.
    #[must_use]
    pub fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    /// Its place in the file, in bytes.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
