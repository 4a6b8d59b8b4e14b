//! The functions of locations.

use super::declarations;
use crate::location::{CallSiteLoc, FileRangeLoc, FusedLoc, NamedLoc};
use crate::text::Text;
use crate::uniqued_handles::{Attribute, Identifier, Location};
use crate::uniquer::Uniquer;

declarations! {
    "IR.h" {
        mlirLocationUnknownGet(context: Uniquer<'ctx>) -> Location<'ctx>;
        mlirLocationIsACallSite(of: Location<'ctx>) -> bool, since "22";
        mlirLocationCallSiteGet(callee: Location<'ctx>, caller: Location<'ctx>) -> Location<'ctx>;
        mlirLocationCallSiteGetCallee(of: CallSiteLoc<'ctx>) -> Location<'ctx>, since "22";
        mlirLocationCallSiteGetCaller(of: CallSiteLoc<'ctx>) -> Location<'ctx>, since "22";
        mlirLocationFileLineColGet(context: Uniquer<'ctx>, file: Text<'_>, line: u32, column: u32) -> Location<'ctx>;
        mlirLocationFileLineColRangeGet(context: Uniquer<'ctx>, file: Text<'_>, line: u32, column: u32, end_line: u32, end_column: u32) -> Option<Location<'ctx>>, since "22";
        mlirLocationIsAFileLineColRange(of: Location<'ctx>) -> bool, since "22";
        mlirLocationFileLineColRangeGetFilename(of: FileRangeLoc<'ctx>) -> Identifier<'ctx>, since "22";
        mlirLocationFileLineColRangeGetStartLine(of: FileRangeLoc<'ctx>) -> i32, since "22";
        mlirLocationFileLineColRangeGetStartColumn(of: FileRangeLoc<'ctx>) -> i32, since "22";
        mlirLocationFileLineColRangeGetEndLine(of: FileRangeLoc<'ctx>) -> i32, since "22";
        mlirLocationFileLineColRangeGetEndColumn(of: FileRangeLoc<'ctx>) -> i32, since "22";
        mlirLocationIsAFused(of: Location<'ctx>) -> bool, since "22";
        mlirLocationFusedGetMetadata(of: FusedLoc<'ctx>) -> Option<Attribute<'ctx>>, since "22";
        mlirLocationFusedGetNumLocations(of: FusedLoc<'ctx>) -> u32, since "22";
        mlirLocationIsAName(of: Location<'ctx>) -> bool, since "22";
        mlirLocationNameGet(context: Uniquer<'ctx>, name: Text<'_>, place: Location<'ctx>) -> Location<'ctx>;
        mlirLocationNameGetName(of: NamedLoc<'ctx>) -> Identifier<'ctx>, since "22";
        mlirLocationNameGetChildLoc(of: NamedLoc<'ctx>) -> Location<'ctx>, since "22";
        mlirLocationFromAttribute(of: Attribute<'ctx>) -> Location<'ctx>, needs "The attribute is a location.";
    }
    "BuiltinAttributes.h" {
        mlirAttributeIsALocation(of: Attribute<'ctx>) -> bool;
    }
}
