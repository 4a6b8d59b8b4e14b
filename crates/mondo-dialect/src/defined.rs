//! The implementation of mondo-ir's trait `DefinedOp`: its functions verify, parse, print, fold and
//! infer types by an operation's definition.

use mondo_ir::sdk::{
    Call, DefinedOp, Folded, OpParser, OpPrinter, Operation, Parsed, Result, Verification,
};
use mondo_ir::{Attribute, Type, Uniquer};

use crate::custom_form;
use crate::interfaces;
use crate::op::Op;
use crate::verify;

/// An operation's definition, with its full name.
#[derive(Debug)]
pub(crate) struct NamedOp {
    /// With the dialect's name.
    pub(crate) name: &'static str,
    pub(crate) op: &'static Op,
}

impl DefinedOp for NamedOp {
    fn name(&self) -> &'static str {
        self.name
    }

    fn operand_group(&self, name: &str) -> Option<usize> {
        interfaces::operand(self.op, name)
    }

    fn result_group(&self, name: &str) -> Option<usize> {
        interfaces::result(self.op, name)
    }

    fn defaults<'ctx>(&self, uniquer: Uniquer<'ctx>) -> Vec<Option<Attribute<'ctx>>> {
        let attributes = self.op.attributes.iter();
        attributes
            .map(|attribute| attribute.default.map(|make| make(uniquer)))
            .collect()
    }

    fn verify(&self, operation: Operation<'_>, when: Verification) -> Result<()> {
        verify::operation(self.op, operation, when)
    }

    fn parse(&self, parser: &mut OpParser<'_, '_>) -> Parsed<()> {
        // An operation with a custom form has pieces.
        custom_form::parse(self.op, self.op.assembly.unwrap_or_default(), parser)
    }

    fn print(&self, printer: &mut OpPrinter<'_, '_>) {
        custom_form::print(self.op, self.op.assembly.unwrap_or_default(), printer);
    }

    fn fold<'ctx>(
        &self,
        operation: Operation<'ctx>,
        constants: &[Option<Attribute<'ctx>>],
    ) -> Option<Folded<'ctx>> {
        (self.op.fold?)(operation, constants)
    }

    fn infer<'ctx>(&self, call: &Call<'ctx>) -> Result<Vec<Type<'ctx>>> {
        let infer = self.op.infer.ok_or("has types that are not inferred")?;
        infer(call)
    }
}
