//! Tests of the code made from descriptions, valid or not.

use super::*;

const SAMPLE: &str = concat!(
    r#"{"mondo-dialect":1,"name":"sample","summary":"Says \"no\" to \\ and all.","#,
    r#""types":[{"name":"t","summary":"A type."}],"attributes":[],"operations":["#,
    r#"{"name":"add","summary":"A sum.","operands":[{"name":"lhs","summary":"a t","count":"one"},"#,
    r#"{"name":"rhs","summary":"a t","count":"one"}],"#,
    r#""results":[{"name":"result","summary":"a t","count":"one"}],"attributes":[],"regions":[],"successors":[],"infers":true},"#,
    r#"{"name":"dot_product.yield","summary":"All there is.","operands":["#,
    r#"{"name":"first","summary":"any type","count":"one"},"#,
    r#"{"name":"operands","summary":"any type","count":"variadic"},"#,
    r#"{"name":"last","summary":"any type","count":"one"}],"#,
    r#""results":[{"name":"outs","summary":"any type","count":"variadic"}],"attributes":["#,
    r#"{"name":"in","summary":"a string","builder":"StrAttr","enum":"","optional":false,"default":false},"#,
    r#"{"name":"note","summary":"any attribute","builder":"","enum":"","optional":true,"default":false}],"regions":[],"successors":[],"infers":false},"#,
    r#"{"name":"yield","summary":"Nothing.","operands":[],"results":[],"attributes":[],"regions":[],"successors":[],"infers":false}"#,
    r#",{"name":"loop","summary":"Has groups.","operands":["#,
    r#"{"name":"step","summary":"any type","count":"one"},"#,
    r#"{"name":"limit","summary":"any type","count":"optional"},"#,
    r#"{"name":"inits","summary":"any type","count":"variadic"}],"results":["#,
    r#"{"name":"last","summary":"any type","count":"optional"},"#,
    r#"{"name":"rest","summary":"any type","count":"variadic"}],"attributes":["#,
    r#"{"name":"way","summary":"a way","builder":"Way","enum":"Way","optional":false,"default":true}],"#,
    r#""regions":[{"name":"body","count":"one"},{"name":"others","count":"variadic"}],"#,
    r#""successors":[{"name":"next","count":"one"},{"name":"cases","count":"variadic"}],"infers":false}"#,
    r#"],"enums":[{"name":"Way","summary":"a way","cases":[{"name":"up","value":1},"#,
    r#"{"name":"in","value":-2}]}]}"#,
    "\n"
);

fn refused(section: &str) -> String {
    let error = parse(section.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compile);
    format!("{error}")
}

#[test]
fn a_description_becomes_a_module() {
    let [sample] = &parse(SAMPLE.as_bytes()).unwrap()[..] else {
        panic!("one line is one dialect");
    };
    assert_eq!(module(sample), include_str!("sample_ops_gen.py.expected"));
}

#[test]
fn lines_of_several_crates_follow_one_another() {
    let second = SAMPLE.replace("\"sample\"", "\"other\"");
    let names: Vec<String> = parse((SAMPLE.to_owned() + &second).as_bytes())
        .unwrap()
        .into_iter()
        .map(|operation| operation.name)
        .collect();
    assert_eq!(names, ["sample", "other"]);
    assert!(parse(b"").unwrap().is_empty());
}

#[test]
fn a_damaged_description_is_refused() {
    assert!(refused("{\n").contains("cannot read"));
    assert!(refused(&SAMPLE[..200]).contains("cannot read"));
    assert!(parse(b"\xff\n").is_err());
}

#[test]
fn a_description_of_another_format_is_refused() {
    let newer = refused(&SAMPLE.replacen("dialect\":1", "dialect\":2", 1));
    assert!(newer.contains("format 2"), "{newer}");
}

#[test]
fn an_unknown_key_of_a_description_is_refused() {
    let unknown = refused(&SAMPLE.replacen("\"types\"", "\"kinds\"", 1));
    assert!(unknown.contains("kinds"), "{unknown}");
}

#[test]
fn names_are_checked() {
    let twice = refused(&SAMPLE.replace("\"yield\"", "\"add\""));
    assert!(
        twice.contains("the operation `sample.add` is defined twice"),
        "{twice}"
    );
    let no_word = refused(&SAMPLE.replace("\"lhs\"", "\"l-h s\""));
    assert!(no_word.contains("`l-h s`"), "{no_word}");
    let same = refused(&SAMPLE.replace("\"rhs\"", "\"lhs\""));
    assert!(same.contains("two parts named `lhs`"), "{same}");
    let region = refused(&SAMPLE.replace("\"body\"", "\"limit\""));
    assert!(region.contains("two parts named `limit`"), "{region}");
    let cases = refused(&SAMPLE.replace("\"up\"", "\"in\""));
    assert!(cases.contains("`in` is not one case"), "{cases}");
    let dialect = refused(&SAMPLE.replace("\"sample\"", "\"a\\nb\""));
    assert!(dialect.contains("invalid dialect name"), "{dialect}");
}
