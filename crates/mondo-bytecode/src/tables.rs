//! The tables of a file: strings, dialects, operation names, attributes, types, properties, resources.

use crate::entries::Entries;
use crate::error::Error;
use crate::reader::{EIGHT, Reader};
use crate::section::Section;
use crate::sections::Sections;

/// The numbers of entries of the tables that operations refer to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tables {
    pub(crate) operation_names: usize,
    pub(crate) attributes: usize,
    pub(crate) types: usize,
    pub(crate) properties: usize,
}

impl Tables {
    pub(crate) fn read(sections: &Sections<'_>, version: u64) -> Result<Self, Error> {
        let strings = strings(sections.required(Section::String)?)?;
        let properties = match sections.optional(Section::Properties) {
            Some(section) => properties(section)?,
            None => 0,
        };
        let (dialects, operation_names) =
            dialects(sections.required(Section::Dialect)?, &strings, version)?;
        let (attributes, types) = attributes_and_types(
            sections.required(Section::AttrTypeOffset)?,
            sections.required(Section::AttrType)?,
            &dialects,
            strings.len(),
        )?;
        let offsets = sections.optional(Section::ResourceOffset);
        if let (Some(offsets), Some(contents)) = (offsets, sections.optional(Section::Resource)) {
            resources(offsets, contents, strings.len(), dialects.len())?;
        }
        Ok(Self {
            operation_names,
            attributes,
            types,
            properties,
        })
    }
}

/// Reads the table of strings: their sizes, that of the last one first, then their bytes. Each ends with
/// a NUL, which its size includes.
pub(crate) fn strings<'a>(mut section: Reader<'a>) -> Result<Vec<&'a [u8]>, Error> {
    let count = section.count("strings")?;
    let mut strings = Vec::new();
    for _ in 0..count {
        let at = section.offset();
        let size = section.varint()?;
        let string = section
            .part_at_end(size)
            .ok_or_else(|| Error::new(at, format!("a string of {size} bytes is too long")))?;
        if string.bytes().last() != Some(&0) {
            return Err(Error::new(at, "a string does not end with a NUL"));
        }
        strings.push(string.bytes());
    }
    if !section.is_empty() {
        return Err(section.error("bytes between the sizes of the strings and the first one"));
    }
    strings.reverse();
    Ok(strings)
}

fn properties(mut section: Reader<'_>) -> Result<usize, Error> {
    if section.is_empty() {
        return Ok(0);
    }
    let count = section.count("properties")?;
    for _ in 0..count {
        let size = section.varint()?;
        section.part(size)?;
    }
    if !section.is_empty() {
        return Err(section.error("bytes after the last property"));
    }
    Ok(count)
}

/// Reads the tables of dialects and of operation names: true for each dialect that is the builtin one,
/// and the number of names.
fn dialects(
    mut section: Reader<'_>,
    strings: &[&[u8]],
    version: u64,
) -> Result<(Vec<bool>, usize), Error> {
    let count = section.count("dialects")?;
    let mut dialects = Vec::new();
    for _ in 0..count {
        let (name, has_version) = if version < 1 {
            (section.index(strings.len(), "strings")?, false)
        } else {
            section.flagged_index(strings.len(), "strings")?
        };
        dialects.push(strings[name] == b"builtin\0");
        if has_version {
            let at = section.offset();
            let (kind, _) = section.section()?;
            if kind != Section::DialectVersions {
                let message = format!("a section {kind:?} in the place of DialectVersions");
                return Err(Error::new(at, message));
            }
        }
    }
    if version >= 4 {
        section.count("operation names")?;
    }
    let mut names = 0;
    while !section.is_empty() {
        section.index(dialects.len(), "dialects")?;
        for _ in 0..section.count("operation names")? {
            if version < 5 {
                section.index(strings.len(), "strings")?;
            } else {
                section.flagged_index(strings.len(), "strings")?;
            }
            names += 1;
        }
    }
    Ok((dialects, names))
}

/// Reads attributes and types by their sizes, and returns the number of each.
fn attributes_and_types(
    mut offsets: Reader<'_>,
    mut contents: Reader<'_>,
    dialects: &[bool],
    strings: usize,
) -> Result<(usize, usize), Error> {
    let (attributes, types) = (offsets.count("attributes")?, offsets.count("types")?);
    let mut entries = Entries::new(attributes, types, strings);
    // Types stand behind attributes, which need them.
    let (mut offsets_of_attributes, mut attributes_only) = (offsets, contents);
    pass_over(&mut offsets, &mut contents, dialects, attributes)?;
    self::types(&mut offsets, &mut contents, dialects, types, &mut entries)?;
    if !offsets.is_empty() {
        return Err(offsets.error("bytes after the sizes of the last type"));
    }
    entries.check_types()?;
    let mut first = 0;
    while first != attributes {
        let sizes = &mut offsets_of_attributes;
        let (builtin, count) = group(sizes, dialects, attributes - first, "attributes")?;
        let end = first + count;
        while first != end {
            if builtin {
                first += entries.add_places(first..end, sizes, &mut attributes_only);
                if first == end {
                    break;
                }
            }
            let (size, binary) = sizes.flagged()?;
            entries.add_attribute(first, attributes_only.part(size)?, builtin && binary)?;
            first += 1;
        }
    }
    entries.finish()?;
    Ok((attributes, types))
}

/// Passes over the sizes of all attributes, and over their contents.
fn pass_over(
    offsets: &mut Reader<'_>,
    contents: &mut Reader<'_>,
    dialects: &[bool],
    count: usize,
) -> Result<(), Error> {
    let mut left = count;
    while left != 0 {
        let (_, size) = group(offsets, dialects, left, "attributes")?;
        left -= size;
        for _ in 0..size / EIGHT {
            // Sizes of one byte, mostly.
            if let Some(total) = offsets.eight_flagged() {
                contents.part(total)?;
                continue;
            }
            for _ in 0..EIGHT {
                contents.part(offsets.flagged()?.0)?;
            }
        }
        for _ in 0..size % EIGHT {
            contents.part(offsets.flagged()?.0)?;
        }
    }
    Ok(())
}

/// Reads the head of a group of at most `left` entries: whether it is of the builtin dialect, and its size.
fn group(
    offsets: &mut Reader<'_>,
    dialects: &[bool],
    left: usize,
    table: &str,
) -> Result<(bool, usize), Error> {
    let builtin = dialects[offsets.index(dialects.len(), "dialects")?];
    let at = offsets.offset();
    let size = offsets.varint()?;
    // MLIR writes behind its table if a group has more.
    match usize::try_from(size) {
        Ok(size) if size <= left => Ok((builtin, size)),
        _ => {
            let message = format!("a group of {size} {table}, of which {left} are left");
            Err(Error::new(at, message))
        }
    }
}

/// Reads the types by their sizes.
fn types(
    offsets: &mut Reader<'_>,
    contents: &mut Reader<'_>,
    dialects: &[bool],
    count: usize,
    entries: &mut Entries,
) -> Result<(), Error> {
    let mut left = count;
    while left != 0 {
        let (builtin, size) = group(offsets, dialects, left, "types")?;
        left -= size;
        for _ in 0..size {
            let (size, binary) = offsets.flagged()?;
            entries.add_type(contents.part(size)?, builtin && binary)?;
        }
    }
    Ok(())
}

/// The contents of each attribute of the builtin dialect that is in binary. The sections were checked.
pub(crate) fn coded_attributes<'a>(
    sections: &Sections<'a>,
    strings: &[&[u8]],
    version: u64,
) -> Result<Vec<Option<Reader<'a>>>, Error> {
    let (dialects, _) = dialects(sections.required(Section::Dialect)?, strings, version)?;
    let mut offsets = sections.required(Section::AttrTypeOffset)?;
    let mut contents = sections.required(Section::AttrType)?;
    let count = offsets.count("attributes")?;
    offsets.count("types")?;
    let mut entries = Vec::with_capacity(count);
    while entries.len() != count {
        let left = count - entries.len();
        let (builtin, size) = group(&mut offsets, &dialects, left, "attributes")?;
        for _ in 0..size {
            let (size, binary) = offsets.flagged()?;
            let entry = contents.part(size)?;
            entries.push((builtin && binary).then_some(entry));
        }
    }
    Ok(entries)
}

fn resources(
    mut offsets: Reader<'_>,
    mut contents: Reader<'_>,
    strings: usize,
    dialects: usize,
) -> Result<(), Error> {
    for _ in 0..offsets.count("groups of external resources")? {
        offsets.index(strings, "strings")?;
        resource_group(&mut offsets, &mut contents, strings)?;
    }
    while !offsets.is_empty() {
        offsets.index(dialects, "dialects")?;
        resource_group(&mut offsets, &mut contents, strings)?;
    }
    Ok(())
}

fn resource_group(
    offsets: &mut Reader<'_>,
    contents: &mut Reader<'_>,
    strings: usize,
) -> Result<(), Error> {
    const BLOB: u8 = 0;
    const BOOL: u8 = 1;
    const STRING: u8 = 2;
    for _ in 0..offsets.count("resources")? {
        offsets.index(strings, "strings")?;
        let size = offsets.varint()?;
        let at = offsets.offset();
        let kind = offsets.byte()?;
        let mut resource = contents.part(size)?;
        // A resource without contents is a declaration.
        if resource.is_empty() {
            continue;
        }
        match kind {
            BLOB => {
                let at = resource.offset();
                let alignment = resource.varint()?;
                let size = resource.varint()?;
                resource.skip_padding(at, alignment)?;
                resource.part(size)?;
            }
            BOOL => {
                let value = resource.byte()?;
                if value > 1 {
                    return Err(Error::new(at, format!("{value} is not a boolean")));
                }
            }
            STRING => {
                resource.index(strings, "strings")?;
            }
            other => {
                return Err(Error::new(
                    at,
                    format!("there is no kind {other} of resource"),
                ));
            }
        }
    }
    Ok(())
}
