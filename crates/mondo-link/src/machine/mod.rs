//! The machine that a bundle is linked for: what compilers, linkers and loaders name or encode in its
//! own way. Each machine is one file; mondo builds for the one that it runs on.

use object::elf;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::HOST;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::HOST;

/// All that the link layer must know of a machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine {
    /// Its name in messages: `x86-64`.
    pub(crate) name: &'static str,
    /// `e_machine` of its ELF files.
    pub(crate) elf: elf::Machine,
    /// The relocation type of a call to a function of another object. `None` until somebody has looked at
    /// MLIR's objects for this machine.
    pub(crate) call_relocation: Option<elf::RelocationType>,
    /// The file name of its dynamic loader with glibc.
    pub(crate) loader: &'static str,
    /// Assembly in a macro with the parameter `name`: a jump to the address in the 8-byte word
    /// `.Lmondo_word_\name`, which is in reach of an address relative to the program counter.
    pub(crate) jump_through_word: &'static str,
    /// Assembly: a jump to the function `mondoExcluded`, which ends the process with a message.
    pub(crate) jump_to_excluded: &'static str,
    /// Assembly: return a null pointer.
    pub(crate) return_null: &'static str,
    /// Assembly: return.
    pub(crate) return_: &'static str,
}
