//! The compiler: a program's text becomes machine code.
//!
//! The dialect's own passes, which are in the library that this links, parse the text and lower it. The rest is MLIR's.

use std::path::Path;

use mondo_ir::{
    Context, EngineOptions, Error, ErrorKind, ExecutionEngine, Module, PassManager, Result,
};

/// The passes from a program's text to the dialect `llvm`, in stages that can be looked at.
pub const STAGES: [(&str, &str); 5] = [
    ("parsed", "tarn-parse"),
    ("simplified", "canonicalize,cse"),
    ("lowered", "tarn-lower,canonicalize,cse"),
    (
        "flat",
        "convert-scf-to-cf,func.func(mem2reg),canonicalize,cse",
    ),
    (
        "llvm",
        "convert-cf-to-llvm,expand-strided-metadata,finalize-memref-to-llvm,convert-arith-to-llvm,\
         convert-func-to-llvm,reconcile-unrealized-casts",
    ),
];

/// A compiler, with MLIR's context. It can compile any number of programs.
#[derive(Debug)]
pub struct Compiler {
    context: Context,
    level: u8,
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}

impl Compiler {
    /// A compiler that optimises as LLVM does at level 2.
    pub fn new() -> Self {
        let mut context = Context::new();
        // Programs are small, and compiled one at a time.
        context.threads(false);
        Self { context, level: 2 }
    }

    /// Sets LLVM's level of optimisation, 0 to 3.
    pub fn level(mut self, level: u8) -> Self {
        self.level = level;
        self
    }

    /// The text of a program after a stage: `parsed`, `simplified`, `lowered`, `flat` or `llvm`.
    pub fn text_after(&mut self, stage: &str, file: &str, text: &str) -> Result<String> {
        self.context.enter(|ctx, ir| {
            let module = source(ctx, ir, file, text)?;
            for (name, passes) in STAGES {
                PassManager::parse(ctx, &format!("builtin.module({passes})"))?
                    .run(ir, module.owner())?;
                if name == stage {
                    break;
                }
            }
            Ok(module.op(ir).to_string())
        })
    }

    fn compile(
        &mut self,
        options: &EngineOptions,
        file: &str,
        text: &str,
    ) -> Result<ExecutionEngine> {
        self.context.enter(|ctx, ir| {
            let module = source(ctx, ir, file, text)?;
            let passes = STAGES.map(|(_, passes)| passes).join(",");
            PassManager::parse(ctx, &format!("builtin.module({passes})"))?
                .run(ir, module.owner())?;
            // SAFETY: the language has no constructors.
            unsafe { ExecutionEngine::new(ir, &module, options) }
        })
    }

    /// Compiles a program in memory, whose function `main` takes two numbers.
    ///
    /// # Errors
    /// `ErrorKind::Parse` where it is no such program.
    pub fn load(&mut self, file: &str, text: &str) -> Result<Loaded> {
        let refused = |why: String| Error::new(ErrorKind::Parse, why);
        let program =
            tarn_syntax::parse(text).map_err(|error| refused(format!("{file}:{error}")))?;
        let mut functions = program.functions.iter();
        let main = functions.find(|function| function.name == "main");
        if main.is_none_or(|main| main.parameters.len() != 2) {
            let why = format!("{file}: expected a function `main` of two numbers");
            return Err(refused(why));
        }
        let engine = self.compile(&EngineOptions::new().level(self.level), file, text)?;
        Ok(Loaded { engine })
    }

    /// Compiles a program to an object file.
    pub fn write_object(&mut self, file: &str, text: &str, path: &Path) -> Result<()> {
        let options = EngineOptions::new().level(self.level).object_file();
        self.compile(&options, file, text)?.write_object(path)
    }
}

/// A module with a program's text in it.
fn source<'ctx>(
    ctx: mondo_ir::Ctx<'ctx>,
    ir: &mondo_ir::Ir<'ctx>,
    file: &str,
    text: &str,
) -> Result<Module<'ctx>> {
    let module = Module::new(ctx, ctx.file(file, 1, 1));
    ir.build("tarn.source", ctx.file(file, 1, 1))
        .attribute("text", ctx.string_attr(text))
        .attribute("file", ctx.string_attr(file))
        .at_end(module.body(ir))?;
    Ok(module)
}

/// A program in memory.
#[derive(Debug)]
pub struct Loaded {
    engine: ExecutionEngine,
}

impl Loaded {
    /// Calls the function `main`, which takes two numbers.
    ///
    /// # Errors
    /// `ErrorKind::Missing` where there is no function `main`.
    pub fn main(&self, first: i64, second: i64) -> Result<i64> {
        // SAFETY: `Compiler::load` has found that `main` takes two numbers. A function of the language touches no memory but
        // its own.
        unsafe {
            let main = self
                .engine
                .function::<unsafe extern "C" fn(i64, i64) -> i64>("main")?;
            Ok(main.call((first, second)))
        }
    }
}
