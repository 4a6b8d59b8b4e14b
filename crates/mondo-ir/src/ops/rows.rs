//! An operation as a row of a dialect's table.

use super::Build;
use crate::handle::{Block, Value};
use crate::uniqued_handles::Type;

/// What a builder's function takes for a part, and what it does with it. A part in parentheses is an attribute.
macro_rules! given {
    (One $call:lifetime $ctx:lifetime) => { crate::Value<$call, $ctx> };
    (Optional $call:lifetime $ctx:lifetime) => { Option<crate::Value<$call, $ctx>> };
    (Variadic $call:lifetime $ctx:lifetime) => { &[crate::Value<$call, $ctx>] };
    (OneType $call:lifetime $ctx:lifetime) => { impl Into<crate::Type<$ctx>> };
    (OptionalType $call:lifetime $ctx:lifetime) => { Option<crate::Type<$ctx>> };
    (VariadicType $call:lifetime $ctx:lifetime) => { &[crate::Type<$ctx>] };
    (OneSuccessor $call:lifetime $ctx:lifetime) => { crate::Block<$call, $ctx> };
    (VariadicSuccessor $call:lifetime $ctx:lifetime) => { &[crate::Block<$call, $ctx>] };
    (Regions $call:lifetime $ctx:lifetime) => { usize };
    (($name:literal any) $call:lifetime $ctx:lifetime) => {
        impl Into<crate::Attribute<$ctx>>
    };
    (($name:literal $type:ty) $call:lifetime $ctx:lifetime) => { $type };
}

macro_rules! add {
    ($build:ident $part:ident One) => {
        $build.operand_group(&[$part])
    };
    ($build:ident $part:ident Optional) => {
        $build.operand_group($part.as_slice())
    };
    ($build:ident $part:ident Variadic) => {
        $build.operand_group($part)
    };
    ($build:ident $part:ident OneType) => {
        $build.result_group(&[$part.into()])
    };
    ($build:ident $part:ident OptionalType) => {
        $build.result_group($part.as_slice())
    };
    ($build:ident $part:ident VariadicType) => {
        $build.result_group($part)
    };
    ($build:ident $part:ident OneSuccessor) => {
        $build.successor_group(&[$part])
    };
    ($build:ident $part:ident VariadicSuccessor) => {
        $build.successor_group($part)
    };
    ($build:ident $part:ident Regions) => {
        $build.region_group($part)
    };
    ($build:ident $part:ident ($name:literal any)) => {
        $build.attribute($name, $part)
    };
    ($build:ident $part:ident ($name:literal $type:ty)) => {
        $build.set($name, $part)
    };
}

/// What a view returns for a group of `T`.
macro_rules! seen {
    (One $type:ty) => { $type };
    (Optional $type:ty) => { Option<$type> };
    (Variadic $type:ty) => { &[$type] };
}

macro_rules! see {
    // A view exists only if each group of one has one.
    (One $group:expr) => {
        $group[0]
    };
    (Optional $group:expr) => {
        $group.first().copied()
    };
    (Variadic $group:expr) => {
        $group
    };
}

macro_rules! operations {
    ($(
        $view:ident $function:ident $name:literal
        { $($part:ident $kind:tt)* }
        { $($setter:ident $set_name:literal $set_type:ty,)* }
        regions $region_count:literal infers $infers:literal
        segments $operand_segments:literal $result_segments:literal
        [ $($operand_index:literal $operand:ident $operand_count:ident)* ]
        [ $($result_index:literal $result:ident $result_count:ident)* ]
        [ $($region_index:literal $region:ident $region_kind:ident)* ]
        [ $($successor_index:literal $successor:ident $successor_count:ident)* ]
        [ $($attribute:ident $attribute_name:literal $attribute_type:ty,)* ]
    )+) => {
        /// Each operation: its name, whether MLIR infers its results, how many groups of them and of regions it has.
        #[cfg(test)]
        pub(super) const ROWS: &[(&str, bool, &[usize], &[usize])] =
            &[$(($name, $infers, &[$($result_index),*], &[$($region_index),*])),+];
    $(
        #[doc = concat!("The operation `", $name, "`.")]
        #[derive(Debug, Clone)]
        pub struct $view<'call, 'ctx>(crate::ops::layout::Parts<'call, 'ctx>);

        impl<'call, 'ctx> crate::ops::View<'call, 'ctx> for $view<'call, 'ctx> {
            const NAME: &'static str = $name;

            fn of(op: crate::Op<'call, 'ctx>) -> crate::Result<Self> {
                const SHAPE: crate::ops::layout::Shape = crate::ops::layout::Shape {
                    name: $name,
                    operands: &[$(crate::ops::layout::Count::$operand_count),*],
                    results: &[$(crate::ops::layout::Count::$result_count),*],
                    regions: &[$(crate::ops::layout::Count::$region_kind),*],
                    successors: &[$(crate::ops::layout::Count::$successor_count),*],
                    operand_segments: $operand_segments,
                    result_segments: $result_segments,
                };
                SHAPE.parts(op).map(Self)
            }

            fn op(&self) -> crate::Op<'call, 'ctx> {
                self.0.op
            }
        }

        impl<'call, 'ctx> $view<'call, 'ctx> {
            /// The operation.
            pub fn op(&self) -> crate::Op<'call, 'ctx> {
                self.0.op
            }

            $(#[doc = concat!("The operand group `", stringify!($operand), "`.")]
            pub fn $operand(&self) -> crate::ops::rows::seen!($operand_count crate::Value<'call, 'ctx>) {
                crate::ops::rows::see!($operand_count self.0.operands.group($operand_index))
            })*

            $(#[doc = concat!("The result group `", stringify!($result), "`.")]
            pub fn $result(&self) -> crate::ops::rows::seen!($result_count crate::Value<'call, 'ctx>) {
                crate::ops::rows::see!($result_count self.0.results.group($result_index))
            })*

            $(#[doc = concat!("The region group `", stringify!($region), "`.")]
            pub fn $region(&self) -> crate::ops::rows::seen!($region_kind crate::Region<'call, 'ctx>) {
                crate::ops::rows::see!($region_kind self.0.regions.group($region_index))
            })*

            $(#[doc = concat!("The successor group `", stringify!($successor), "`.")]
            pub fn $successor(&self) -> crate::ops::rows::seen!($successor_count crate::Block<'call, 'ctx>) {
                crate::ops::rows::see!($successor_count self.0.successors.group($successor_index))
            })*

            $(#[doc = concat!("The attribute `", $attribute_name, "`, if it is there and of its kind.")]
            pub fn $attribute(&self) -> Option<$attribute_type> {
                crate::ops::AttributeValue::of_attribute(self.0.op.attribute($attribute_name)?)
            })*
        }

        impl<'call, 'ctx> crate::ops::Build<'call, 'ctx, $view<'call, 'ctx>> {
            $(#[doc = concat!("Sets the attribute `", $set_name, "`.")]
            pub fn $setter(self, value: $set_type) -> Self {
                self.set($set_name, value)
            })*
        }

        #[doc = concat!("Begins a `", $name, "`.")]
        #[allow(clippy::too_many_arguments, reason = "ODS declares so many parts")]
        pub fn $function<'call, 'ctx>(
            ir: &'call crate::Ir<'ctx>,
            $($part: crate::ops::rows::given!($kind 'call 'ctx),)*
        ) -> crate::ops::Build<'call, 'ctx, $view<'call, 'ctx>> {
            let build = crate::ops::Build::new(ir, $operand_segments, $result_segments);
            $(let build = crate::ops::rows::add!(build $part $kind);)*
            build.declared($region_count, $infers)
        }
    )+ };
}

pub(super) use {add, given, operations, see, seen};

impl<'call, 'ctx, V> Build<'call, 'ctx, V> {
    #[inline]
    pub(super) fn operand_group(mut self, values: &[Value<'call, 'ctx>]) -> Self {
        self.operands
            .iter_mut()
            .for_each(|sizes| sizes.push(size(values)));
        self.builder = self.builder.operands(values);
        self
    }

    #[inline]
    pub(super) fn result_group(mut self, types: &[Type<'ctx>]) -> Self {
        self.results
            .iter_mut()
            .for_each(|sizes| sizes.push(size(types)));
        self.builder = self.builder.results(types);
        self
    }

    #[inline]
    pub(super) fn successor_group(mut self, blocks: &[Block<'call, 'ctx>]) -> Self {
        self.builder = blocks
            .iter()
            .fold(self.builder, |builder, block| builder.successor(*block));
        self
    }

    #[inline]
    pub(super) fn region_group(mut self, count: usize) -> Self {
        self.builder = self.builder.regions(count);
        self
    }

    /// Adds what follows from the parts.
    #[inline]
    pub(super) fn declared(mut self, regions: usize, infers: bool) -> Self {
        self.builder = self.builder.regions(regions);
        if infers {
            self.builder = self.builder.infer();
        }
        if self.operands.is_none() && self.results.is_none() {
            return self;
        }
        let ctx = self.builder.ctx();
        for (name, sizes) in [
            ("operandSegmentSizes", &self.operands),
            ("resultSegmentSizes", &self.results),
        ] {
            if let Some(sizes) = sizes {
                self.builder = self.builder.attribute(name, ctx.i32_array(sizes));
            }
        }
        self
    }
}

/// A length; one that no operation has where it is too great, which MLIR then refuses.
fn size<T>(of: &[T]) -> i32 {
    i32::try_from(of.len()).unwrap_or(i32::MAX)
}
