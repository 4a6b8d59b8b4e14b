//! The enumerations. They are real `enum.Enum`s, as upstream's are.

use mondo_ir::{Walk, WalkOrder, numbers};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyDict, PyInt, PyModule};

/// An enumeration: its name, its docstring, and its members in the order of the C API's values, from 0.
struct Enumeration {
    name: &'static str,
    doc: &'static str,
    members: &'static [&'static str],
    class: PyOnceLock<Py<PyAny>>,
    /// The members themselves, in the same order.
    values: PyOnceLock<Vec<Py<PyAny>>>,
}

static SEVERITY: Enumeration = Enumeration::new(
    "DiagnosticSeverity",
    "The severity of a diagnostic.",
    &["ERROR", "WARNING", "NOTE", "REMARK"],
    &numbers::SEVERITIES,
);
static WALK_ORDER: Enumeration = Enumeration::new(
    "WalkOrder",
    "The order of a walk: operations before or after those inside of them.",
    &["PRE_ORDER", "POST_ORDER"],
    &numbers::WALK_ORDERS,
);
static WALK_RESULT: Enumeration = Enumeration::new(
    "WalkResult",
    "The answer of a walk's callback: go on, stop, or leave out what is inside.",
    &["ADVANCE", "INTERRUPT", "SKIP"],
    &numbers::WALK_RESULTS,
);
static GREEDY_STRICTNESS: Enumeration = Enumeration::new(
    "GreedyRewriteStrictness",
    "The operations that a greedy rewrite visits.",
    &["ANY_OP", "EXISTING_AND_NEW_OPS", "EXISTING_OPS"],
    &numbers::GREEDY_STRICTNESS,
);
static REGION_LEVEL: Enumeration = Enumeration::new(
    "GreedySimplifyRegionLevel",
    "The extent to which a greedy rewrite simplifies regions.",
    &["DISABLED", "NORMAL", "AGGRESSIVE"],
    &numbers::REGION_LEVELS,
);
static FOLDING_MODE: Enumeration = Enumeration::new(
    "DialectConversionFoldingMode",
    "When a conversion folds operations.",
    &["NEVER", "BEFORE_PATTERNS", "AFTER_PATTERNS"],
    &numbers::FOLDING_MODES,
);
static PASS_DISPLAY_MODE: Enumeration = Enumeration::new(
    "PassDisplayMode",
    "The form of statistics and timings: a list, or the nested pipeline.",
    &["LIST", "PIPELINE"],
    &numbers::PASS_DISPLAY_MODES,
);

impl Enumeration {
    /// `numbers` are the members' values in the C API. Each has to equal the member's index in `members`.
    const fn new(
        name: &'static str,
        doc: &'static str,
        members: &'static [&'static str],
        numbers: &[u32],
    ) -> Self {
        assert!(members.len() == numbers.len(), "a number for each member");
        let mut place = 0;
        while place < numbers.len() {
            assert!(numbers[place] as usize == place, "the number is the place");
            place += 1;
        }
        Self {
            name,
            doc,
            members,
            class: PyOnceLock::new(),
            values: PyOnceLock::new(),
        }
    }

    /// Makes the class and puts it into `module`.
    fn install(&self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let class = self.class.get_or_try_init(py, || {
            let members: Vec<(&str, usize)> = self
                .members
                .iter()
                .enumerate()
                .map(|(value, name)| (*name, value))
                .collect();
            let options = PyDict::new(py);
            options.set_item("module", module.name()?)?;
            let base = py.import("enum")?.getattr("Enum")?;
            let class = base.call((self.name, members), Some(&options))?;
            class.setattr("__doc__", self.doc)?;
            // Upstream's members print alike by `repr` and by `str`.
            class.setattr("__repr__", base.getattr("__str__")?)?;
            PyResult::Ok(class.unbind())
        })?;
        self.values.get_or_try_init(py, || {
            let members = self.members.iter();
            members
                .map(|name| Ok(class.bind(py).getattr(*name)?.unbind()))
                .collect::<PyResult<_>>()
        })?;
        module.setattr(self.name, class)
    }

    fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        self.class
            .get(py)
            .map(|class| class.bind(py))
            .ok_or_else(|| {
                pyo3::exceptions::PyRuntimeError::new_err(format!("{} is not set up", self.name))
            })
    }

    fn member(&self, py: Python<'_>, value: u32) -> PyResult<Py<PyAny>> {
        let known = self.values.get(py).and_then(|all| all.get(value as usize));
        match known {
            Some(member) => Ok(member.clone_ref(py)),
            None => self.class(py)?.call1((value,)).map(Bound::unbind),
        }
    }

    fn value(&self, member: &Bound<'_, PyAny>) -> PyResult<u32> {
        // Members are singletons, and reading `member.value` takes longer than comparing with each of them.
        let members = self.values.get(member.py()).into_iter().flatten();
        if let Some((_, value)) = members.zip(0..).find(|(known, _)| known.is(member)) {
            return Ok(value);
        }
        if !member.is_instance(self.class(member.py())?)? {
            return Err(pyo3::exceptions::PyTypeError::new_err(format!(
                "incompatible function arguments: expected a {}, not {}",
                self.name,
                member.repr()?
            )));
        }
        member.getattr("value")?.extract()
    }
}

/// Puts the enumerations of `ir` into it.
pub(crate) fn install_ir(module: &Bound<'_, PyModule>) -> PyResult<()> {
    [&SEVERITY, &WALK_ORDER, &WALK_RESULT]
        .into_iter()
        .try_for_each(|one| one.install(module))
}

/// Puts the enumeration of `passmanager` into it.
pub(crate) fn install_passmanager(module: &Bound<'_, PyModule>) -> PyResult<()> {
    PASS_DISPLAY_MODE.install(module)
}

/// Puts the enumerations of `rewrite` into it.
pub(crate) fn install_rewrite(module: &Bound<'_, PyModule>) -> PyResult<()> {
    [&GREEDY_STRICTNESS, &REGION_LEVEL, &FOLDING_MODE]
        .into_iter()
        .try_for_each(|one| one.install(module))
}

/// The member of `GreedyRewriteStrictness` for a value of the C API.
pub(crate) fn greedy_strictness(py: Python<'_>, value: u32) -> PyResult<Py<PyAny>> {
    GREEDY_STRICTNESS.member(py, value)
}

/// The value of a member of `GreedyRewriteStrictness`.
pub(crate) fn greedy_strictness_value(member: &Bound<'_, PyAny>) -> PyResult<u32> {
    GREEDY_STRICTNESS.value(member)
}

/// The member of `GreedySimplifyRegionLevel` for a value of the C API.
pub(crate) fn region_level(py: Python<'_>, value: u32) -> PyResult<Py<PyAny>> {
    REGION_LEVEL.member(py, value)
}

/// The value of a member of `GreedySimplifyRegionLevel`.
pub(crate) fn region_level_value(member: &Bound<'_, PyAny>) -> PyResult<u32> {
    REGION_LEVEL.value(member)
}

/// The member of `DialectConversionFoldingMode` for a value.
pub(crate) fn folding_mode(py: Python<'_>, value: u32) -> PyResult<Py<PyAny>> {
    FOLDING_MODE.member(py, value)
}

/// The value of a member of `DialectConversionFoldingMode`.
pub(crate) fn folding_mode_value(member: &Bound<'_, PyAny>) -> PyResult<u32> {
    FOLDING_MODE.value(member)
}

/// The member of `DiagnosticSeverity` for a value of the C API.
pub(crate) fn severity(py: Python<'_>, value: u32) -> PyResult<Py<PyAny>> {
    SEVERITY.member(py, value)
}

const POST_ORDER: u32 = numbers::WALK_ORDERS[1];
const INTERRUPT: u32 = numbers::WALK_RESULTS[1];
const SKIP: u32 = numbers::WALK_RESULTS[2];
const PIPELINE: u32 = numbers::PASS_DISPLAY_MODES[1];

/// The order of a member of `WalkOrder`; the default is post-order.
pub(crate) fn walk_order(member: Option<&Bound<'_, PyAny>>) -> PyResult<WalkOrder> {
    let order = member.map_or(Ok(POST_ORDER), |member| WALK_ORDER.value(member))?;
    Ok(match order {
        POST_ORDER => WalkOrder::Post,
        _ => WalkOrder::Pre,
    })
}

/// The result of a member of `WalkResult`.
pub(crate) fn walk_result(member: &Bound<'_, PyAny>) -> PyResult<Walk> {
    Ok(match WALK_RESULT.value(member)? {
        INTERRUPT => Walk::Stop,
        SKIP => Walk::Skip,
        _ => Walk::Advance,
    })
}

/// The mode of a member of `PassDisplayMode`; the default is the pipeline.
pub(crate) fn pass_display_mode(member: Option<&Bound<'_, PyAny>>) -> PyResult<u32> {
    member.map_or(Ok(PIPELINE), |member| {
        // An integer is accepted in place of a member, as upstream does.
        if member.is_exact_instance_of::<PyInt>() {
            let number: usize = member.extract().unwrap_or(usize::MAX);
            if number < PASS_DISPLAY_MODE.members.len() {
                return member.extract();
            }
        }
        PASS_DISPLAY_MODE.value(member)
    })
}
