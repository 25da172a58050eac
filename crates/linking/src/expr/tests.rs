//! Tests of expressions and their values. Values without a remark are those of GNU ld 2.40 for
//! `--defsym=zz=EXPRESSION`.

use super::parse::parse_number;
use super::*;
use proptest::prelude::*;

const A: u64 = 0x40_1010;
const B: u64 = 0x40_1014;
const OTHER: u64 = 0x40_2000;

/// `.data` at 0x401000 with `a` and `b`; `.bss` with `other`; `abs` absolute; `.` in `.data`.
struct Fixed;

impl Environment for Fixed {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        let in_data = |address| Some(Value { address, section: Some(1) });
        match name {
            b"a" | b"a.b$c@V1" | b"odd name" => in_data(A),
            b"b" => in_data(B),
            b"other" => Some(Value { address: OTHER, section: Some(2) }),
            b"abs" => Some(Value::absolute(0x1234)),
            _ => None,
        }
    }

    fn section(&self, name: &[u8]) -> Option<SectionAddress> {
        (name == b".data" || name == b".x-y").then_some(SectionAddress {
            section: 1,
            address: 0x40_1000,
            load_address: 0x1000,
            size: 0x18,
            alignment: 4,
        })
    }

    fn segment_start(&self, segment: &[u8]) -> Option<u64> {
        (segment == b"data-segment").then_some(0x77_0000)
    }

    fn constant(&self, constant: Constant) -> u64 {
        match constant {
            Constant::MaxPageSize => 0x1000,
            Constant::CommonPageSize => 0x800,
        }
    }

    fn sizeof_headers(&self) -> u64 {
        0xb0
    }

    fn dot(&self) -> Option<Value> {
        Some(Value { address: 0x40_1003, section: Some(1) })
    }
}

fn eval(text: &str) -> Value {
    let value = Expr::parse_text("--defsym", text.as_bytes()).and_then(|e| e.eval(&Fixed));
    value.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> String {
    let value = Expr::parse_text("--defsym", text.as_bytes()).and_then(|e| e.eval(&Fixed));
    value.expect_err(text).0.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn numbers() {
    let rows: [(&str, u64); 16] = [
        ("0", 0),
        ("10h", 0x10),
        ("0x10K", 0x4000),
        ("0X1f", 0x1f),
        ("10d", 10),
        ("101b", 5),
        ("17o", 0o17),
        ("010", 8),
        ("1M", 0x10_0000),
        ("2k", 0x800),
        ("$10", 0x10),
        ("12ah", 0x12a),
        ("0xffffffffffffffff", u64::MAX),
        ("18446744073709551615", u64::MAX),
        ("0xab", 0xab),
        // GNU ld reads hexadecimal here too: the last letter after 0x is a digit.
        ("0x1d", 0x1d),
    ];
    for (text, value) in rows {
        assert_eq!(eval(text), Value::absolute(value), "{text}");
    }
    // GNU ld takes the first two as 0 and clamps the fourth; the others are syntax errors.
    for text in ["08", "0x", "0x10h", "0xffffffffffffffffff", "0b11", "1.5", "20000000000000000M"] {
        assert_eq!(error(text), format!("--defsym:1: malformed number '{text}'"));
    }
}

#[test]
fn operators_on_numbers() {
    let rows: [(&str, u64); 33] = [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("10-4-3", 3),
        ("1+2*3==7&&4>3", 1),
        ("-7/2", -3i64 as u64),
        ("-7%2", -1i64 as u64),
        ("1<<70", 0x40),
        ("-1>>60", 0xf),
        ("~0", u64::MAX),
        ("!0", 1),
        ("!5", 0),
        ("!!5", 1),
        ("- -3", 3),
        ("+3", 3),
        ("1?2:3?4:5", 2),
        ("0?2:0?4:5", 5),
        ("(1?0:1)?2:3", 3),
        ("6&3|8^12", 6),
        ("1|2==2", 1),
        ("1<<2+1", 8),
        ("-1<1", 0),
        ("2<=2", 1),
        ("2>=3", 0),
        ("2!=3", 1),
        ("0||0", 0),
        ("0||7", 1),
        ("ALIGN(5,3)", 6),
        ("ALIGN(5,0)", 5),
        ("LOG2CEIL(17)", 5),
        ("LOG2CEIL(16)", 4),
        ("LOG2CEIL(0)", 0),
        ("0x8000000000000000/-1", 1 << 63),
        ("MAX(3,MIN(9,4))", 4),
    ];
    for (text, value) in rows {
        assert_eq!(eval(text), Value::absolute(value), "{text}");
    }
}

#[test]
fn addresses_and_sections() {
    let absolute = Value::absolute;
    let in_data = |address| Value { address, section: Some(1) };
    let rows = [
        ("a", in_data(A)),
        ("\"odd name\"", in_data(A)),
        ("a.b$c@V1", in_data(A)),
        // GNU ld makes these three absolute; lld keeps the section.
        ("a+4", in_data(A + 4)),
        ("4+a", in_data(A + 4)),
        ("a-0x10", in_data(A - 0x10)),
        ("a&0xfff", in_data(0x10)),
        ("b-a", absolute(4)),
        ("other-a", absolute(OTHER - A)),
        ("a*2", absolute(2 * A)),
        ("a/2", absolute(A / 2)),
        ("0x500000-a", absolute(0x50_0000 - A)),
        ("a==a", absolute(1)),
        ("a<other", absolute(1)),
        ("!a", absolute(0)),
        ("-a", absolute(A.wrapping_neg())),
        ("ABSOLUTE(a)", absolute(A)),
        ("MAX(a,1)", absolute(A)),
        ("MIN(a,b)", in_data(A)),
        ("MAX(a,other)", absolute(OTHER)),
        ("1?a:b", in_data(A)),
        ("abs+1", absolute(0x1235)),
        ("ADDR(.data)", in_data(0x40_1000)),
        ("ADDR(.x-y)", in_data(0x40_1000)),
        ("ADDR(.data)-a", absolute(-0x10i64 as u64)),
        ("LOADADDR(.data)", absolute(0x1000)),
        ("SIZEOF(.data)+1", absolute(0x19)),
        ("ALIGNOF( \".data\" )", absolute(4)),
        ("ADDR(.data) + SIZEOF(.data)", in_data(0x40_1018)),
        ("ALIGN(a, 0x1000)", in_data(0x40_2000)),
        ("ALIGN(8)", in_data(0x40_1008)),
        ("NEXT(16)", absolute(0x40_1010)),
        (". + 1", in_data(0x40_1004)),
        ("CONSTANT(MAXPAGESIZE)", absolute(0x1000)),
        ("CONSTANT (COMMONPAGESIZE)", absolute(0x800)),
        ("SIZEOF_HEADERS", absolute(0xb0)),
        ("SEGMENT_START(\"text-segment\",0x123)", absolute(0x123)),
        ("SEGMENT_START(\"data-segment\",0x123)", absolute(0x77_0000)),
        ("DEFINED(a)", absolute(1)),
        ("DEFINED(nope)?nope:5", absolute(5)),
        // GNU ld evaluates both sides and fails; lld does not.
        ("DEFINED(nope)&&nope", absolute(0)),
        ("1||nope", absolute(1)),
    ];
    for (text, value) in rows {
        assert_eq!(eval(text), value, "{text}");
    }
}

#[test]
fn errors_name_the_cause() {
    let rows = [
        ("7/0", "/ by zero"),
        ("7%(1-1)", "% by zero"),
        ("nope+1", "undefined symbol: nope, referenced in an expression"),
        ("SIZEOF(.nope)", "undefined section '.nope' referenced in expression"),
        // GNU ld adds the offsets; lld fails.
        ("a+b", "addition of two addresses: at least one side must be absolute"),
        ("ALIGN(0xffffffffffffffff,0x1000)", "aligning 0xffffffffffffffff to 0x1000 overflows"),
        ("a;", "expected end of expression, found ';'"),
        ("a b", "expected end of expression, found 'b'"),
        ("1 ? 2", "expected ':', found end of file"),
        ("", "expected expression, found end of file"),
        ("1+", "expected expression, found end of file"),
        ("(1", "expected ')', found end of file"),
        ("f(1)", "unknown function 'f'"),
        ("ORIGIN(ram", "expected ')', found end of file"),
        ("CONSTANT(x)", "unknown constant 'x'"),
        ("MAX(1)", "expected ',', found ')'"),
        ("a=1", "expected end of expression, found '='"),
    ];
    for (text, message) in rows {
        assert_eq!(error(text), format!("--defsym:1: {message}"), "{text}");
    }
}

#[test]
fn questions_about_the_tree() {
    let parse = |text: &str| Expr::parse_text("e", text.as_bytes()).unwrap();
    let expr = parse("a + DEFINED(x) ? b.c : MAX(\"d e\", a)");
    let names: Vec<&[u8]> = expr.symbols().collect();
    assert_eq!(names, [&b"a"[..], b"b.c", b"d e", b"a"]);
    assert_eq!(parse("(a)").as_symbol(), Some(&b"a"[..]));
    assert_eq!(parse("\n\n1").line(), 3);
    let compound = parse("4*2").compound(b"a", BinaryOp::Add);
    assert_eq!(compound.eval(&Fixed).unwrap().address, A + 8);
    let dot = parse("1").compound(b".", BinaryOp::Subtract);
    assert_eq!(dot.eval(&Fixed).unwrap().address, 0x40_1002);
}

#[test]
fn depth_is_limited() {
    let deep = "expression is nested too deeply";
    for text in [
        "(".repeat(100_000),
        "-".repeat(100_000),
        "1?".repeat(100_000),
        "1+(".repeat(100_000),
        vec!["1"; 100_000].join("+"),
        format!("1{}", "?1:1".repeat(100_000)),
        "ALIGN(".repeat(100_000),
    ] {
        assert!(error(&text).ends_with(deep), "{}", &text[..10]);
    }
    assert_eq!(eval(&vec!["1"; 400].join("+")).address, 400);
    assert_eq!(eval(&format!("{}1{}", "(".repeat(200), ")".repeat(200))).address, 1);
}

proptest! {
    #[test]
    fn no_input_panics(text: Vec<u8>) {
        if let Ok(expr) = Expr::parse_text("e", &text) {
            let _ = expr.eval(&Fixed);
        }
    }

    #[test]
    fn no_tokens_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "1", "0", "a", "b", "0xffffffffffffffff", "0x8000000000000000", "+", "-", "*", "/",
                "%", "<<", ">>", "<", "==", "&", "|", "^", "&&", "||", "?", ":", "(", ")", ",", "~",
                "!", "ALIGN", "MAX", "LOG2CEIL", "ADDR", ".data", "DEFINED", ".", "SEGMENT_START",
            ]),
            0..16,
        ),
    ) {
        if let Ok(expr) = Expr::parse_text("e", words.join(" ").as_bytes()) {
            let _ = expr.eval(&Fixed);
        }
    }

    /// All pairs of values under all operators, since random words seldom make an expression.
    #[test]
    fn no_operands_panic(left: u64, right: u64) {
        for operator in
            ["+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|"]
        {
            let text = format!("{left}{operator}{right}");
            let value = Expr::parse_text("e", text.as_bytes()).unwrap().eval(&Fixed);
            prop_assert!(value.is_ok() || right == 0);
        }
    }

    #[test]
    fn decimal_and_hexadecimal_agree(value: u64) {
        prop_assert_eq!(parse_number(format!("{value:#x}").as_bytes()), Some(value));
        prop_assert_eq!(parse_number(value.to_string().as_bytes()), Some(value));
        prop_assert_eq!(parse_number(format!("0{value:X}h").as_bytes()), Some(value));
    }
}

#[test]
fn what_leaves_a_symbol_as_it_is() {
    let keeps = |text: &str| Expr::parse_text("test", text.as_bytes()).unwrap().keeps(b"x");
    assert!(keeps("x") && keeps("(x)") && keeps("DEFINED(x) ? x : 4"));
    assert!(!keeps("y") && !keeps("x + 0") && !keeps("DEFINED(y) ? x : 4"));
    assert!(!keeps("DEFINED(x) ? 4 : x"));
}

#[test]
fn estimates_know_numbers_and_given_symbols_alone() {
    let known = |name: &[u8]| (name == b"x").then_some(0x1000);
    let estimate = |text: &str| Expr::parse_text("e", text.as_bytes()).unwrap().estimate(known);
    assert_eq!(estimate("x + 0x10"), Some(0x1010));
    assert_eq!(estimate("x + SIZEOF_HEADERS"), Some(0x1000));
    assert_eq!(estimate("SEGMENT_START(\"text-segment\", x * 2)"), Some(0x2000));
    assert_eq!([estimate("y"), estimate(". + 4"), estimate("ADDR(.text)")], [None; 3]);
    let constant = |text: &str| Expr::parse_text("e", text.as_bytes()).unwrap().constant();
    assert_eq!(
        [constant("2 + 3"), constant("x"), constant("SIZEOF_HEADERS")],
        [Some(5), None, None]
    );
}
