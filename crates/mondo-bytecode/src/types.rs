//! The builtin types, as far as MLIR makes them without checking what they consist of.

use crate::error::Error;
use crate::reader::Reader;

/// The largest width of an integer type (`IntegerType::kMaxWidth`).
const MAX_WIDTH: u64 = (1 << 24) - 1;

/// A dimension whose size is not known (`ShapedType::kDynamic`).
const DYNAMIC: i64 = i64::MIN;

/// A type by its code; other dialects' types, and those in text, are unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Unknown,
    Integer {
        width: u64,
    },
    Index,
    Float {
        width: u64,
    },
    Complex {
        element: usize,
    },
    Vector(Shaped),
    Tensor(Shaped),
    UnrankedTensor {
        element: usize,
    },
    MemRef(Shaped),
    UnrankedMemRef {
        element: usize,
    },
    /// A function, a tuple, or none.
    Other,
}

/// A type with a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shaped {
    pub(crate) shape: Vec<i64>,
    pub(crate) element: usize,
    /// The number of dimensions that are said to be scalable or not, of a vector that says it.
    scalable: Option<usize>,
}

fn element(reader: &mut Reader<'_>) -> Result<usize, Error> {
    Ok(usize::try_from(reader.varint()?).unwrap_or(usize::MAX))
}

fn shaped(reader: &mut Reader<'_>, scalable: Option<usize>) -> Result<Shaped, Error> {
    let rank = reader.count("dimensions")?;
    let mut shape = Vec::new();
    for _ in 0..rank {
        let word = reader.varint()?;
        // The lowest bit is the sign.
        shape.push((word >> 1).cast_signed() ^ -(word & 1).cast_signed());
    }
    Ok(Shaped {
        shape,
        element: element(reader)?,
        scalable,
    })
}

impl Shaped {
    /// The number of elements. `None` if a dimension is not known, or there are too many.
    pub(crate) fn elements(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |product, size| {
            product.checked_mul(u64::try_from(*size).ok()?)
        })
    }
}

impl Kind {
    /// Reads a type behind its code; its fields were read before.
    pub(crate) fn read(code: usize, mut reader: Reader<'_>) -> Result<Self, Error> {
        let reader = &mut reader;
        Ok(match code {
            0 => Self::Integer {
                width: reader.varint()? >> 2,
            },
            1 => Self::Index,
            3 | 4 => Self::Float { width: 16 },
            5 => Self::Float { width: 32 },
            6 => Self::Float { width: 64 },
            7 => Self::Float { width: 80 },
            8 => Self::Float { width: 128 },
            9 => Self::Complex {
                element: element(reader)?,
            },
            10 => Self::MemRef(shaped(reader, None)?),
            11 => {
                reader.varint()?;
                Self::MemRef(shaped(reader, None)?)
            }
            13 => Self::Tensor(shaped(reader, None)?),
            14 => {
                reader.varint()?;
                Self::Tensor(shaped(reader, None)?)
            }
            16 => Self::UnrankedMemRef {
                element: element(reader)?,
            },
            17 => {
                reader.varint()?;
                Self::UnrankedMemRef {
                    element: element(reader)?,
                }
            }
            18 => Self::UnrankedTensor {
                element: element(reader)?,
            },
            19 => Self::Vector(shaped(reader, None)?),
            20 => {
                let scalable = reader.varint()?;
                reader.part(scalable)?;
                Self::Vector(shaped(reader, usize::try_from(scalable).ok())?)
            }
            _ => Self::Other,
        })
    }

    /// The width in bits of an element of this type among dense elements, if it can be one.
    pub(crate) fn width(&self, types: &[(Self, usize)]) -> Option<u64> {
        match self {
            Self::Integer { width } | Self::Float { width } => Some(*width),
            Self::Index => Some(64),
            Self::Complex { element } => match &types.get(*element)?.0 {
                Self::Integer { width } | Self::Float { width } => {
                    Some(width.next_multiple_of(8) * 2)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Fails where MLIR would make a type that it does not allow.
    pub(crate) fn check(&self, types: &[(Self, usize)], at: usize) -> Result<(), Error> {
        let fail = |message: &str| Err(Error::new(at, message));
        let element = |index: usize| types.get(index).map_or(&Self::Unknown, |row| &row.0);
        match self {
            Self::Integer { width } if *width > MAX_WIDTH => fail("an integer type is too wide"),
            Self::Complex { element: index } => match element(*index) {
                Self::Integer { .. } | Self::Float { .. } | Self::Unknown => Ok(()),
                _ => fail("a complex type of elements that are not numbers"),
            },
            Self::Vector(vector) => {
                if vector.shape.iter().any(|size| *size <= 0) {
                    return fail("a vector type with a dimension that is not positive");
                }
                if vector
                    .scalable
                    .is_some_and(|count| count != vector.shape.len())
                {
                    return fail("a vector type that does not say of each dimension if it scales");
                }
                match element(vector.element) {
                    Self::Integer { .. } | Self::Float { .. } | Self::Index | Self::Unknown => {
                        Ok(())
                    }
                    _ => fail("a vector type of elements that are not numbers"),
                }
            }
            Self::Tensor(tensor) => {
                sizes(tensor, at)?;
                element(tensor.element).may_be_in_tensor(at)
            }
            Self::UnrankedTensor { element: index } => element(*index).may_be_in_tensor(at),
            Self::MemRef(memref) => {
                sizes(memref, at)?;
                element(memref.element).may_be_in_memref(at)
            }
            Self::UnrankedMemRef { element: index } => element(*index).may_be_in_memref(at),
            _ => Ok(()),
        }
    }

    fn may_be_in_tensor(&self, at: usize) -> Result<(), Error> {
        match self {
            Self::Tensor(_)
            | Self::UnrankedTensor { .. }
            | Self::MemRef(_)
            | Self::UnrankedMemRef { .. }
            | Self::Other => Err(Error::new(
                at,
                "a tensor type of elements that it cannot have",
            )),
            _ => Ok(()),
        }
    }

    fn may_be_in_memref(&self, at: usize) -> Result<(), Error> {
        match self {
            Self::Tensor(_) | Self::UnrankedTensor { .. } | Self::Other => Err(Error::new(
                at,
                "a memref type of elements that it cannot have",
            )),
            _ => Ok(()),
        }
    }
}

fn sizes(shaped: &Shaped, at: usize) -> Result<(), Error> {
    if shaped
        .shape
        .iter()
        .any(|size| *size < 0 && *size != DYNAMIC)
    {
        return Err(Error::new(at, "a dimension of a negative size"));
    }
    Ok(())
}
