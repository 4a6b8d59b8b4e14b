//! The interfaces of an operation, as the table has them: names are indexes here.

use mondo_sys as c;

/// An effect on memory.
///
/// ```
/// # use mondo_ir::sdk::{Effect, EffectOn};
/// /// Reads what the first group of operands refers to.
/// const LOAD: (Effect, EffectOn) = (Effect::Read, EffectOn::Operands(0));
/// assert_eq!(LOAD.0, Effect::Read);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Memory is read.
    Read,
    /// Memory is written.
    Write,
    /// Memory is allocated.
    Allocate,
    /// Memory is freed.
    Free,
}

/// The memory that an effect is on.
///
/// ```
/// # use mondo_ir::sdk::EffectOn;
/// assert_ne!(EffectOn::Operands(0), EffectOn::Everything);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectOn {
    /// Any memory.
    Everything,
    /// What a group of operands refers to.
    Operands(usize),
    /// What a group of results refers to.
    Results(usize),
}

/// A way that control flow may take between an operation and its regions.
///
/// ```
/// # use mondo_ir::sdk::Edge;
/// /// From the operation into its first region, whose arguments are the first group of operands.
/// const IN: Edge = Edge { from: None, to: Some(0), operands: Some(0), skipped: 0 };
/// assert_eq!(IN.from, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The region where it begins; none for the operation.
    pub from: Option<usize>,
    /// The region where it ends; none for the operation.
    pub to: Option<usize>,
    /// The group of operands that becomes the arguments of the region or the results.
    pub operands: Option<usize>,
    /// So many of the first arguments or results have another source.
    pub skipped: usize,
}

/// The function that a call calls.
///
/// ```
/// # use mondo_ir::sdk::Callee;
/// assert_ne!(Callee::Attribute(0), Callee::Operand(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// The symbol that an attribute names.
    Attribute(usize),
    /// The value of a group of operands.
    Operand(usize),
}

/// A loop, whose body is the first region.
///
/// ```
/// # use mondo_ir::sdk::LoopShape;
/// /// An induction variable, and values that are carried from turn to turn.
/// const FOR: LoopShape = LoopShape { induction_variables: 1, inits: Some(3) };
/// assert_eq!(FOR.inits, Some(3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopShape {
    /// So many of the body's first arguments are induction variables.
    pub induction_variables: usize,
    /// The group of operands that the further arguments begin with.
    pub inits: Option<usize>,
}

/// A function of the shim that adds an interface. Only a dialect that has it in its table links what it needs.
///
/// ```
/// # use mondo_ir::sdk::{AddInterface, Interfaces};
/// fn interfaces() -> Interfaces {
///     Interfaces { bufferizes: Some(AddInterface::BUFFERIZATION), ..Interfaces::default() }
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AddInterface(
    unsafe extern "C" fn(interfaces: *mut c::MondoSdkInterfaceMap, context: c::MlirContext),
);

impl AddInterface {
    /// `BufferizableOpInterface`.
    pub const BUFFERIZATION: Self = Self(c::mondoSdkAddBufferization);
    /// `TilingInterface`.
    pub const TILING: Self = Self(c::mondoSdkAddTiling);
}

/// The loops of an operation that is tiled.
///
/// ```
/// # use mondo_ir::sdk::{AddInterface, Tiling};
/// /// A product of matrices: the last loop is a reduction.
/// fn product() -> Tiling {
///     Tiling {
///         add: AddInterface::TILING,
///         reductions: vec![false, false, true],
///         indexings: vec![(0, vec![0, 2]), (1, vec![2, 1]), (2, vec![0, 1])],
///     }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Tiling {
    /// [`AddInterface::TILING`].
    pub add: AddInterface,
    /// For each loop, whether it is a reduction.
    pub reductions: Vec<bool>,
    /// Groups of operands, and the loop of each dimension of theirs. Without any, the operation is elementwise.
    pub indexings: Vec<(usize, Vec<usize>)>,
}

/// The interfaces of an operation. A number is the index of a group, an attribute or a region.
///
/// ```
/// # use mondo_ir::sdk::{Effect, EffectOn, Interfaces};
/// let load = Interfaces {
///     effects: Some(vec![(Effect::Read, EffectOn::Operands(0))]),
///     ..Interfaces::default()
/// };
/// assert!(load.edges.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interfaces {
    /// `MemoryEffectOpInterface`: these effects and no others.
    pub effects: Option<Vec<(Effect, EffectOn)>>,
    /// `BranchOpInterface`: the group of operands of each successor.
    pub branches: Vec<Option<usize>>,
    /// `RegionBranchOpInterface`.
    pub edges: Vec<Edge>,
    /// `RegionBranchTerminatorOpInterface`: the group of operands that is handed on.
    pub forwards: Option<usize>,
    /// `CallOpInterface`, with the group of the arguments.
    pub calls: Option<(Callee, usize)>,
    /// `CallableOpInterface`: the attribute with the function's type.
    pub function_type: Option<usize>,
    /// `FunctionOpInterface`: passes may change the function's type, its arguments and their attributes.
    pub is_function: bool,
    /// `LoopLikeOpInterface`.
    pub loops: Option<LoopShape>,
    /// `ViewLikeOpInterface`: the group of the operand that the first result is a view of.
    pub viewed: Option<usize>,
    /// `DestinationStyleOpInterface`: the group of the operands that the results are written to.
    pub destinations: Option<usize>,
    /// `BufferizableOpInterface`: on buffers, the operation is the same without the results that are tensors.
    pub bufferizes: Option<AddInterface>,
    /// `TilingInterface`.
    pub tiling: Option<Tiling>,
}

fn index(of: Option<usize>) -> isize {
    of.map_or(-1, |at| at as isize)
}

impl Interfaces {
    /// As the table has it. The lists are leaked.
    pub(super) fn leaked(&self) -> c::MondoSdkInterfaces {
        let effects = self.effects.as_deref().unwrap_or_default().iter();
        let (count, effects) = leaked(effects.map(|(kind, on)| effect(*kind, *on)).collect());
        let (branch_count, branches) = leaked(self.branches.iter().copied().map(index).collect());
        let (edge_count, edges) = leaked(self.edges.iter().map(edge).collect());
        let (callee, callee_operand, arguments) = match self.calls {
            Some((Callee::Attribute(at), arguments)) => (Some(at), None, Some(arguments)),
            Some((Callee::Operand(at), arguments)) => (None, Some(at), Some(arguments)),
            None => (None, None, None),
        };
        let tiling = self.tiling.as_ref();
        let (num_loops, reductions) =
            leaked(tiling.map_or_else(Vec::new, |tiling| tiling.reductions.clone()));
        let indexings = tiling.map_or(&[][..], |tiling| &tiling.indexings).iter();
        let (num_indexings, indexings) = leaked(indexings.map(indexing).collect());
        c::MondoSdkInterfaces {
            hasEffects: self.effects.is_some(),
            numEffects: count,
            effects,
            numBranches: branch_count,
            branches,
            numEdges: edge_count,
            edges,
            forwards: self.forwards.is_some(),
            forwarded: index(self.forwards),
            calls: self.calls.is_some(),
            callee: index(callee),
            calleeOperand: index(callee_operand),
            callArguments: index(arguments),
            callable: self.function_type.is_some(),
            function: self.is_function,
            functionType: index(self.function_type),
            loops: self.loops.is_some(),
            inductionVariables: self
                .loops
                .map_or(0, |shape| shape.induction_variables as isize),
            inits: index(self.loops.and_then(|shape| shape.inits)),
            viewed: index(self.viewed),
            destinations: index(self.destinations),
            addBufferization: self.bufferizes.map(|add| add.0),
            addTiling: tiling.map(|tiling| tiling.add.0),
            numLoops: num_loops,
            reductions,
            numIndexings: num_indexings,
            indexings,
        }
    }
}

pub(super) fn effect(kind: Effect, on: EffectOn) -> c::MondoSdkEffect {
    let (on, group) = match on {
        EffectOn::Everything => (c::MondoSdkAllMemory, None),
        EffectOn::Operands(group) => (c::MondoSdkOperands, Some(group)),
        EffectOn::Results(group) => (c::MondoSdkResults, Some(group)),
    };
    let kind = match kind {
        Effect::Read => c::MondoSdkRead,
        Effect::Write => c::MondoSdkWrite,
        Effect::Allocate => c::MondoSdkAllocate,
        Effect::Free => c::MondoSdkFree,
    };
    c::MondoSdkEffect {
        kind,
        on,
        group: index(group),
    }
}

fn indexing((group, loops): &(usize, Vec<usize>)) -> c::MondoSdkIndexing {
    let (rank, loops) = leaked(loops.iter().map(|at| *at as isize).collect());
    c::MondoSdkIndexing {
        group: *group as isize,
        rank,
        loops,
    }
}

fn edge(edge: &Edge) -> c::MondoSdkEdge {
    c::MondoSdkEdge {
        from: index(edge.from),
        to: index(edge.to),
        operands: index(edge.operands),
        skipped: edge.skipped as isize,
    }
}

/// A list that stays until the process ends, as C has it.
pub(super) fn leaked<T: 'static>(items: Vec<T>) -> (isize, *const T) {
    let items: &'static [T] = items.leak();
    (items.len() as isize, items.as_ptr())
}
