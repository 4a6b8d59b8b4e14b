//! The steps of the model in which MLIR works on a tree: passes and patterns that erase, that panic, and that keep what
//! uses the tree.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use mondo_ir::{Error, ErrorKind, Ir, Op, OwnPass, OwnedOp, PassManager, Patterns};

use crate::{Id, Node, Run, id_of};

impl<'ctx> Run<'ctx> {
    /// True if MLIR has refused a tree before it began to work on that.
    fn is_refused(&self, root: Id, kind: Option<ErrorKind>, begun: bool) -> bool {
        match kind {
            Some(ErrorKind::Open) if !begun => assert!(self.model.is_open(root)),
            // MLIR knows the trees that are valid; it changes no other.
            Some(ErrorKind::Verify) => assert!(!self.model.is_open(root)),
            Some(ErrorKind::Pass) if !self.model.nodes[&root].module => {
                assert!(!self.model.is_open(root));
            }
            _ => {
                assert!(!self.model.is_open(root));
                return false;
            }
        }
        true
    }

    /// Runs a pass of MLIR that erases constants, and one that erases each operation of the module's block that nothing
    /// uses, one of them out of order by a panic.
    pub(crate) fn pass(&mut self, ir: &mut Ir<'ctx>) {
        let Some(root) = self.any_root() else { return };
        let panics = self.random.below(8) == 0;
        let mut passes = PassManager::new(self.ctx);
        passes.add("cse").unwrap();
        passes.add_own(OwnPass::new("erase", move |_, op| {
            assert_eq!(op.erase().unwrap_err().kind(), ErrorKind::Structure);
            for inner in op.region(0).unwrap().first().unwrap().operations() {
                // It stays if it is used.
                let _ = inner.erase();
            }
            assert!(!panics, "as told");
            Ok(())
        }));
        let done = passes.run(ir, &self.owners[&root]);
        let kind = done.err().map(|error| error.kind());
        self.model.flush();
        if self.is_refused(root, kind, false) {
            return;
        }
        assert_eq!(kind, panics.then_some(ErrorKind::Panicked));
        assert!(self.model.nodes[&root].module);
        for id in self.model.unused_constants(root) {
            self.model.kill(id);
        }
        for id in self.model.nodes[&root].children.clone() {
            let all: BTreeSet<Id> = self.model.subtree(id).into_iter().collect();
            if !self.model.used_by_others(&all, &all) {
                self.model.kill(id);
            }
        }
        self.model.flush();
    }

    /// Runs a pass, or a pattern, that keeps an operation which uses a value of the tree. It loses the use.
    pub(crate) fn keep(&mut self, ir: &mut Ir<'ctx>) {
        let Some(root) = self.any_root() else { return };
        let spies = Rc::new(RefCell::new(Vec::<OwnedOp<'ctx>>::new()));
        let (kept, old) = (Rc::clone(&spies), self.any_value());
        let old = old.map(|id| (id, self.kept[&id].clone()));
        let begun = Rc::new(Cell::new(false));
        let (has_begun, older) = (Rc::clone(&begun), old.clone());
        let spy = move |ir: &Ir<'ctx>, op: Op<'_, 'ctx>| -> Result<(), Error> {
            has_begun.set(true);
            let Some(value) = op.result(0) else {
                return Ok(());
            };
            let spy = ir.build("test.op", value.location()).operand(value);
            let spy = spy.result(value.type_()).regions(1).finish()?;
            spy.op(ir).region(0).unwrap().append_block(&[])?;
            kept.borrow_mut().push(spy);
            if let Some(older) = older.as_ref().and_then(|(_, older)| older.get(ir)) {
                // In the tree itself that is refused, elsewhere it is undone.
                let _ = older.set_operand(0, value);
            }
            Ok(())
        };
        let pattern = self.random.below(2) == 0;
        let done = if pattern {
            let mut patterns = Patterns::new();
            patterns.add("test.op", 1, move |rewriter, op| {
                spy(rewriter.ir(), op)?;
                Ok(false)
            });
            patterns.apply(ir, &self.owners[&root])
        } else {
            let mut passes = PassManager::new(self.ctx);
            passes.add_own(OwnPass::new("keep", move |ir, op| {
                let value = op.region(0).unwrap().first().unwrap().first();
                value.map_or(Ok(()), |inner| spy(ir, inner))
            }));
            passes.run(ir, &self.owners[&root])
        };
        let kind = done.err().map(|error| error.kind());
        self.model.flush();
        let spies = spies.take();
        if self.is_refused(root, kind, begun.get()) {
            assert!(spies.is_empty());
            return;
        }
        if spies.is_empty() {
            assert_eq!(kind, None);
        } else {
            assert_eq!(kind, Some(ErrorKind::Open));
        }
        for spy in spies {
            assert!(spy.op(ir).operands().is_empty());
            let id = self.model.add(Node::default());
            self.name(ir, spy.op(ir), id);
            self.owners.insert(id, spy);
        }
        self.take_over(ir, root, old.map(|(id, _)| id));
    }

    /// Rewrites a tree with a pattern that erases leaves which nothing uses.
    pub(crate) fn rewrite(&mut self, ir: &mut Ir<'ctx>) {
        let Some(root) = self.any_root() else { return };
        let mut patterns = Patterns::new();
        patterns.add("test.op", 1, |rewriter, op| {
            let leaf = op.region(0).unwrap().first().unwrap().first().is_none();
            let goes = leaf && op.next().is_some() && !op.result(0).unwrap().is_used();
            if goes {
                rewriter.erase();
            }
            Ok(goes)
        });
        let done = patterns.apply(ir, &self.owners[&root]);
        let kind = done.err().map(|error| error.kind());
        self.model.flush();
        if !self.is_refused(root, kind, false) {
            assert_eq!(kind, None);
            self.take_over(ir, root, None);
        }
    }

    /// Takes over what a driver of patterns does by itself: it erases what nothing uses, puts constants in front, and
    /// `changed` may have got or lost an operand.
    fn take_over(&mut self, ir: &Ir<'ctx>, root: Id, changed: Option<Id>) {
        let is_gone = |run: &Self, id: &Id| run.kept[id].get(ir).is_none();
        let all = self.model.subtree(root);
        let gone: BTreeSet<Id> = all.iter().copied().filter(|id| is_gone(self, id)).collect();
        assert!(!self.model.used_by_others(&gone, &gone));
        for id in &gone {
            let node = &self.model.nodes[id];
            assert!(!node.module && node.children.iter().all(|child| gone.contains(child)));
        }
        for id in gone {
            self.model.unlink(id);
            self.model.nodes.remove(&id);
        }
        for id in self.model.subtree(root) {
            if let Some(block) = self.block(ir, id) {
                let children: Vec<Id> = block.operations().into_iter().map(id_of).collect();
                let known: BTreeSet<&Id> = self.model.nodes[&id].children.iter().collect();
                assert_eq!(children.iter().collect::<BTreeSet<_>>(), known);
                self.model.nodes.get_mut(&id).unwrap().children = children;
            }
        }
        if let Some(id) = changed.filter(|id| self.model.nodes.contains_key(id)) {
            let now = self.op(ir, id).operands().into_iter();
            let now: Vec<Id> = now
                .map(|value| id_of(value.defining_op().unwrap()))
                .collect();
            let inside: BTreeSet<Id> = self.model.subtree(root).into_iter().collect();
            assert!(inside.contains(&id) || now.iter().all(|used| !inside.contains(used)));
            self.model.nodes.get_mut(&id).unwrap().operands = now;
        }
    }
}
