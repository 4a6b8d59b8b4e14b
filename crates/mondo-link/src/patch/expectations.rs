//! The expected contents of MLIR's archives, and the changes that patches make to them: data only.
//!
//! The functions on the right are mondo-runtime's, in `shim/hooks.h`. The numbers were counted in
//! LLVM 19.1.7 and 22.1.8, which agree.

/// The changes to one member of one archive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// The archive's name, without `lib` and `.a`.
    pub archive: &'static str,
    /// The member's name.
    pub name: &'static str,
    /// Calls that get another target.
    pub redirects: &'static [Redirect],
    /// Definitions that get another name.
    pub renames: &'static [Rename],
    /// The number of references to a symbol in the whole member. A call in a place that this table does not list
    /// would bypass the hooks, so the totals are checked.
    pub totals: &'static [Total],
}

/// Redirects all calls of the function `from` in one section to the function `to`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Redirect {
    /// The section of the calling function.
    pub section: &'static str,
    /// The function that it calls, or the section of that function, if the compiler calls it without its name.
    pub from: &'static str,
    /// The function that it is to call.
    pub to: &'static str,
    /// The number of these calls.
    pub count: usize,
}

/// A function that the member defines gets another name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rename {
    /// The present name.
    pub from: &'static str,
    /// The new name.
    pub to: &'static str,
}

/// The number of references to a symbol in a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Total {
    /// The symbol.
    pub symbol: &'static str,
    /// The number of references.
    pub count: usize,
}

const ALLOC: &str = "mondo_op_alloc";
const FREE: &str = "mondo_op_free";
const ARGUMENT_DELETE: &str = "mondo_block_argument_delete";

/// The sized `operator delete`.
const DELETE: &str = "_ZdlPvm";
/// `mlir::Block::~Block`, the complete and the base destructor: one function under two names.
const BLOCK_D1: &str = "_ZN4mlir5BlockD1Ev";
const BLOCK_D2: &str = "_ZN4mlir5BlockD2Ev";

/// The section of both.
const BLOCK_SECTION: &str = ".text._ZN4mlir5BlockD2Ev";

/// The shim defines both names anew, and calls the renamed definition.
const BLOCK_RENAMES: &[Rename] = &[
    Rename {
        from: BLOCK_D1,
        to: "mondo_block_complete_destructor_of_mlir",
    },
    Rename {
        from: BLOCK_D2,
        to: "mondo_block_destructor",
    },
];

/// Every operation is allocated in one place and freed in three. Every block's death calls `~Block`,
/// which is defined out of line. Block arguments are deleted by members of Block alone; a few of
/// these calls free a vector's storage, which the hook tells apart by its address.
pub(super) const MEMBERS: &[Member] = &[
    Member {
        archive: "MLIRIR",
        name: "Operation.cpp.o",
        redirects: &[
            Redirect {
                section: ".text._ZN4mlir9Operation6createENS_8LocationENS_13OperationNameENS_9\
                          TypeRangeENS_10ValueRangeENS_14DictionaryAttrENS_16OpaqueProperties\
                          ENS_10BlockRangeEj",
                from: "malloc",
                to: ALLOC,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir9Operation7destroyEv",
                from: "free",
                to: FREE,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir9Operation5eraseEv",
                from: "free",
                to: FREE,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4llvm12ilist_traitsIN4mlir9OperationEE10deleteNodeEPS2_",
                from: "free",
                to: FREE,
                count: 1,
            },
        ],
        renames: &[],
        totals: &[Total {
            symbol: "malloc",
            count: 1,
        }],
    },
    Member {
        archive: "MLIRIR",
        name: "Block.cpp.o",
        redirects: &[
            Redirect {
                section: ".text._ZN4mlir5Block5eraseEv",
                from: BLOCK_D1,
                to: BLOCK_D1,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir5BlockD2Ev",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 2,
            },
            Redirect {
                section: ".text._ZN4mlir5Block13eraseArgumentEj",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir5Block14eraseArgumentsEjj",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir5Block14eraseArgumentsEN4llvm12function_refIFbNS_13\
                          BlockArgumentEEEE",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 2,
            },
        ],
        renames: BLOCK_RENAMES,
        totals: &[
            Total {
                symbol: BLOCK_D1,
                count: 1,
            },
            Total {
                symbol: BLOCK_D2,
                count: 0,
            },
            Total {
                symbol: BLOCK_SECTION,
                count: 0,
            },
        ],
    },
];

/// The same members as other compilers write them, for those that are not as [`MEMBERS`] describes.
pub(super) const OTHER_FORMS: &[Member] = &[
    // GCC 14 with `-fno-semantic-interposition` calls the destructor by its section, and has one more inlined copy of
    // `eraseArguments`. Seen in `xtc-mlir-dev` 22.1.8 of PyPI.
    Member {
        archive: "MLIRIR",
        name: "Block.cpp.o",
        redirects: &[
            Redirect {
                section: ".text._ZN4mlir5Block5eraseEv",
                from: BLOCK_SECTION,
                to: BLOCK_D1,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir5BlockD2Ev",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 2,
            },
            Redirect {
                section: ".text._ZN4mlir5Block13eraseArgumentEj",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir5Block14eraseArgumentsEjj",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 1,
            },
            Redirect {
                section: ".text._ZN4mlir5Block14eraseArgumentsEN4llvm12function_refIFbNS_13\
                          BlockArgumentEEEE",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 2,
            },
            Redirect {
                section: ".text._ZN4mlir5Block14eraseArgumentsERKN4llvm9BitVectorE",
                from: DELETE,
                to: ARGUMENT_DELETE,
                count: 2,
            },
        ],
        renames: BLOCK_RENAMES,
        totals: &[
            Total {
                symbol: BLOCK_D1,
                count: 0,
            },
            Total {
                symbol: BLOCK_D2,
                count: 0,
            },
            Total {
                symbol: BLOCK_SECTION,
                count: 1,
            },
        ],
    },
];
