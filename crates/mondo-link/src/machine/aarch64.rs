//! AArch64. Bundles cannot be made for it yet: the object patching knows no relocation type.

use object::elf;

use super::Machine;

pub(crate) const HOST: Machine = Machine {
    name: "AArch64",
    elf: elf::EM_AARCH64,
    call_relocation: None,
    loader: "ld-linux-aarch64.so.1",
    jump_through_word: "adrp x16, .Lmondo_word_\\name\n\
                        ldr x16, [x16, :lo12:.Lmondo_word_\\name]\n\
                        br x16",
    jump_to_excluded: "b mondoExcluded",
    return_null: "mov x0, #0\n\tret",
    return_: "ret",
};
