//! x86-64, by the System V ABI's supplement for it.

use object::elf;

use super::Machine;

pub(crate) const HOST: Machine = Machine {
    name: "x86-64",
    elf: elf::EM_X86_64,
    call_relocation: Some(elf::R_X86_64_PLT32),
    loader: "ld-linux-x86-64.so.2",
    jump_through_word: "jmp *.Lmondo_word_\\name(%rip)",
    jump_to_excluded: "jmp mondoExcluded@PLT",
    return_null: "xorl %eax, %eax\n\tret",
    return_: "ret",
};
