//! Locations.

use mondo_sys::{
    mlirLocationCallSiteGet, mlirLocationFileLineColGet, mlirLocationFusedGet, mlirLocationNameGet,
    mlirLocationUnknownGet,
};

use crate::callback::string_ref;
use crate::declarations as c;
use crate::sort::{casts, kinds, tests};
use crate::uniqued_handles::{Attribute, Location, raw_or_null};
use crate::uniquer::Uniquer;

/// A kind of location.
///
/// ```
/// # use mondo_ir::{Context, Location, location::{Fused, LocationKind, Named}};
/// Context::new().enter(|ctx, _| {
///     fn named<K: LocationKind>(of: Location<'_>) -> Option<&'static str> {
///         of.is::<K>().then_some(K::NAME)
///     }
///     assert_eq!(named::<Named>(ctx.named("sum", None)), Some("Named"));
///     assert_eq!(named::<Fused>(ctx.unknown()), None);
/// });
/// ```
pub trait LocationKind {
    /// Its name, for messages.
    const NAME: &'static str;
    /// Returns true if the location is of this kind.
    fn holds(of: Location<'_>) -> bool;
}

kinds! { Location:
    /// A call: a callee, and what called it.
    CallSite, CallSiteLoc;
    /// A place or a range in a file.
    FileRange, FileRangeLoc;
    /// Several places as one.
    Fused, FusedLoc;
    /// A name, and a place.
    Named, NamedLoc;
}

tests! { Location, LocationKind:
    CallSite = c::mlirLocationIsACallSite;
    FileRange = c::mlirLocationIsAFileLineColRange;
    Fused = c::mlirLocationIsAFused;
    Named = c::mlirLocationIsAName;
}

casts!(Location, LocationKind);

impl<'ctx> Location<'ctx> {
    /// The location as an attribute.
    pub fn attribute(self) -> Attribute<'ctx> {
        c::mlirLocationGetAttribute(self)
    }

    /// Emits an error here.
    pub fn emit_error(self, message: &std::ffi::CStr) {
        // Handlers print it.
        let place = if self.is_too_deep() {
            self.uniquer().unknown()
        } else {
            self
        };
        // SAFETY: the location is live, and the message ends with a NUL.
        unsafe { mondo_sys::mlirEmitError(place.raw(), message.as_ptr()) };
    }

    /// The location that an attribute stands for, if it is one.
    ///
    /// ```
    /// # use mondo_ir::{Context, Location};
    /// Context::new().enter(|ctx, _| {
    ///     let place = ctx.file("a.x", 3, 4);
    ///     assert_eq!(Location::of_attribute(place.attribute()), Some(place));
    ///     assert_eq!(Location::of_attribute(ctx.unit().any()), None);
    /// });
    /// ```
    pub fn of_attribute(attribute: Attribute<'ctx>) -> Option<Self> {
        // SAFETY: the attribute is a location.
        c::mlirAttributeIsALocation(attribute)
            .then(|| unsafe { c::mlirLocationFromAttribute(attribute) })
    }
}

impl<'ctx> FusedLoc<'ctx> {
    /// The parts.
    ///
    /// ```
    /// # use mondo_ir::{Context, location::Fused};
    /// Context::new().enter(|ctx, _| {
    ///     let places = [ctx.file("a.x", 3, 4), ctx.file("b.x", 1, 2)];
    ///     let fused = ctx.fused(&places, None).cast::<Fused>().unwrap();
    ///     assert_eq!(fused.parts(), places);
    /// });
    /// ```
    pub fn parts(self) -> Vec<Location<'ctx>> {
        let count = c::mlirLocationFusedGetNumLocations(self) as usize;
        let mut parts = vec![self.any(); count];
        if !parts.is_empty() {
            // SAFETY: the array has as many elements as MLIR counts locations, and handles have the form of
            // the C API's structures.
            unsafe {
                mondo_sys::mlirLocationFusedGetLocations(self.raw(), parts.as_mut_ptr().cast());
            }
        }
        parts
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// A place that is not known.
    pub fn unknown(self) -> Location<'ctx> {
        // SAFETY: a `Uniquer` is of a live context, by its brand.
        unsafe { Location::expect(mlirLocationUnknownGet(self.raw())) }
    }

    /// A line and a column of a file, both from one.
    pub fn file(self, name: &str, line: u32, column: u32) -> Location<'ctx> {
        let name = string_ref(name);
        // SAFETY: the context is live, and copies the name.
        unsafe { Location::expect(mlirLocationFileLineColGet(self.raw(), name, line, column)) }
    }

    /// A place with a name.
    pub fn named(self, name: &str, place: Option<Location<'ctx>>) -> Location<'ctx> {
        let place = place.unwrap_or_else(|| self.unknown());
        // SAFETY: the context is live and copies the name; the place is of it.
        unsafe {
            Location::expect(mlirLocationNameGet(
                self.raw(),
                string_ref(name),
                place.raw(),
            ))
        }
    }

    /// A location in a function, `callee`, and the location of the call, `caller`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let (callee, caller) = (ctx.file("a.x", 3, 4), ctx.file("b.x", 1, 2));
    ///     let call = ctx.call_site(callee, caller);
    ///     assert_eq!(call.to_string(), "loc(callsite(\"a.x\":3:4 at \"b.x\":1:2))");
    /// });
    /// ```
    pub fn call_site(self, callee: Location<'ctx>, caller: Location<'ctx>) -> Location<'ctx> {
        // SAFETY: the locations have the brand of this context, so they are live and of it.
        unsafe { Location::expect(mlirLocationCallSiteGet(callee.raw(), caller.raw())) }
    }

    /// Several locations as one, with metadata that says why.
    pub fn fused(
        self,
        places: &[Location<'ctx>],
        metadata: Option<Attribute<'ctx>>,
    ) -> Location<'ctx> {
        // SAFETY: a slice of handles is an array of the C API's structures, by the handles'
        // representation, and all are of this context by their brand.
        unsafe {
            Location::expect(mlirLocationFusedGet(
                self.raw(),
                places.len() as isize,
                places.as_ptr().cast(),
                raw_or_null(metadata),
            ))
        }
    }
}
