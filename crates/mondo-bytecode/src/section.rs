//! The kinds of sections.

/// The kind of a section, by its number in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The strings that the others refer to.
    String,
    /// The dialects and the names of operations.
    Dialect,
    /// The contents of attributes and types.
    AttrType,
    /// The sizes of attributes and types.
    AttrTypeOffset,
    /// The operations.
    Ir,
    /// The contents of resources.
    Resource,
    /// The names and sizes of resources.
    ResourceOffset,
    /// The version of a dialect, within the section of dialects.
    DialectVersions,
    /// The properties of operations.
    Properties,
}

use Section::{
    AttrType, AttrTypeOffset, Dialect, DialectVersions, Ir, Properties, Resource, ResourceOffset,
    String,
};

/// All kinds, in the order of their numbers.
pub(crate) const ALL: [Section; 9] = [
    String,
    Dialect,
    AttrType,
    AttrTypeOffset,
    Ir,
    Resource,
    ResourceOffset,
    DialectVersions,
    Properties,
];

impl Section {
    pub(crate) fn of(number: u8) -> Option<Self> {
        ALL.get(usize::from(number)).copied()
    }

    /// True if a file of this version has such a section at its top level.
    pub(crate) fn is_required(self, version: u64) -> bool {
        match self {
            String | Dialect | AttrType | AttrTypeOffset | Ir => true,
            Resource | ResourceOffset | DialectVersions => false,
            Properties => version >= 5,
        }
    }
}
