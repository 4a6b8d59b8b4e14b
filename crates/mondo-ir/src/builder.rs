//! Making operations.

use crate::capture::captured_here;
use crate::context::Ctx;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::Block;
use crate::handle::Op;
use crate::handle::OwnedOp;
use crate::handle::Value;
use crate::identifier::repeated;
use crate::nesting;
use crate::nodes::{self, Attached, Loose, NewRegions, NotMade, Parts};
use crate::scope::{Ir, State};
use crate::shape::Shape;
use crate::uniqued_handles::Attribute;
use crate::uniqued_handles::Location;
use crate::uniqued_handles::Type;

/// The parts of an operation that is to be made.
///
/// ```
/// # use mondo_ir::{Context, Module};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func @f() { return }").unwrap();
///     let block = module.body(ir).first().unwrap().region(0).unwrap().first().unwrap();
///     let end = block.terminator().unwrap();
///     let two = ir
///         .build("arith.constant", ctx.unknown())
///         .attribute("value", ctx.integer_attr(ctx.i32(), 2))
///         .infer()
///         .before(end)
///         .unwrap();
///     let two = two.result(0).unwrap();
///     let sum = ir.build("arith.addi", ctx.unknown()).operands(&[two, two]).infer();
///     let sum = sum.before(end).unwrap();
///     assert_eq!(sum.result(0).unwrap().type_(), ctx.i32());
///     assert!(module.op(ir).verify().is_ok());
/// });
/// ```
#[derive(Debug)]
#[must_use]
pub struct OpBuilder<'call, 'ctx> {
    state: &'ctx State,
    name: String,
    location: Location<'ctx>,
    operands: Vec<Value<'call, 'ctx>>,
    results: Vec<Type<'ctx>>,
    attributes: Vec<(String, Attribute<'ctx>)>,
    successors: Vec<Block<'call, 'ctx>>,
    regions: usize,
    infer: bool,
}

impl<'ctx> Ir<'ctx> {
    /// Begins an operation of that name.
    #[inline]
    pub fn build<'call>(
        &'call self,
        name: &str,
        location: Location<'ctx>,
    ) -> OpBuilder<'call, 'ctx> {
        OpBuilder {
            state: self.state,
            name: name.to_owned(),
            location,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            successors: Vec::new(),
            regions: 0,
            infer: false,
        }
    }
}

impl<'call, 'ctx> OpBuilder<'call, 'ctx> {
    #[cfg(feature = "typed-operations")]
    #[inline]
    pub(crate) fn ctx(&self) -> Ctx<'ctx> {
        Ctx::of(self.state)
    }

    #[cfg(feature = "typed-operations")]
    #[inline]
    pub(crate) fn location(mut self, location: Location<'ctx>) -> Self {
        self.location = location;
        self
    }

    /// Adds an operand.
    #[inline]
    pub fn operand(mut self, value: Value<'call, 'ctx>) -> Self {
        self.operands.push(value);
        self
    }

    /// Adds operands.
    #[inline]
    pub fn operands(mut self, values: &[Value<'call, 'ctx>]) -> Self {
        self.operands.extend_from_slice(values);
        self
    }

    /// Adds a result of this type.
    #[inline]
    pub fn result(mut self, type_: impl Into<Type<'ctx>>) -> Self {
        self.results.push(type_.into());
        self
    }

    /// Adds results of these types.
    #[inline]
    pub fn results(mut self, types: &[Type<'ctx>]) -> Self {
        self.results.extend_from_slice(types);
        self
    }

    /// Lets the operation's dialect say which types the results have.
    #[inline]
    pub fn infer(mut self) -> Self {
        self.infer = true;
        self
    }

    /// Adds an attribute.
    #[inline]
    pub fn attribute(mut self, name: &str, value: impl Into<Attribute<'ctx>>) -> Self {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }

    /// Adds a successor.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, ir| {
    ///     let op = ir.build("scf.execute_region", ctx.unknown()).regions(1).finish().unwrap();
    ///     let region = op.op(ir).region(0).unwrap();
    ///     let (first, last) = (region.append_block(&[]).unwrap(), region.append_block(&[]).unwrap());
    ///     let jump = ir.build("cf.br", ctx.unknown()).successor(last).at_end(first).unwrap();
    ///     assert_eq!(jump.successors(), [last]);
    ///     let yes = ir.build("arith.constant", ctx.unknown()).attribute("value", ctx.bool_attr(true));
    ///     let yes = yes.infer().before(jump).unwrap();
    ///     let no = ir.build("arith.constant", ctx.unknown()).attribute("value", ctx.bool_attr(false));
    ///     let no = no.result(ctx.i1()).after(yes).unwrap();
    ///     assert_eq!(first.operations(), [yes, no, jump]);
    /// });
    /// ```
    #[inline]
    pub fn successor(mut self, block: Block<'call, 'ctx>) -> Self {
        self.successors.push(block);
        self
    }

    /// Adds so many empty regions.
    #[inline]
    pub fn regions(mut self, count: usize) -> Self {
        self.regions += count;
        self
    }

    /// Makes the operation, in no block.
    ///
    /// # Errors
    /// `ErrorKind::Build` if the name is of no known operation and the context does not allow that, an
    /// attribute is there twice or of a kind that the operation does not take, or the types of the results cannot
    /// be inferred; with MLIR's diagnostics. `ErrorKind::Form` if a type, an attribute or the location nests deeper than
    /// MLIR can follow.
    pub fn finish(self) -> Result<OwnedOp<'ctx>> {
        self.made().map_err(|error| {
            let location = self.location.to_text();
            let location = location
                .strip_prefix("loc(")
                .and_then(|text| text.strip_suffix(')'))
                .unwrap_or(&location);
            error.of_operation(&self.name, location.replace('"', ""))
        })
    }

    fn shape(&self) -> Shape<'_> {
        Shape {
            name: &self.name,
            operands: self.operands.len(),
            results: self.results.len(),
            inferred: self.infer,
            successors: self.successors.len(),
            regions: self.regions,
            attributes: self
                .attributes
                .iter()
                .map(|(name, _)| name.as_str())
                .collect(),
        }
    }

    fn made(&self) -> Result<OwnedOp<'ctx>> {
        let failed = |message: String| Error::new(ErrorKind::Build, message);
        let ctx = Ctx::of(self.state);
        let shape = self.shape();
        // One that was made before is of a dialect that is loaded, as none is ever unloaded.
        let is_known = self.state.shapes.has(shape.number());
        if !is_known && !ctx.knows(&self.name) && !ctx.allows_unregistered() {
            return Err(failed(format!(
                "no dialect of the context has an operation `{}`",
                self.name
            )));
        }
        if let Some(twice) = repeated(self.attributes.iter().map(|(name, _)| name.as_str())) {
            return Err(failed(format!("`{}` has `{twice}` twice", self.name)));
        }
        if self.infer && !self.results.is_empty() {
            return Err(failed(format!(
                "`{}` has types of results that are also to be inferred",
                self.name
            )));
        }
        nesting::check("location", self.location.is_too_deep())?;
        for type_ in &self.results {
            nesting::check("type", type_.is_too_deep())?;
        }
        for (_, attribute) in &self.attributes {
            nesting::check("attribute", attribute.is_too_deep())?;
        }
        let unfit = |why: String| failed(format!("`{}` cannot be made: {why}", self.name));
        if !is_known {
            shape.check_names(self.state).map_err(unfit)?;
        }
        // MLIR says something only where it does not know the operation, or infers.
        let (made, diagnostics) = if is_known && !self.infer {
            (self.create(), Vec::new())
        } else {
            captured_here(self.state, || self.create())
        };
        match made {
            Ok(op) => {
                let raw = op.node().raw();
                // SAFETY: `create` made the operation, which is in no block, and gives it up to the caller.
                let owned = unsafe {
                    if !(self.operands.is_empty() && self.successors.is_empty()) {
                        self.state.note_uses(raw);
                    }
                    OwnedOp::new(raw, self.state)
                };
                if !is_known {
                    // SAFETY: `owned` keeps the operation alive.
                    unsafe { shape.check(self.state, raw) }.map_err(unfit)?;
                }
                Ok(owned)
            }
            Err(NotMade::Failed) => {
                Err(failed(format!("`{}` cannot be made", self.name)).with(diagnostics))
            }
            Err(NotMade::Refused(it)) => Err(failed(nodes::refusal(
                &self.name,
                &it.name.to_string(),
                it.attribute,
            ))),
            Err(NotMade::Regions(count)) => {
                Err(failed(format!("an operation cannot have {count} regions")))
            }
            Err(NotMade::Unfit(message)) => {
                Err(failed(format!("`{}` cannot be made: {message}", self.name)))
            }
        }
    }

    /// The operation, in no block; the parts are live as long as the token is borrowed.
    fn create(&self) -> std::result::Result<Loose<nodes::Op<'ctx>>, NotMade<'ctx>> {
        let ctx = *Ctx::of(self.state);
        let attached = |(name, value): &(String, Attribute<'ctx>)| Attached::new(ctx, name, *value);
        let attributes: Vec<_> = self.attributes.iter().map(attached).collect();
        // SAFETY: the parts are handles, and live as long as this borrow of them.
        let operands: Vec<_> = self
            .operands
            .iter()
            .map(|value| unsafe { value.node() })
            .collect();
        // SAFETY: the nodes are used only in this call, while the handles borrow the token.
        let successors: Vec<_> = self
            .successors
            .iter()
            .map(|block| unsafe { block.node() })
            .collect();
        let parts = Parts {
            name: &self.name,
            location: self.location,
            results: &self.results,
            operands: &operands,
            attributes: &attributes,
            successors: &successors,
            regions: NewRegions::Empty(self.regions),
        };
        if self.infer {
            nodes::Op::infer(ctx, parts)
        } else {
            nodes::Op::create(parts)
        }
    }

    /// Makes the operation, at the end of a block.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish) and [`Block::append`].
    pub fn at_end(self, block: Block<'call, 'ctx>) -> Result<Op<'call, 'ctx>> {
        block.append(self.finish()?)
    }

    /// Makes the operation, before another one.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish) and [`Op::insert_before`].
    pub fn before(self, other: Op<'call, 'ctx>) -> Result<Op<'call, 'ctx>> {
        other.insert_before(self.finish()?)
    }

    /// Makes the operation, after another one.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish) and [`Op::insert_after`].
    pub fn after(self, other: Op<'call, 'ctx>) -> Result<Op<'call, 'ctx>> {
        other.insert_after(self.finish()?)
    }
}
