//! The functions of contexts that change no more than their settings.

use super::declarations;
use crate::text::Text;
use crate::uniquer::Uniquer;

declarations! {
    "IR.h" {
        mlirContextGetAllowUnregisteredDialects(context: Uniquer<'ctx>) -> bool;
        mlirContextSetAllowUnregisteredDialects(context: Uniquer<'ctx>, allow: bool) -> ();
        mlirContextIsRegisteredOperation(context: Uniquer<'ctx>, name: Text<'_>) -> bool;
        mlirContextGetNumThreads(context: Uniquer<'ctx>) -> u32, since "22";
        mlirContextEnableMultithreading(context: Uniquer<'ctx>, enable: bool) -> (), needs "No pipeline runs on the context.";
        mlirContextLoadAllAvailableDialects(context: Uniquer<'ctx>) -> (), needs "No pipeline runs on the context.";
    }
}
