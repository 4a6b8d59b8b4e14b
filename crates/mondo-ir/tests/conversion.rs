//! Conversions: several types for one, casts, what is left, and trees that are as they were after an error.

use mondo_ir::types::{Complex, Function};
use mondo_ir::{Context, Conversion, Ctx, ErrorKind, Ir, Module, Type};

fn with_module(text: &str, work: impl for<'c> FnOnce(Ctx<'c>, &mut Ir<'c>, &Module<'c>)) {
    let mut context = Context::new();
    // The operations of `toy` are of no dialect.
    context.allow_unregistered(true).enter(|ctx, ir| {
        let module = Module::parse(ctx, text).unwrap();
        work(ctx, ir, &module);
    });
}

/// A complex number becomes its two parts.
fn split<'ctx>(type_: Type<'ctx>) -> mondo_ir::Result<Option<Vec<Type<'ctx>>>> {
    let complex = type_.downcast::<Complex>();
    Ok(complex.map(|complex| vec![complex.element(); 2]))
}

const SPLIT: &str = r#"
func.func @f(%a: complex<f32>, %n: i32) -> (complex<f32>, i32) {
  %0 = "toy.add"(%a, %a) : (complex<f32>, complex<f32>) -> complex<f32>
  %1:2 = func.call @f(%0, %n) : (complex<f32>, i32) -> (complex<f32>, i32)
  return %1#0, %1#1 : complex<f32>, i32
}"#;

#[test]
#[cfg_attr(llvm_before = "20", ignore = "one type becomes one")]
fn a_type_becomes_two() {
    with_module(SPLIT, |_, ir, module| {
        let mut conversion = Conversion::new();
        conversion
            .convert_type(split)
            .illegal_dialects(&["toy"])
            .legal_dialects(&["arith"])
            .retype("func.func")
            .retype("func.call")
            .retype("func.return")
            .pattern("toy.add", 1, |rewriter, op, adaptor| {
                assert!(adaptor.operands().is_err() && adaptor.operand(0).is_none());
                assert!(rewriter.convert_type(op.results()[0].type_()).is_err());
                let (left, right) = (adaptor.values(0), adaptor.values(1));
                let mut parts = Vec::new();
                for (left, right) in left.iter().zip(right) {
                    let sum = rewriter.ir().build("arith.addf", op.location());
                    let sum = sum.operands(&[*left, *right]).infer().finish()?;
                    parts.extend(rewriter.insert(sum).results());
                }
                rewriter.replace_by_several(&[parts]);
                Ok(true)
            });
        conversion.apply_partial(ir, module.owner()).unwrap();
        let text = module.op(ir).to_string();
        assert!(!text.contains("complex"), "{text}");
        let signature = "@f(%arg0: f32, %arg1: f32, %arg2: i32) -> (f32, f32, i32)";
        assert!(text.contains(signature), "{text}");
        assert!(
            text.contains("call @f(%0, %1, %arg2) : (f32, f32, i32)"),
            "{text}"
        );
    });
}

#[test]
fn what_is_left_is_an_error_and_the_tree_is_as_it_was() {
    with_module(SPLIT, |_, ir, module| {
        let before = module.op(ir).to_string();
        let mut conversion = Conversion::new();
        conversion.convert_type(split).illegal_dialects(&["toy"]);
        let error = conversion.apply_partial(ir, module.owner()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Pass);
        let said = error.to_string();
        assert!(
            said.contains("failed to legalize operation 'toy.add'"),
            "{said}"
        );
        assert!(said.contains("-:3:8"), "{said}");
        assert_eq!(module.op(ir).to_string(), before);

        // A full conversion also refuses what no rule speaks of.
        let mut conversion = Conversion::new();
        conversion.legal_dialects(&["func"]);
        assert!(conversion.apply_partial(ir, module.owner()).is_ok());
        assert!(conversion.apply_full(ir, module.owner()).is_err());
        conversion.legal_with_contents("func.func");
        assert!(conversion.apply_full(ir, module.owner()).is_ok());
        assert_eq!(module.op(ir).to_string(), before);
    });
}

#[test]
fn an_error_says_where() {
    with_module(SPLIT, |_, ir, module| {
        let before = module.op(ir).to_string();
        let mut conversion = Conversion::new();
        conversion
            .illegal("toy.add")
            .pattern("toy.add", 1, |rewriter, op, adaptor| {
                let copy = rewriter.ir().build("toy.mul", op.location());
                let copy = copy.result(op.results()[0].type_());
                rewriter.insert(copy.operands(&adaptor.operands()?).finish()?);
                panic!("not today")
            });
        let error = conversion.apply_partial(ir, module.owner()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Panicked);
        assert_eq!(error.operation(), Some("toy.add"));
        assert_eq!(error.location(), Some("-:3:8"));
        assert_eq!(module.op(ir).to_string(), before);
        assert_eq!(ir.collect(), 0);
        module.op(ir).verify().unwrap();
    });
}

#[test]
fn an_erased_operation_must_be_unused_in_the_end() {
    let text = "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 %1 = arith.muli %0, %0 : i32 return %a : i32 }";
    with_module(text, |_, ir, module| {
        let mut conversion = Conversion::new();
        for name in ["arith.addi", "arith.muli"] {
            conversion.illegal(name).pattern(name, 1, |rewriter, _, _| {
                rewriter.erase();
                Ok(true)
            });
        }
        conversion.apply_full(ir, module.owner()).unwrap_err();
        conversion.apply_partial(ir, module.owner()).unwrap();
        assert!(!module.op(ir).to_string().contains("arith"));
    });
    with_module(text, |_, ir, module| {
        let mut conversion = Conversion::new();
        conversion
            .illegal("arith.addi")
            .pattern("arith.addi", 1, |rewriter, _, _| {
                rewriter.erase();
                Ok(true)
            });
        let error = conversion.apply_partial(ir, module.owner()).unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("'arith.addi', whose results are still used"),
            "{said}"
        );
        assert!(said.contains("by 'arith.muli'"), "{said}");
        module.op(ir).verify().unwrap();
    });
}

#[test]
fn changes_in_place() {
    let text =
        "func.func @f(%a: i32, %b: i32) -> i32 { %0 = arith.subi %a, %b : i32 return %0 : i32 }";
    with_module(text, |ctx, ir, module| {
        let mut conversion = Conversion::new();
        conversion
            .dynamic("arith.subi", |op| Ok(op.attribute("turned").is_some()))
            .pattern("arith.subi", 1, |rewriter, op, adaptor| {
                let mut operands = adaptor.operands()?;
                operands.reverse();
                rewriter.set_operands(&operands);
                rewriter.set_attribute("turned", Some(op.ctx().unit().any()));
                Ok(true)
            });
        conversion.apply_partial(ir, module.owner()).unwrap();
        let text = module.op(ir).to_string();
        assert!(text.contains("arith.subi %arg1, %arg0 {turned}"), "{text}");
        let function = module.body(ir).first().unwrap();
        let type_ = function.attribute("function_type").unwrap();
        let type_ = type_
            .cast::<mondo_ir::attributes::TypeValue>()
            .unwrap()
            .value();
        assert_eq!(type_.cast::<Function>().unwrap().inputs().len(), 2);
        assert_eq!(
            type_.cast::<Function>().unwrap().results(),
            [ctx.i32().any()]
        );
    });
}

#[test]
fn values_that_a_later_pattern_replaces_may_be_used() {
    // Each sum becomes two operations, the second of which uses the first, in a chain of a thousand.
    let mut text = "func.func @f(%0: i32) -> i32 {\n".to_owned();
    for index in 1..=1000 {
        text += &format!("%{index} = arith.addi %{}, %0 : i32\n", index - 1);
    }
    text += "return %1000 : i32 }";
    with_module(&text, |_, ir, module| {
        let mut conversion = Conversion::new();
        conversion.legal_dialects(&["arith"]);
        conversion
            .illegal("arith.addi")
            .pattern("arith.addi", 1, |rewriter, op, adaptor| {
                // The operand as it was may be used as well: it is what replaces it in the end.
                let old = op.operand(0).unwrap();
                let product = rewriter.ir().build("arith.muli", op.location());
                let product = product
                    .operands(&[old, adaptor.values(1)[0]])
                    .infer()
                    .finish()?;
                let product = rewriter.insert(product).results();
                let rest = rewriter.ir().build("arith.subi", op.location());
                let rest = rest.operands(&[product[0], old]).infer().finish()?;
                rewriter.replace(&rewriter.insert(rest).results());
                Ok(true)
            });
        conversion.apply_partial(ir, module.owner()).unwrap();
        let text = module.op(ir).to_string();
        assert_eq!(text.matches("arith.muli").count(), 1000);
        assert!(!text.contains("addi") && !text.contains("cast"), "{text}");
    });
}
