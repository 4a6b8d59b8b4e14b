//! Passes of a dialect.

use mondo_ir::sdk::{Extent, Initial, PassRow, Pattern, RunPass, SetUp};

use crate::assembly::same;

/// A pass, which pipelines, `opt` and Python find by its name.
///
/// The dialects of the operations that it makes are among those that its own dialect depends on.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    pub(crate) name: &'static str,
    summary: &'static str,
    operation: Option<&'static str>,
    options: &'static [PassOption],
    statistics: &'static [Statistic],
    run: Option<RunPass>,
    conversion: Option<(SetUp, Extent)>,
    patterns: &'static [Pattern],
}

/// An option of a pass.
#[derive(Debug, Clone, Copy)]
pub struct PassOption {
    name: &'static str,
    summary: &'static str,
    initial: Initial,
}

/// A number that a pass counts.
#[derive(Debug, Clone, Copy)]
pub struct Statistic {
    name: &'static str,
    summary: &'static str,
}

impl PassOption {
    /// An option that is true or false.
    #[must_use]
    pub const fn flag(name: &'static str, summary: &'static str, initial: bool) -> Self {
        Self {
            name,
            summary,
            initial: Initial::Flag(initial),
        }
    }

    /// An option that is a number.
    #[must_use]
    pub const fn integer(name: &'static str, summary: &'static str, initial: i64) -> Self {
        Self {
            name,
            summary,
            initial: Initial::Integer(initial),
        }
    }

    /// An option that is a text.
    #[must_use]
    pub const fn text(name: &'static str, summary: &'static str, initial: &'static str) -> Self {
        Self {
            name,
            summary,
            initial: Initial::Text(initial),
        }
    }
}

impl Statistic {
    /// A number that `Run::count` adds to.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary }
    }
}

impl Pass {
    /// A pass that does nothing yet. Its name begins with the dialect's and a hyphen: `units-lower`.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            operation: None,
            options: &[],
            statistics: &[],
            run: None,
            conversion: None,
            patterns: &[],
        }
    }

    /// Runs on each operation of this name only, for instance `func.func`.
    #[must_use]
    pub const fn on(mut self, operation: &'static str) -> Self {
        self.operation = Some(operation);
        self
    }

    /// The options, which pipelines set: `units-lower{checked=true}`.
    #[must_use]
    pub const fn options(mut self, options: &'static [PassOption]) -> Self {
        self.options = options;
        self
    }

    /// The numbers that it counts.
    #[must_use]
    pub const fn statistics(mut self, statistics: &'static [Statistic]) -> Self {
        self.statistics = statistics;
        self
    }

    /// What the pass does. It may change what is in its operation.
    #[must_use]
    pub const fn run(mut self, run: RunPass) -> Self {
        self.run = Some(run);
        self
    }

    /// Converts what is in its operation after [`Self::run`], until nothing illegal is left. The function fills the
    /// conversion; what it adds may depend on the pass's options.
    ///
    /// ```
    /// # use mondo_dialect::{Pass, Run, ir};
    /// fn lower<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut ir::Conversion<'ctx>) -> ir::Result<()> {
    ///     conversion.illegal_dialects(&["toy"]).legal_dialects(&["arith"]);
    ///     conversion.pattern("toy.add", 1, |rewriter, sum, adaptor| {
    ///         let new = rewriter.ir().build("arith.addi", sum.location());
    ///         let new = rewriter.insert(new.operands(&adaptor.operands()?).infer().finish()?);
    ///         rewriter.replace(&new.results());
    ///         Ok(true)
    ///     });
    ///     Ok(())
    /// }
    /// const LOWER: Pass = Pass::new("toy-lower", "Makes operations of `arith`.").converts(lower);
    /// ```
    #[must_use]
    pub const fn converts(mut self, set_up: SetUp) -> Self {
        self.conversion = Some((set_up, Extent::Partial));
        self
    }

    /// Converts all that is in its operation after [`Self::run`]: what no rule says anything of is illegal, too.
    #[must_use]
    pub const fn converts_fully(mut self, set_up: SetUp) -> Self {
        self.conversion = Some((set_up, Extent::Full));
        self
    }

    /// The patterns that it applies until none matches, after [`Self::run`] and the conversion.
    #[must_use]
    pub const fn patterns(mut self, patterns: &'static [Pattern]) -> Self {
        self.patterns = patterns;
        self
    }

    pub(crate) fn row(&self) -> PassRow {
        let option = |option: &PassOption| (option.name, option.summary, option.initial);
        let statistic = |statistic: &Statistic| (statistic.name, statistic.summary);
        PassRow {
            name: self.name,
            summary: self.summary,
            operation: self.operation,
            options: self.options.iter().map(option).collect(),
            statistics: self.statistics.iter().map(statistic).collect(),
            run: self.run,
            conversion: self.conversion,
            patterns: self.patterns.to_vec(),
        }
    }
}

/// Refuses passes whose names could be those of another dialect's, and two of one name.
pub(crate) const fn check_passes(dialect: &str, passes: &[Pass]) {
    let mut index = 0;
    while index < passes.len() {
        assert!(
            begins_with(passes[index].name, dialect, b'-'),
            "the name of a pass begins with the dialect's name and a hyphen"
        );
        let mut other = index + 1;
        while other < passes.len() {
            assert!(
                !same(passes[index].name, passes[other].name),
                "two passes of a dialect have one name"
            );
            other += 1;
        }
        index += 1;
    }
}

/// Whether a name is a dialect's, followed by this and more.
pub(crate) const fn begins_with(name: &str, dialect: &str, then: u8) -> bool {
    let (name, dialect) = (name.as_bytes(), dialect.as_bytes());
    if name.len() <= dialect.len() + 1 || name[dialect.len()] != then {
        return false;
    }
    let mut index = 0;
    while index < dialect.len() {
        if name[index] != dialect[index] {
            return false;
        }
        index += 1;
    }
    true
}
