//! The lifetime of Python objects and of the IR that they represent. docs/design/ownership.md has the design.
//!
//! A *wrapper* is the Python object of something in MLIR. This is who refers to whom:
//!
//! ```text
//!   wrapper                       refers to (═▶)           finds again (┄▷)
//!
//!   OpView ═══════════════════╗
//!   Module ═══════════════════╣
//!   OpResult ═════════════════╣
//!   Region of an operation ═══╩═▶ Operation                ┄▷ its view, module, results and regions
//!                                 ║
//!   BlockArgument ══════▶ Block ══╣
//!   Region without operation ═════╩═▶ Tree                 ┄▷ nothing: MLIR's nodes know their wrappers
//!                                     ║
//!   Type, Attribute ══════════════════╣
//!   Location, AffineExpr, AffineMap ══╩═▶ Context          ┄▷ wrappers of types and attributes
//!
//!   Tree    ═▶ its Roots, which own IR; its retained wrappers
//!   Context ═▶ MLIR's context, which owns types and attributes; its retained wrappers; callbacks
//!
//!   MLIR's operation, block, block argument ┄▷ its Operation, Block, BlockArgument: the *observer*,
//!                                              which hears of the node's destruction, in any thread
//! ```
//!
//! - `═▶` is strong: a counted reference, which the garbage collector visits. Only an *active* wrapper has it.
//!   When the last reference to a wrapper goes, the wrapper drops its own.
//! - `┄▷` is weak: an address. The wrapper there may be *dormant*: its memory and its `id()` are kept, it has no
//!   references, and none lead to it. The next access wakes the wrapper and gives it its `═▶` again.
//! - A wrapper is *dead* once MLIR has destroyed its node. Each use raises `InvalidatedError`.
//! - Every `═▶` leads towards the context, so that wrappers alone make no cycle. A cycle needs a Python
//!   attribute of a wrapper, or a callback, and the garbage collector finds it.
//! - A wrapper with Python attributes of its own does not become dormant but *retained*: its tree or context has
//!   the one strong reference to it.
//! - A *root* is an operation, block or region without a parent. It and its tree know each other: the tree has an
//!   `Arc<Root>`, the root the tree's address. The wrapper of the root's node has an `Arc<Root>`, too.
//! - A value that a caster made (a class for values of some type) refers to the plain `OpResult` or
//!   `BlockArgument`, as a view does to its `Operation`.
//! - Lists, iterators and insertion points refer to the operation, block or region that they are of. They have
//!   no identity: two of the same are two objects.
//!
//! | what | file |
//! |---|---|
//! | states of a wrapper, identity map, death hook, dead list | `wrapper/` |
//! | contents of wrappers | `operation/`, `block`, `region`, `value`, `module`, `storage_wrapper`, `uniqued_ref` |
//! | what operations and blocks share | `tree_member` |
//! | owners of IR | `tree`, `context/`, and `destruction` for a tree's end |
//! | moves between trees | `transfer`, `erasure`, `cross_tree_uses` |
//! | refusals while MLIR works on the IR | `reentrancy`, `conversions`, `context/access` |
//!
//! The methods that Python calls are in `ir`.

pub(crate) mod block;
pub(crate) mod capsules;
pub(crate) mod context;
pub(crate) mod conversions;
pub(crate) mod cross_tree_uses;
mod destruction;
pub(crate) mod diagnostics;
pub(crate) mod erasure;
mod fast_paths;
pub(crate) mod module;
pub(crate) mod node_access;
pub(crate) mod numbering;
pub(crate) mod operation;
pub(crate) mod owner;
pub(crate) mod reentrancy;
pub(crate) mod region;
pub(crate) mod shared_registry;
pub(crate) mod storage_table;
pub(crate) mod storage_wrapper;
pub(crate) mod transfer;
pub(crate) mod traversal;
pub(crate) mod tree;
pub(crate) mod tree_member;
pub(crate) mod uniqued_ref;
pub(crate) mod value;
pub(crate) mod wrapper;
