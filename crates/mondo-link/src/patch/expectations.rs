//! The expected contents of MLIR's archives, and the changes that patches make to them: data only.
//!
//! The functions on the right are mondo-runtime's, in `shim/hooks.h`. The numbers were counted in LLVM 19.1.7 and 22.1.8,
//! which agree, and in 23.1.4. Objects that no table here describes are read by the rules in `rules.rs`.

/// The changes to one member of one archive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    /// The archive's name, without `lib` and `.a`.
    pub archive: &'static str,
    /// The member's name.
    pub name: &'static str,
    /// Calls that get another target.
    pub redirects: &'a [Redirect<'a>],
    /// Definitions that get another name.
    pub renames: &'static [Rename],
    /// The number of references to a symbol in the whole member. A call in a place that this table does not list
    /// would bypass the hooks, so the totals are checked.
    pub totals: &'a [Total],
}

/// Redirects all calls of the function `from` in one section to the function `to`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Redirect<'a> {
    /// The section of the calling function.
    pub section: &'a str,
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

pub(super) const ALLOC: &str = "mondo_op_alloc";
pub(super) const FREE: &str = "mondo_op_free";
pub(super) const ARGUMENT_DELETE: &str = "mondo_block_argument_delete";

/// The sized `operator delete`.
pub(super) const DELETE: &str = "_ZdlPvm";
/// `mlir::Block::~Block`, the complete and the base destructor: one function under two names.
pub(super) const BLOCK_D1: &str = "_ZN4mlir5BlockD1Ev";
pub(super) const BLOCK_D2: &str = "_ZN4mlir5BlockD2Ev";

/// The section of both.
pub(super) const BLOCK_SECTION: &str = ".text._ZN4mlir5BlockD2Ev";

/// The unsized and throwing `operator new`.
const NEW: &str = "_Znwm";

const fn redirect(
    section: &'static str,
    from: &'static str,
    to: &'static str,
    count: usize,
) -> Redirect<'static> {
    Redirect {
        section,
        from,
        to,
        count,
    }
}

const fn total(symbol: &'static str, count: usize) -> Total {
    Total { symbol, count }
}

/// `Operation.cpp.o`, in which every operation is allocated in one place and freed in three. The other calls of `free`
/// release vectors.
const fn operation(
    redirects: &'static [Redirect<'static>],
    totals: &'static [Total],
) -> Member<'static> {
    Member {
        archive: "MLIRIR",
        name: "Operation.cpp.o",
        redirects,
        renames: &[],
        totals,
    }
}

/// `Block.cpp.o`. Every block's death calls `~Block`, which is defined out of line; the shim defines both names anew, and calls
/// the renamed definition. Block arguments are deleted by members of Block alone; a few of these calls free a vector's
/// storage, which the hook tells apart by its address.
const fn block(
    redirects: &'static [Redirect<'static>],
    totals: &'static [Total],
) -> Member<'static> {
    Member {
        archive: "MLIRIR",
        name: "Block.cpp.o",
        redirects,
        renames: &[
            Rename {
                from: BLOCK_D1,
                to: "mondo_block_complete_destructor_of_mlir",
            },
            Rename {
                from: BLOCK_D2,
                to: "mondo_block_destructor",
            },
        ],
        totals,
    }
}

const DESTROY: Redirect<'static> = redirect(".text._ZN4mlir9Operation7destroyEv", "free", FREE, 1);
const ERASE: Redirect<'static> = redirect(".text._ZN4mlir9Operation5eraseEv", "free", FREE, 1);
const DELETE_NODE: Redirect<'static> = redirect(
    ".text._ZN4llvm12ilist_traitsIN4mlir9OperationEE10deleteNodeEPS2_",
    "free",
    FREE,
    1,
);

const BLOCK_ERASE: Redirect<'static> =
    redirect(".text._ZN4mlir5Block5eraseEv", BLOCK_D1, BLOCK_D1, 1);
const BLOCK_DESTRUCTOR: Redirect<'static> =
    redirect(".text._ZN4mlir5BlockD2Ev", DELETE, ARGUMENT_DELETE, 2);
const ERASE_ARGUMENT: Redirect<'static> = redirect(
    ".text._ZN4mlir5Block13eraseArgumentEj",
    DELETE,
    ARGUMENT_DELETE,
    1,
);
const ERASE_ARGUMENTS: Redirect<'static> = redirect(
    ".text._ZN4mlir5Block14eraseArgumentsEjj",
    DELETE,
    ARGUMENT_DELETE,
    1,
);
const ERASE_ARGUMENTS_IF: Redirect<'static> = redirect(
    ".text._ZN4mlir5Block14eraseArgumentsEN4llvm12function_refIFbNS_13BlockArgumentEEEE",
    DELETE,
    ARGUMENT_DELETE,
    2,
);

const ERASE_ARGUMENTS_OF_BITS: Redirect<'static> = redirect(
    ".text._ZN4mlir5Block14eraseArgumentsERKN4llvm9BitVectorE",
    DELETE,
    ARGUMENT_DELETE,
    2,
);

/// LLVM 22 and older.
const BEFORE_23: &[Member<'static>] = &[
    operation(
        &[
            redirect(
                ".text._ZN4mlir9Operation6createENS_8LocationENS_13OperationNameENS_9TypeRangeENS_10ValueRange\
                 ENS_14DictionaryAttrENS_16OpaquePropertiesENS_10BlockRangeEj",
                "malloc",
                ALLOC,
                1,
            ),
            DESTROY,
            ERASE,
            DELETE_NODE,
        ],
        &[total("malloc", 1), total(NEW, 0)],
    ),
    block(
        &[
            BLOCK_ERASE,
            BLOCK_DESTRUCTOR,
            ERASE_ARGUMENT,
            ERASE_ARGUMENTS,
            ERASE_ARGUMENTS_IF,
        ],
        // Of the calls that stay, `delete` and `new` are of a vector's storage (two each), of a block (one each), and `new`
        // of arguments (three).
        &[
            total(BLOCK_D1, 1),
            total(BLOCK_D2, 0),
            total(BLOCK_SECTION, 0),
            total(DELETE, 9),
            total(NEW, 6),
        ],
    ),
];

/// LLVM 23. `eraseArguments(const BitVector &)` deletes arguments itself, where older versions call the function above.
const SINCE_23: &[Member<'static>] = &[
    operation(
        &[
            redirect(
                ".text._ZN4mlir9Operation6createENS_8LocationENS_13OperationNameENS_9TypeRangeENS_10ValueRange\
                 ENS_14DictionaryAttrENS_11PropertyRefENS_10BlockRangeEj",
                "malloc",
                ALLOC,
                1,
            ),
            DESTROY,
            ERASE,
            DELETE_NODE,
        ],
        &[total("malloc", 1), total(NEW, 0)],
    ),
    block(
        &[
            BLOCK_ERASE,
            BLOCK_DESTRUCTOR,
            ERASE_ARGUMENT,
            ERASE_ARGUMENTS,
            ERASE_ARGUMENTS_IF,
            ERASE_ARGUMENTS_OF_BITS,
        ],
        // Of the calls that stay, `delete` and `new` are of a vector's storage (three each), of a block (one each), and `new`
        // of arguments (two).
        &[
            total(BLOCK_D1, 1),
            total(BLOCK_D2, 0),
            total(BLOCK_SECTION, 0),
            total(DELETE, 12),
            total(NEW, 6),
        ],
    ),
];

/// Members of LLVM 22 and older as other compilers write them: GCC 14 with `-fno-semantic-interposition` calls the
/// destructor by its section, and has one more inlined copy of `eraseArguments`. Seen in `xtc-mlir-dev` 22.1.8 of PyPI.
const OTHERS_BEFORE_23: &[Member<'static>] = &[block(
    &[
        redirect(".text._ZN4mlir5Block5eraseEv", BLOCK_SECTION, BLOCK_D1, 1),
        BLOCK_DESTRUCTOR,
        ERASE_ARGUMENT,
        ERASE_ARGUMENTS,
        ERASE_ARGUMENTS_IF,
        ERASE_ARGUMENTS_OF_BITS,
    ],
    &[
        total(BLOCK_D1, 0),
        total(BLOCK_D2, 0),
        total(BLOCK_SECTION, 1),
        total(DELETE, 13),
        total(NEW, 8),
    ],
)];

/// Every known form of the members, the newest first.
pub(super) fn all_forms() -> impl Iterator<Item = &'static Member<'static>> {
    [SINCE_23, BEFORE_23, OTHERS_BEFORE_23]
        .into_iter()
        .flatten()
}

/// The changes to the archives of an LLVM.
pub(super) fn members(major: u32) -> &'static [Member<'static>] {
    match major {
        ..23 => BEFORE_23,
        23.. => SINCE_23,
    }
}
