//! Attributes that have text: strings, references to symbols, and those of dialects that are not loaded.

use mondo_sys::mlirOpaqueAttrGet;

use crate::attributes::{FlatSymbolRefAttr, OpaqueAttr, StringAttr, SymbolRefAttr};
use crate::callback::string_ref;
use crate::declarations as c;
use crate::text::Text;
use crate::uniqued_handles::{Attribute, Type};
use crate::uniquer::Uniquer;

impl<'ctx> StringAttr<'ctx> {
    /// The bytes, which need not be UTF-8.
    pub fn value(self) -> &'ctx [u8] {
        c::mlirStringAttrGetValue(self).bytes()
    }
}

impl<'ctx> FlatSymbolRefAttr<'ctx> {
    /// The symbol's name.
    pub fn value(self) -> &'ctx [u8] {
        c::mlirFlatSymbolRefAttrGetValue(self).bytes()
    }
}

impl<'ctx> SymbolRefAttr<'ctx> {
    /// The names, the outermost first.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let names = ctx.nested_symbol_ref("a", &["b", "c"]).names();
    ///     assert_eq!(names.iter().map(|name| name.to_text()).collect::<Vec<_>>(), ["a", "b", "c"]);
    /// });
    /// ```
    pub fn names(self) -> Vec<Text<'ctx>> {
        let nested = c::mlirSymbolRefAttrGetNestedReference::all(self)
            .map(|symbol| c::mlirSymbolRefAttrGetRootReference(symbol));
        std::iter::once(c::mlirSymbolRefAttrGetRootReference(self))
            .chain(nested)
            .collect()
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// `@root::@nested`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     assert_eq!(ctx.nested_symbol_ref("a", &["b"]).to_string(), "@a::@b");
    /// });
    /// ```
    pub fn nested_symbol_ref(self, root: &str, nested: &[impl AsRef<str>]) -> SymbolRefAttr<'ctx> {
        let flat =
            |name: &_| c::mlirFlatSymbolRefAttrGet(self, AsRef::<str>::as_ref(name).into()).any();
        let nested: Vec<Attribute<'ctx>> = nested.iter().map(flat).collect();
        // SAFETY: the array is as long as said, of flat references.
        unsafe {
            c::mlirSymbolRefAttrGet(self, root.into(), nested.len() as isize, nested.as_ptr())
        }
    }

    /// An attribute of a dialect that is not loaded, by its text.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let opaque = ctx.opaque_attr("far", b"away", ctx.none().any());
    ///     assert_eq!(opaque.to_string(), "#far.away");
    /// });
    /// ```
    pub fn opaque_attr(self, dialect: &str, data: &[u8], type_: Type<'ctx>) -> OpaqueAttr<'ctx> {
        // SAFETY: context and type are live, the data is as long as said, and MLIR copies both texts.
        unsafe {
            Attribute::expect(mlirOpaqueAttrGet(
                self.raw(),
                string_ref(dialect),
                data.len() as isize,
                data.as_ptr().cast(),
                type_.raw(),
            ))
        }
    }
}
