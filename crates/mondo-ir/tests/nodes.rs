//! Iterators over nodes whose number changes while the iterator is used.

use mondo_ir::nodes::Op;
use mondo_ir::{Context, Terminated, Uniquer};

/// Runs `work` with an operation of the text, and destroys it.
fn with(text: &str, work: impl for<'ctx> FnOnce(Uniquer<'ctx>, Op<'ctx>)) {
    let mut context = Context::new();
    context.allow_unregistered(true);
    context.enter(|ctx, _| {
        // SAFETY: the context is live until the closure of `enter` returns, and no other thread has it.
        unsafe {
            Uniquer::borrow(ctx.address(), |ctx| {
                let op = Op::parse(ctx, &Terminated::new(text), "test").expect("it is valid");
                let op = op.node();
                work(ctx, op);
                // The handles of the closure have ended with it, and nothing else knows the operation.
                op.destroy();
            });
        }
    });
}

#[test]
fn attributes_that_are_removed_meanwhile_are_given_all_the_same() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let text = names.map(|name| format!("{name} = 1")).join(", ");
    with(&format!("\"t.op\"() {{{text}}} : () -> ()"), |_, op| {
        let mut seen = Vec::new();
        for attached in op.attributes() {
            let name = mondo_ir::declarations::mlirIdentifierStr(attached.name).to_text();
            assert!(op.remove_attribute(&name));
            seen.push(name);
        }
        assert_eq!(seen, names);
        assert_eq!(op.attributes().len(), 0);
    });
}

#[test]
fn predecessors_that_branch_elsewhere_meanwhile_are_given_all_the_same() {
    let text = "\"t.op\"() ({ \"t.to\"()[^end] : () -> () ^a: \"t.to\"()[^end] : () -> () \
                ^b: \"t.to\"()[^end] : () -> () ^end: \"t.end\"() : () -> () }) : () -> ()";
    with(text, |_, op| {
        let blocks: Vec<_> = op.blocks().collect();
        let end = blocks[3];
        let mut seen = 0;
        for before in end.predecessors() {
            let branch = before.operations().next().expect("each block has one");
            assert!(branch.set_successor(0, before));
            assert!(!branch.set_successor(1, before));
            seen += 1;
        }
        assert_eq!((seen, end.predecessors().count()), (3, 0));
    });
}
