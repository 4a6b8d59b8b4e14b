//! The interfaces of an operation: its definition names groups, attributes and regions, and the table has their indexes.

use mondo_ir::sdk::{self, EffectOn, Interfaces, LoopShape, Trait};

use crate::assembly::same;
use crate::flow::{Callee, OpEffect, Way};
use crate::op::Op;

/// Checks that each name is one of the operation's parts.
pub(crate) const fn check(op: &Op) {
    let flow = &op.flow;
    let mut at = 0;
    if let Some(effects) = flow.effects {
        while at < effects.len() {
            if let Some(name) = effects[at].on {
                assert!(
                    operand(op, name).is_some() || result(op, name).is_some(),
                    "an effect is on an operand or result that the operation does not have"
                );
            }
            at += 1;
        }
    }
    assert!(
        flow.branches.is_empty() || flow.branches.len() == op.successors.len(),
        "a branch needs the name of a group of operands for each successor, or an empty name"
    );
    at = 0;
    while at < flow.branches.len() {
        check_operand(op, flow.branches[at]);
        at += 1;
    }
    at = 0;
    while at < flow.ways.len() {
        let way = &flow.ways[at];
        check_region(op, way.from);
        check_region(op, way.to);
        if let Some(name) = way.operands {
            check_operand(op, name);
        }
        at += 1;
    }
    if let Some(name) = flow.forwards {
        check_operand(op, name);
    }
    match flow.call {
        Some((Callee::Attribute(name), arguments)) => {
            check_attribute(op, name);
            check_operand(op, arguments);
        }
        Some((Callee::Operand(name), arguments)) => {
            check_operand(op, name);
            check_operand(op, arguments);
        }
        None => {}
    }
    if let Some(name) = flow.function_type {
        check_attribute(op, name);
        assert!(!op.regions.is_empty(), "a function has a region");
        assert!(
            !flow.is_function || (op.has(Trait::Symbol) && op.regions.len() == 1),
            "`Op::function` is for a symbol with one region"
        );
    }
    if let Some((_, inits)) = flow.loops {
        assert!(!op.regions.is_empty(), "a loop has a region");
        if let Some(name) = inits {
            check_operand(op, name);
        }
    }
}

/// With indexes in place of names.
pub(crate) fn resolve(op: &Op) -> Interfaces {
    let flow = &op.flow;
    let effect = |effect: &OpEffect| {
        let on = effect.on.map(|name| {
            operand(op, name)
                .map(EffectOn::Operands)
                .or_else(|| result(op, name).map(EffectOn::Results))
        });
        (effect.effect, on.flatten().unwrap_or(EffectOn::Everything))
    };
    let edge = |way: &Way| sdk::Edge {
        from: way.from.and_then(|name| region(op, name)),
        to: way.to.and_then(|name| region(op, name)),
        operands: way.operands.and_then(|name| operand(op, name)),
        skipped: way.skipped,
    };
    let calls = flow.call.and_then(|(callee, arguments)| {
        let callee = match callee {
            Callee::Attribute(name) => sdk::Callee::Attribute(attribute(op, name)?),
            Callee::Operand(name) => sdk::Callee::Operand(operand(op, name)?),
        };
        Some((callee, operand(op, arguments)?))
    });
    Interfaces {
        effects: flow
            .effects
            .map(|effects| effects.iter().map(effect).collect()),
        branches: flow.branches.iter().map(|name| operand(op, name)).collect(),
        edges: flow.ways.iter().map(edge).collect(),
        forwards: flow.forwards.and_then(|name| operand(op, name)),
        calls,
        function_type: flow.function_type.and_then(|name| attribute(op, name)),
        is_function: flow.is_function,
        loops: flow.loops.map(|(induction_variables, inits)| LoopShape {
            induction_variables,
            inits: inits.and_then(|name| operand(op, name)),
        }),
        viewed: flow.viewed.and_then(|name| operand(op, name)),
        destinations: flow.destinations.and_then(|name| operand(op, name)),
        bufferizes: flow.bufferizes,
        tiling: None,
    }
}

/// What MLIR's passes ask for.
impl Op {
    /// The effects on memory, and no others (MLIR's `MemoryEffectOpInterface`). Of an operation that says nothing about
    /// effects, passes expect any.
    #[must_use]
    pub const fn effects(mut self, effects: &'static [OpEffect]) -> Self {
        self.flow.effects = Some(effects);
        self
    }

    /// The operands that become the arguments of each successor (MLIR's `BranchOpInterface`).
    #[must_use]
    pub const fn branches(mut self, operands: &'static [&'static str]) -> Self {
        self.flow.branches = operands;
        self
    }

    /// The ways of control flow between the operation and its regions (MLIR's `RegionBranchOpInterface`).
    #[must_use]
    pub const fn flow(mut self, ways: &'static [Way]) -> Self {
        self.flow.ways = ways;
        self
    }

    /// The operands that the end of a region hands on (MLIR's `RegionBranchTerminatorOpInterface`). An operation with
    /// `Trait::ReturnLike` hands on all.
    #[must_use]
    pub const fn forwards(mut self, operands: &'static str) -> Self {
        self.flow.forwards = Some(operands);
        self
    }

    /// Calls the function that a symbol names (MLIR's `CallOpInterface`).
    #[must_use]
    pub const fn calls(mut self, attribute: &'static str, arguments: &'static str) -> Self {
        self.flow.call = Some((Callee::Attribute(attribute), arguments));
        self
    }

    /// Calls the function that is the value of an operand.
    #[must_use]
    pub const fn calls_value(mut self, operand: &'static str, arguments: &'static str) -> Self {
        self.flow.call = Some((Callee::Operand(operand), arguments));
        self
    }

    /// Says that the first region is the body of a function, whose type the attribute has (MLIR's
    /// `CallableOpInterface`).
    #[must_use]
    pub const fn callable(mut self, function_type: &'static str) -> Self {
        self.flow.function_type = Some(function_type);
        self
    }

    /// Says the same of a function whose type, arguments and their attributes passes may change (MLIR's `FunctionOpInterface`).
    /// The attributes are `arg_attrs` and `res_attrs`, which need not be among the operation's own.
    #[must_use]
    pub const fn function(mut self, function_type: &'static str) -> Self {
        self.flow.function_type = Some(function_type);
        self.flow.is_function = true;
        self
    }

    /// Says that the first region is the body of a loop (MLIR's `LoopLikeOpInterface`). So many of its first arguments are
    /// induction variables.
    #[must_use]
    pub const fn loops(mut self, induction_variables: usize) -> Self {
        self.flow.loops = Some((induction_variables, None));
        self
    }

    /// Says the same of a loop whose further arguments begin with these operands, and are the results when it ends.
    #[must_use]
    pub const fn loops_with(mut self, induction_variables: usize, inits: &'static str) -> Self {
        self.flow.loops = Some((induction_variables, Some(inits)));
        self
    }
}

pub(crate) const fn check_operand(op: &Op, name: &str) {
    assert!(
        name.is_empty() || operand(op, name).is_some(),
        "an interface names an operand that the operation does not have"
    );
}

const fn check_attribute(op: &Op, name: &str) {
    assert!(
        attribute(op, name).is_some(),
        "an interface names an attribute that the operation does not have"
    );
}

const fn check_region(op: &Op, name: Option<&str>) {
    if let Some(name) = name {
        assert!(
            region(op, name).is_some(),
            "a way leads to a region that the operation does not have"
        );
    }
}

macro_rules! index {
    ($($(#[$doc:meta])* $function:ident in $list:ident by $($name:ident).+;)+) => {
        $($(#[$doc])*
        pub(crate) const fn $function(op: &Op, name: &str) -> Option<usize> {
            let mut index = 0;
            while index < op.$list.len() {
                if same(op.$list[index].$($name).+, name) {
                    return Some(index);
                }
                index += 1;
            }
            None
        })+
    };
}

index! {
    /// The index of the group of operands of that name.
    operand in operands by group.name;
    /// The index of the group of results of that name.
    result in results by group.name;
    /// The index of the region of that name.
    region in regions by group.name;
    /// The index of the successor of that name.
    successor in successors by group.name;
    /// The index of the attribute of that name.
    attribute in attributes by name;
}
