//! The functions of operations, blocks, regions, values and their uses.

use super::declarations;
use crate::nodes::{Attached, Block, BlockArgument, Op, OpResult, Region, Use, Value};
use crate::text::Text;
use crate::uniqued_handles::{Attribute, Identifier, Location, Type, TypeId};

declarations! {
    "IR.h" {
        mlirIdentifierStr(of: Identifier<'ctx>) -> Text<'ctx>;

        mlirOperationGetName(of: Op<'ctx>) -> Identifier<'ctx>;
        mlirOperationGetTypeID(of: Op<'ctx>) -> Option<TypeId<'ctx>>;
        mlirOperationGetLocation(of: Op<'ctx>) -> Location<'ctx>;
        mlirOperationSetLocation(of: Op<'ctx>, location: Location<'ctx>) -> (), since "22";
        mlirOperationGetBlock(of: Op<'ctx>) -> Option<Block<'ctx>>;
        mlirOperationGetParentOperation(of: Op<'ctx>) -> Option<Op<'ctx>>;
        mlirOperationGetNextInBlock(of: Op<'ctx>) -> Option<Op<'ctx>>, needs "The operation is in a block.";
        mlirOperationIsBeforeInBlock(of: Op<'ctx>, other: Op<'ctx>) -> bool, since "22", needs "Both are in one block.";
        mlirOperationGetNumRegions(of: Op<'ctx>) -> isize;
        mlirOperationGetRegion(of: Op<'ctx>, index: isize) -> Region<'ctx>, below mlirOperationGetNumRegions;
        mlirOperationGetNumOperands(of: Op<'ctx>) -> isize;
        mlirOperationGetOperand(of: Op<'ctx>, index: isize) -> Option<Value<'ctx>>, below changing mlirOperationGetNumOperands;
        mlirOperationSetOperand(of: Op<'ctx>, index: isize, value: Value<'ctx>) -> (), below changing mlirOperationGetNumOperands;
        mlirOperationReplaceUsesOfWith(of: Op<'ctx>, old: Value<'ctx>, with: Value<'ctx>) -> (), since "22";
        mlirOperationGetNumResults(of: Op<'ctx>) -> isize;
        mlirOperationGetResult(of: Op<'ctx>, index: isize) -> Value<'ctx>, below mlirOperationGetNumResults;
        mlirOperationGetNumSuccessors(of: Op<'ctx>) -> isize;
        mlirOperationGetSuccessor(of: Op<'ctx>, index: isize) -> Block<'ctx>, below mlirOperationGetNumSuccessors;
        mlirOperationSetSuccessor(of: Op<'ctx>, index: isize, block: Block<'ctx>) -> (), below mlirOperationGetNumSuccessors;
        mlirOperationGetNumAttributes(of: Op<'ctx>) -> isize;
        mlirOperationGetAttribute(of: Op<'ctx>, index: isize) -> Attached<'ctx>, below changing mlirOperationGetNumAttributes;
        mlirOperationGetAttributeByName(of: Op<'ctx>, name: Text<'_>) -> Option<Attribute<'ctx>>;
        mlirOperationVerify(of: Op<'ctx>) -> bool;

        mlirRegionGetFirstBlock(of: Region<'ctx>) -> Option<Block<'ctx>>;

        mlirBlockGetParentOperation(of: Block<'ctx>) -> Option<Op<'ctx>>;
        mlirBlockGetNextInRegion(of: Block<'ctx>) -> Option<Block<'ctx>>, needs "The block is in a region.";
        mlirBlockGetFirstOperation(of: Block<'ctx>) -> Option<Op<'ctx>>;
        mlirBlockGetTerminator(of: Block<'ctx>) -> Option<Op<'ctx>>;
        mlirBlockGetNumArguments(of: Block<'ctx>) -> isize;
        mlirBlockGetArgument(of: Block<'ctx>, index: isize) -> Value<'ctx>, below mlirBlockGetNumArguments;
        mlirBlockAddArgument(of: Block<'ctx>, type_: Type<'ctx>, location: Location<'ctx>) -> Value<'ctx>;
        mlirBlockGetNumSuccessors(of: Block<'ctx>) -> isize, since "22";
        mlirBlockGetSuccessor(of: Block<'ctx>, index: isize) -> Block<'ctx>, since "22", below changing mlirBlockGetNumSuccessors;
        mlirBlockGetNumPredecessors(of: Block<'ctx>) -> isize, since "22";
        mlirBlockGetPredecessor(of: Block<'ctx>, index: isize) -> Option<Block<'ctx>>, since "22", below changing mlirBlockGetNumPredecessors;

        mlirValueIsABlockArgument(of: Value<'ctx>) -> bool;
        mlirValueIsAOpResult(of: Value<'ctx>) -> bool;
        mlirBlockArgumentGetOwner(of: BlockArgument<'ctx>) -> Block<'ctx>;
        mlirBlockArgumentGetArgNumber(of: BlockArgument<'ctx>) -> isize;
        mlirBlockArgumentSetLocation(of: BlockArgument<'ctx>, location: Location<'ctx>) -> (), since "22";
        mlirOpResultGetOwner(of: OpResult<'ctx>) -> Op<'ctx>;
        mlirOpResultGetResultNumber(of: OpResult<'ctx>) -> isize;
        mlirValueGetType(of: Value<'ctx>) -> Type<'ctx>;
        mlirValueSetType(of: Value<'ctx>, type_: Type<'ctx>) -> ();
        mlirValueGetLocation(of: Value<'ctx>) -> Location<'ctx>, since "22";

        mlirOpOperandGetOwner(of: Use<'ctx>) -> Op<'ctx>;
        mlirOpOperandGetOperandNumber(of: Use<'ctx>) -> u32;
    }
}
