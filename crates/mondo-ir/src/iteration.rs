//! Iterators over the parts of operations, blocks and regions, which make no lists.
//!
//! A tree may be changed while one of them goes through it, as no handle dangles: what follows is then as the tree is at that
//! moment. What was taken out of its block or region ends the iteration over that.

use crate::handle::{Block, Op, Region, Value};

/// Counts from the front, and knows how many are left.
macro_rules! counted {
    ($($(#[$doc:meta])* $iterator:ident of $part:ident, in $whole:ident, by $one:ident, $many:ident;)+) => {
        $($(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $iterator<'call, 'ctx> {
            whole: $whole<'call, 'ctx>,
            next: usize,
        }

        impl<'call, 'ctx> Iterator for $iterator<'call, 'ctx> {
            type Item = $part<'call, 'ctx>;

            fn next(&mut self) -> Option<Self::Item> {
                let found = self.whole.$one(self.next)?;
                self.next += 1;
                Some(found)
            }
        }

        impl<'call, 'ctx> $whole<'call, 'ctx> {
            /// An iterator over them, which makes no list.
            pub fn $many(self) -> $iterator<'call, 'ctx> {
                $iterator { whole: self, next: 0 }
            }
        })+
    };
}

counted! {
    /// The operands of an operation.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, Operands};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i32, %b: i32) -> (i32, i32) { return %b, %a : i32, i32 }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let function = module.body(ir).first().unwrap();
    ///     let entry = function.iter_regions().next().unwrap().first().unwrap();
    ///     let operands: Operands<'_, '_> = entry.terminator().unwrap().iter_operands();
    ///     assert!(operands.eq(entry.iter_arguments().collect::<Vec<_>>().into_iter().rev()));
    ///     assert_eq!(function.iter_results().count(), 0);
    /// });
    /// ```
    Operands of Value, in Op, by operand, iter_operands;
    /// The results of an operation.
    ///
    /// ```
    /// # use mondo_ir::{Op, Results};
    /// fn results<'call, 'ctx>(op: Op<'call, 'ctx>) -> Results<'call, 'ctx> {
    ///     op.iter_results()
    /// }
    /// ```
    Results of Value, in Op, by result, iter_results;
    /// The regions of an operation.
    ///
    /// ```
    /// # use mondo_ir::{Op, Regions};
    /// fn regions<'call, 'ctx>(op: Op<'call, 'ctx>) -> Regions<'call, 'ctx> {
    ///     op.iter_regions()
    /// }
    /// ```
    Regions of Region, in Op, by region, iter_regions;
    /// The arguments of a block.
    ///
    /// ```
    /// # use mondo_ir::{Arguments, Block};
    /// fn arguments<'call, 'ctx>(block: Block<'call, 'ctx>) -> Arguments<'call, 'ctx> {
    ///     block.iter_arguments()
    /// }
    /// ```
    Arguments of Value, in Block, by argument, iter_arguments;
}

/// The operations of a block.
///
/// ```
/// # use mondo_ir::{Context, Module};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func private @f() func.func private @g()").unwrap();
///     // What was looked at may be erased.
///     for function in module.body(ir) {
///         function.erase().unwrap();
///     }
///     assert_eq!(module.body(ir).iter().count(), 0);
/// });
/// ```
#[derive(Debug, Clone)]
pub struct Operations<'call, 'ctx> {
    block: Block<'call, 'ctx>,
    next: Option<Op<'call, 'ctx>>,
}

impl<'call, 'ctx> Iterator for Operations<'call, 'ctx> {
    type Item = Op<'call, 'ctx>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.next.filter(|op| op.block() == Some(self.block))?;
        self.next = found.next();
        Some(found)
    }
}

impl<'call, 'ctx> Block<'call, 'ctx> {
    /// An iterator over the operations, which makes no list.
    pub fn iter(self) -> Operations<'call, 'ctx> {
        Operations {
            block: self,
            next: self.first(),
        }
    }
}

impl<'call, 'ctx> IntoIterator for Block<'call, 'ctx> {
    type Item = Op<'call, 'ctx>;
    type IntoIter = Operations<'call, 'ctx>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The blocks of a region.
///
/// ```
/// # use mondo_ir::{Context, Module};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func @f() { cf.br ^bb1 ^bb1: return }").unwrap();
///     let region = module.body(ir).first().unwrap().region(0).unwrap();
///     let lengths: Vec<_> = region.iter().map(|block| block.iter().count()).collect();
///     assert_eq!(lengths, [1, 1]);
///     assert_eq!(region.into_iter().last(), region.blocks().last().copied());
/// });
/// ```
#[derive(Debug, Clone)]
pub struct Blocks<'call, 'ctx> {
    region: Region<'call, 'ctx>,
    next: Option<Block<'call, 'ctx>>,
}

impl<'call, 'ctx> Iterator for Blocks<'call, 'ctx> {
    type Item = Block<'call, 'ctx>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self
            .next
            .filter(|block| block.region() == Some(self.region))?;
        self.next = found.next();
        Some(found)
    }
}

impl<'call, 'ctx> Region<'call, 'ctx> {
    /// An iterator over the blocks, which makes no list.
    pub fn iter(self) -> Blocks<'call, 'ctx> {
        Blocks {
            region: self,
            next: self.first(),
        }
    }
}

impl<'call, 'ctx> IntoIterator for Region<'call, 'ctx> {
    type Item = Block<'call, 'ctx>;
    type IntoIter = Blocks<'call, 'ctx>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
