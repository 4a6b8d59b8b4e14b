//! Random steps over trees, compared with a model of them in Rust alone.
//!
//! `MONDO_IR_STEPS` is the number of steps, `MONDO_IR_SEED` the seed of the first round. A round is a scope
//! of its own, so that what is left at its end is freed as well.

mod model {
    pub(crate) mod passes;
}

use std::collections::{BTreeMap, BTreeSet};

use mondo_ir::attributes::Int;
use mondo_ir::{
    Block, Context, Ctx, ErrorKind, Ir, Module, Op, OwnedOp, Retained, Value, Walk, WalkOrder,
};

/// The steps of a round.
const ROUND: u64 = 2_000;
/// No operation is added while there are so many.
const MOST: usize = 60;

type Id = i64;

/// An operation with one result and one block, as the model sees it.
#[derive(Debug, Clone, Default)]
struct Node {
    parent: Option<Id>,
    children: Vec<Id>,
    operands: Vec<Id>,
    /// Modules have neither operands nor results.
    module: bool,
    /// Constants have neither operands nor a block, and MLIR erases one that nothing uses.
    constant: bool,
}

#[derive(Debug, Default)]
struct Model {
    /// Those of living trees.
    nodes: BTreeMap<Id, Node>,
    /// Trees that wait to be freed.
    dead: BTreeMap<Id, BTreeSet<Id>>,
    next: Id,
}

impl Model {
    fn add(&mut self, node: Node) -> Id {
        self.next += 1;
        self.nodes.insert(self.next, node);
        self.next
    }

    fn subtree(&self, top: Id) -> Vec<Id> {
        let mut all = vec![top];
        let mut at = 0;
        while at < all.len() {
            all.extend(&self.nodes[&all[at]].children);
            at += 1;
        }
        all
    }

    fn root(&self, mut id: Id) -> Id {
        while let Some(parent) = self.nodes[&id].parent {
            id = parent;
        }
        id
    }

    fn is_in(&self, id: Id, top: Id) -> bool {
        let mut at = Some(id);
        while let Some(one) = at {
            if one == top {
                return true;
            }
            at = self.nodes[&one].parent;
        }
        false
    }

    /// True if something else than `within` uses one of `of`.
    fn used_by_others(&self, of: &BTreeSet<Id>, within: &BTreeSet<Id>) -> bool {
        let mut others = self.nodes.iter().filter(|(id, _)| !within.contains(id));
        others.any(|(_, node)| node.operands.iter().any(|operand| of.contains(operand)))
    }

    /// True if the tree uses a value of another, or the root's own below the root, which is in no block; or if another
    /// uses one of its values.
    fn is_open(&self, root: Id) -> bool {
        let all: BTreeSet<Id> = self.subtree(root).into_iter().collect();
        let inside = |user: Id, used: Id| all.contains(&used) && (used != root || user == root);
        let uses_others = all.iter().any(|id| {
            let mut operands = self.nodes[id].operands.iter();
            operands.any(|operand| !inside(*id, *operand))
        });
        uses_others || self.used_by_others(&all, &all)
    }

    /// The constants of a tree that nothing uses.
    fn unused_constants(&self, root: Id) -> Vec<Id> {
        let unused = |id: &Id| {
            let one = BTreeSet::from([*id]);
            self.nodes[id].constant && !self.used_by_others(&one, &BTreeSet::new())
        };
        self.subtree(root).into_iter().filter(unused).collect()
    }

    fn unlink(&mut self, id: Id) {
        if let Some(parent) = self.nodes.get_mut(&id).unwrap().parent.take() {
            self.nodes
                .get_mut(&parent)
                .unwrap()
                .children
                .retain(|child| *child != id);
        }
    }

    fn link(&mut self, id: Id, parent: Id, at: usize) {
        self.unlink(id);
        self.nodes.get_mut(&parent).unwrap().children.insert(at, id);
        self.nodes.get_mut(&id).unwrap().parent = Some(parent);
    }

    fn position(&self, id: Id) -> Option<(Id, usize)> {
        let parent = self.nodes[&id].parent?;
        let at = self.nodes[&parent]
            .children
            .iter()
            .position(|child| *child == id);
        Some((parent, at.unwrap()))
    }

    fn kill(&mut self, top: Id) {
        self.unlink(top);
        let all: BTreeSet<Id> = self.subtree(top).into_iter().collect();
        self.nodes.retain(|id, _| !all.contains(id));
        self.dead.insert(top, all);
    }

    /// Frees as an exclusive call does.
    fn flush(&mut self) {
        let dead = std::mem::take(&mut self.dead);
        let none = BTreeSet::new();
        self.dead = dead
            .into_iter()
            .filter(|(_, all)| self.used_by_others(all, &none))
            .collect();
    }

    /// A copy of a subtree; the pairs of old and new.
    fn copy(&mut self, top: Id) -> BTreeMap<Id, Id> {
        let all = self.subtree(top);
        let pairs: BTreeMap<Id, Id> = all
            .iter()
            .map(|id| {
                let node = self.nodes[id].clone();
                (*id, self.add(node))
            })
            .collect();
        for (old, new) in &pairs {
            let node = self.nodes.get_mut(new).unwrap();
            for child in &mut node.children {
                *child = pairs[child];
            }
            node.parent = if *old == top {
                None
            } else {
                node.parent.map(|parent| pairs[&parent])
            };
        }
        pairs
    }
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    fn of(&mut self, ids: &[Id]) -> Option<Id> {
        (!ids.is_empty()).then(|| ids[self.below(ids.len())])
    }
}

struct Run<'ctx> {
    ctx: Ctx<'ctx>,
    model: Model,
    random: Random,
    owners: BTreeMap<Id, OwnedOp<'ctx>>,
    kept: BTreeMap<Id, Retained<'ctx>>,
}

fn id_of(op: Op<'_, '_>) -> Id {
    let id = op.attribute("id").expect("an id");
    id.cast::<Int>()
        .expect("a number")
        .value()
        .try_into()
        .expect("a small one")
}

impl<'ctx> Run<'ctx> {
    fn op<'call>(&self, ir: &'call Ir<'ctx>, id: Id) -> Op<'call, 'ctx> {
        self.kept[&id].get(ir).expect("the model has it alive")
    }

    fn value<'call>(&self, ir: &'call Ir<'ctx>, id: Id) -> Value<'call, 'ctx> {
        self.op(ir, id).result(0).expect("a result")
    }

    fn block<'call>(&self, ir: &'call Ir<'ctx>, id: Id) -> Option<Block<'call, 'ctx>> {
        self.op(ir, id).region(0)?.first()
    }

    fn any(&mut self) -> Option<Id> {
        let ids: Vec<Id> = self.model.nodes.keys().copied().collect();
        self.random.of(&ids)
    }

    fn any_value(&mut self) -> Option<Id> {
        let nodes = self.model.nodes.iter().filter(|(_, node)| !node.module);
        let ids: Vec<Id> = nodes.map(|(id, _)| *id).collect();
        self.random.of(&ids)
    }

    fn any_root(&mut self) -> Option<Id> {
        let ids: Vec<Id> = self.owners.keys().copied().collect();
        self.random.of(&ids)
    }

    fn any_inner(&mut self) -> Option<Id> {
        let nodes = self
            .model
            .nodes
            .iter()
            .filter(|(_, node)| node.parent.is_some());
        let ids: Vec<Id> = nodes.map(|(id, _)| *id).collect();
        self.random.of(&ids)
    }

    fn name(&mut self, ir: &Ir<'ctx>, op: Op<'_, 'ctx>, id: Id) {
        let number = self.ctx.integer_attr(self.ctx.i64(), id);
        op.set_attribute("id", number).unwrap();
        self.kept.insert(id, ir.retain(op).unwrap());
    }

    fn build(&mut self, ir: &Ir<'ctx>) {
        if self.model.nodes.len() >= MOST {
            return;
        }
        let kind = self.random.below(9);
        let mut node = Node {
            module: kind < 3,
            constant: kind == 3,
            ..Node::default()
        };
        let owner = if node.module {
            Module::new(self.ctx, self.ctx.unknown()).into_op()
        } else if node.constant {
            let number = self.ctx.integer_attr(self.ctx.i32(), self.model.next);
            let builder = ir.build("arith.constant", self.ctx.unknown());
            builder.attribute("value", number).infer().finish().unwrap()
        } else {
            let count = self.random.below(3);
            node.operands = (0..count).filter_map(|_| self.any_value()).collect();
            let operands: Vec<_> = node.operands.iter().map(|id| self.value(ir, *id)).collect();
            let builder = ir.build("test.op", self.ctx.unknown()).operands(&operands);
            let owner = builder.result(self.ctx.i32()).regions(1).finish().unwrap();
            owner.op(ir).region(0).unwrap().append_block(&[]).unwrap();
            owner
        };
        let id = self.model.add(node);
        self.name(ir, owner.op(ir), id);
        self.owners.insert(id, owner);
    }

    fn insert(&mut self, ir: &Ir<'ctx>) {
        let (Some(root), Some(place)) = (self.any_root(), self.any()) else {
            return;
        };
        let constant = self.model.nodes[&place].constant;
        let how = if constant {
            1 + self.random.below(2)
        } else {
            self.random.below(3)
        };
        let owner = self.owners.remove(&root).unwrap();
        let place_op = self.op(ir, place);
        let target = if how == 0 {
            Some((place, self.model.nodes[&place].children.len()))
        } else {
            self.model
                .position(place)
                .map(|(parent, at)| (parent, at + usize::from(how == 2)))
        };
        let done = match how {
            0 => place_op.region(0).unwrap().first().unwrap().append(owner),
            1 => place_op.insert_before(owner),
            _ => place_op.insert_after(owner),
        };
        match target.filter(|(parent, _)| !self.model.is_in(*parent, root)) {
            Some((parent, at)) => {
                assert_eq!(id_of(done.unwrap()), root);
                self.model.link(root, parent, at);
            }
            None => {
                assert_eq!(done.unwrap_err().kind(), ErrorKind::Structure);
                self.model.kill(root);
            }
        }
    }

    fn shift(&mut self, ir: &Ir<'ctx>) {
        let (Some(one), Some(other)) = (self.any(), self.any()) else {
            return;
        };
        let after = self.random.below(2) == 0;
        let (from, to) = (self.op(ir, one), self.op(ir, other));
        let done = if after {
            from.move_after(to)
        } else {
            from.move_before(to)
        };
        let place = self.model.position(other).filter(|(parent, _)| {
            self.model.nodes[&one].parent.is_some() && !self.model.is_in(*parent, one)
        });
        let Some((parent, _)) = place else {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::Structure);
            return;
        };
        done.unwrap();
        if one != other {
            self.model.unlink(one);
            let (_, at) = self.model.position(other).unwrap();
            self.model.link(one, parent, at + usize::from(after));
        }
    }

    fn erase(&mut self, ir: &Ir<'ctx>) {
        let Some(id) = self.any() else { return };
        let done = self.op(ir, id).erase();
        let all: BTreeSet<Id> = self.model.subtree(id).into_iter().collect();
        if self.model.nodes[&id].parent.is_none() {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::Structure);
        } else if self.model.used_by_others(&all, &all) {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::InUse);
        } else {
            done.unwrap();
            self.model.kill(id);
            // It is cut off, and can be read until the next exclusive call.
            let op = self.op(ir, id);
            assert!(op.block().is_none() && op.operands().is_empty());
        }
    }

    fn detach(&mut self, ir: &Ir<'ctx>) {
        let Some(id) = self.any_inner() else { return };
        self.owners.insert(id, self.op(ir, id).detach().unwrap());
        self.model.unlink(id);
    }

    fn drop_root(&mut self) {
        let Some(id) = self.any_root() else { return };
        drop(self.owners.remove(&id));
        self.model.kill(id);
    }

    fn duplicate(&mut self, ir: &Ir<'ctx>) {
        let Some(id) = self.any() else { return };
        if self.model.nodes.len() + self.model.subtree(id).len() > MOST {
            return;
        }
        let owner = self.op(ir, id).duplicate().unwrap();
        let pairs = self.model.copy(id);
        let mut copies = Vec::new();
        owner.op(ir).walk(WalkOrder::Pre, |op| {
            copies.push(op);
            Walk::Advance
        });
        let pairs_of_copies = copies.iter().map(|op| (pairs[&id_of(*op)], *op));
        let named: Vec<_> = pairs_of_copies.collect();
        for (copy, op) in &named {
            self.name(ir, *op, *copy);
        }
        // A clone uses the original value where MLIR had not cloned that one yet: a result of the operation itself that is used
        // inside of it, for example. The model takes over whichever of the two the clone uses.
        for (copy, op) in named {
            let operands = &mut self.model.nodes.get_mut(&copy).unwrap().operands;
            for (operand, value) in operands.iter_mut().zip(op.operands()) {
                let actual = id_of(value.defining_op().unwrap());
                let new = pairs.get(operand).copied().unwrap_or(*operand);
                assert!(actual == *operand || actual == new);
                *operand = actual;
            }
        }
        self.owners.insert(pairs[&id], owner);
    }

    fn reroute(&mut self, ir: &Ir<'ctx>) {
        let (Some(id), Some(to)) = (self.any_value(), self.any_value()) else {
            return;
        };
        if self.random.below(2) == 0 {
            self.value(ir, id)
                .replace_all_uses(self.value(ir, to))
                .unwrap();
            let operands = self
                .model
                .nodes
                .values_mut()
                .flat_map(|node| &mut node.operands);
            operands
                .filter(|operand| **operand == id)
                .for_each(|operand| *operand = to);
        } else {
            let done = self.op(ir, id).set_operand(0, self.value(ir, to));
            match self.model.nodes.get_mut(&id).unwrap().operands.first_mut() {
                Some(operand) => {
                    done.unwrap();
                    *operand = to;
                }
                None => assert_eq!(done.unwrap_err().kind(), ErrorKind::Missing),
            }
        }
    }

    fn collect(&mut self, ir: &mut Ir<'ctx>) {
        let left = ir.collect();
        self.model.flush();
        assert_eq!(left, self.model.dead.len());
    }

    fn step(&mut self, ir: &mut Ir<'ctx>) {
        match self.random.below(22) {
            0..=4 => self.build(ir),
            5..=7 => self.insert(ir),
            8..=10 => self.shift(ir),
            11 | 12 => self.erase(ir),
            13 => self.detach(ir),
            14 => self.drop_root(),
            15 => self.duplicate(ir),
            16 | 17 => self.reroute(ir),
            18 => self.collect(ir),
            19 => self.pass(ir),
            20 => self.keep(ir),
            _ => self.rewrite(ir),
        }
    }

    /// Everything is as the model has it.
    fn compare(&mut self, ir: &Ir<'ctx>) {
        let model = &self.model;
        let lives = |id: &Id| {
            model.nodes.contains_key(id) || model.dead.values().any(|all| all.contains(id))
        };
        for (id, kept) in &self.kept {
            assert_eq!(kept.get(ir).is_some(), lives(id), "{id}");
        }
        for (id, node) in &model.nodes {
            let op = self.op(ir, *id);
            assert_eq!(id_of(op), *id);
            assert_eq!(op.parent().map(id_of), node.parent);
            assert_eq!(id_of(op.root()), model.root(*id));
            let block = self.block(ir, *id);
            assert_eq!(block.is_none(), node.constant);
            let children = block.map(Block::operations).unwrap_or_default();
            let children: Vec<Id> = children.into_iter().map(id_of).collect();
            assert_eq!(children, node.children);
            let definitions = op
                .operands()
                .into_iter()
                .map(|operand| id_of(operand.defining_op().unwrap()));
            assert_eq!(definitions.collect::<Vec<_>>(), node.operands);
        }
        self.kept.retain(|_, kept| kept.get(ir).is_some());
        assert!(
            self.owners
                .keys()
                .all(|id| model.nodes[id].parent.is_none())
        );
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn trees_are_as_the_model_has_them() {
    let (steps, seed) = (number("MONDO_IR_STEPS", 10_000), number("MONDO_IR_SEED", 1));
    let every = number("MONDO_IR_EVERY", 16).max(1);
    // The panics of the closures are part of the test.
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        if !text.contains("as told") {
            eprintln!("{text}");
        }
    }));
    let mut context = Context::new();
    context.allow_unregistered(true);
    for round in 0..steps.div_ceil(ROUND) {
        let seed = seed + round;
        // Shown if the test fails.
        println!("seed {seed}");
        context.enter(|ctx, ir| {
            let mut run = Run {
                ctx,
                model: Model::default(),
                random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
                owners: BTreeMap::new(),
                kept: BTreeMap::new(),
            };
            for step in 0..ROUND {
                run.step(ir);
                if step % every == 0 {
                    run.compare(ir);
                }
            }
            run.compare(ir);
        });
    }
}
