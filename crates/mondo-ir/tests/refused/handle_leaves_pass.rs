use mondo_ir::{Context, OwnPass};
use std::cell::Cell;

fn main() {
    Context::new().enter(|_, _| {
        let kept = Cell::new(None);
        OwnPass::new("keeps", |_, op| {
            kept.set(Some(op));
            Ok(())
        });
    });
}
