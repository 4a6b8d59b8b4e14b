//! Kinds of input that rules apply to: images of one format, unlinked objects and archives, wheels.

use crate::audit::ImageSummary;
use crate::image_facts::Format;

/// Kind of input. Each rule states the kinds that it applies to, and a fixture shows each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputKind {
    /// A library or program for Linux and its kin.
    Elf,
    /// A library or program for macOS.
    MachO,
    /// A library or program for Windows.
    Pe,
    /// An object file or a static archive, of whichever format.
    Unlinked,
    /// A wheel, and those of its files that are not images.
    Wheel,
}

impl InputKind {
    /// All of them.
    pub const ALL: &[InputKind] = &[
        Self::Elf,
        Self::MachO,
        Self::Pe,
        Self::Unlinked,
        Self::Wheel,
    ];

    /// Images, whatever their format.
    pub(crate) const IMAGES: &[InputKind] = &[Self::Elf, Self::MachO, Self::Pe];

    /// Name in the reference of the rules.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Elf => Format::Elf.name(),
            Self::MachO => Format::MachO.name(),
            Self::Pe => Format::Pe.name(),
            Self::Unlinked => "objects and archives",
            Self::Wheel => "wheels",
        }
    }

    /// Kind of an audited image.
    #[must_use]
    pub fn of(image: &ImageSummary) -> Self {
        match image.format {
            _ if !image.kind.is_linked() => Self::Unlinked,
            Format::Elf => Self::Elf,
            Format::MachO => Self::MachO,
            Format::Pe => Self::Pe,
        }
    }
}
