//! What a rule can be about: an image of one format, what is not linked yet, or a wheel.

use crate::audit::ImageSummary;
use crate::image_facts::Format;

/// What a rule applies to. Each rule states it, and a fixture shows each of them.
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
    /// A wheel, and those of its files that are no images.
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

    /// How pages of rules call it.
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

    /// What an image of an audit is.
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
