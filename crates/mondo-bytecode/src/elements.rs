//! The sizes of dense attributes, which MLIR reads by their type and does not compare with it.

use crate::error::Error;
use crate::fields::attribute;
use crate::reader::Reader;
use crate::types::{Kind, Shaped};

/// Fails where the attribute at `at`, of one of the codes of [`attribute`], has another number of bytes than
/// its type says. `reader` is behind the code; the fields were read before.
pub(crate) fn check(
    at: usize,
    code: usize,
    mut reader: Reader<'_>,
    types: &[(Kind, usize)],
) -> Result<(), Error> {
    let fail = |message: &str| Err(Error::new(at, message));
    let kind = &types[reader.index(types.len(), "types")?].0;
    match code {
        attribute::INTEGER => match kind {
            Kind::Integer { width } => number(&mut reader, *width),
            Kind::Index => number(&mut reader, 64),
            Kind::Unknown => Ok(()),
            _ => fail("an integer attribute of a type that is not an integer"),
        },
        // MLIR goes on with no attribute where one cannot be read.
        attribute::FLOAT => match kind {
            Kind::Float { width } => number(&mut reader, *width),
            Kind::Unknown => Ok(()),
            _ => fail("a float attribute of a type that is not a float"),
        },
        attribute::DENSE_ARRAY => {
            let size = reader.varint()?;
            let bytes = reader.varint()?;
            let width = match kind {
                // MLIR makes it, and cannot print it.
                Kind::Unknown => return fail("a dense array of elements that are not numbers"),
                Kind::Integer { width: 1 } => 8,
                Kind::Integer { width } | Kind::Float { width } => *width,
                // MLIR asks a number for its width, which an index has not.
                _ => return fail("a dense array of elements that are not numbers"),
            };
            if width % 8 != 0 || size.checked_mul(width / 8) != Some(bytes) {
                return fail("a dense array has another size than its elements");
            }
            Ok(())
        }
        attribute::DENSE_ELEMENTS => {
            let bytes = reader.varint()?;
            let Some(shaped) = shaped(kind, at)? else {
                return Ok(());
            };
            let element = types
                .get(shaped.element)
                .map_or(&Kind::Unknown, |row| &row.0);
            if *element == Kind::Unknown {
                return Ok(());
            }
            let Some(width) = element.width(types) else {
                return fail("dense elements that are not numbers");
            };
            let needed = shaped.elements().and_then(|count| match width {
                1 => Some(count.div_ceil(8)),
                _ => count.checked_mul(width.div_ceil(8)),
            });
            // One element stands for all.
            let splat = width.div_ceil(8);
            if needed.is_none() || (bytes != splat && Some(bytes) != needed) {
                return fail("dense elements have another size than their type");
            }
            Ok(())
        }
        _ => {
            let splat = reader.varint()? != 0;
            let Some(shaped) = shaped(kind, at)? else {
                return Ok(());
            };
            let strings = if splat { Some(1) } else { shaped.elements() };
            match strings {
                Some(count) if count <= reader.left() as u64 => Ok(()),
                _ => fail("dense strings are fewer than their type says"),
            }
        }
    }
}

/// Reads a number of `width` bits: a byte, an integer, or the words of a longer one.
fn number(reader: &mut Reader<'_>, width: u64) -> Result<(), Error> {
    match width {
        0..=8 => reader.byte().map(drop),
        9..=64 => reader.varint().map(drop),
        _ => {
            for _ in 0..reader.count("words")? {
                reader.varint()?;
            }
            Ok(())
        }
    }
}

/// The shape of a type that dense elements can have, or none if the type is unknown.
fn shaped(kind: &Kind, at: usize) -> Result<Option<&Shaped>, Error> {
    match kind {
        Kind::Vector(shaped) | Kind::Tensor(shaped) => Ok(Some(shaped)),
        Kind::Unknown => Ok(None),
        _ => Err(Error::new(
            at,
            "dense elements of a type that is neither a vector nor a tensor",
        )),
    }
}
