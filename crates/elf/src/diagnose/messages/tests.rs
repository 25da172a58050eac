//! The complete texts: a changed blank can break a parser somewhere.

use super::*;

fn place(file_name: &str, enclosing: Option<&str>, source: Option<&str>) -> Place {
    Place {
        file_name: file_name.to_owned(),
        section: ".text".to_owned(),
        section_offset: 0x1c,
        enclosing: enclosing.map(str::to_owned),
        in_function: enclosing.is_some(),
        source: source.map(str::to_owned),
    }
}

#[test]
fn undefined_lists_references() {
    let report = UndefinedReport {
        name: "foo(int)".to_owned(),
        references: vec![
            place("a.o", Some("main"), Some("a.c:12 (/src/a.c:12)")),
            place("libx.a(y.o)", None, None),
        ],
        total_references: 7,
        ..UndefinedReport::default()
    };
    assert_eq!(
        report.render(),
        "undefined symbol: foo(int)\n\
         >>> referenced by a.c:12 (/src/a.c:12)\n\
         >>>               a.o:(main)\n\
         >>> referenced by y.o:(.text+0x1C) in archive libx.a\n\
         >>> referenced 5 more times"
    );
}

#[test]
fn undefined_says_the_visibility() {
    let report = |visibility| UndefinedReport {
        name: "x".to_owned(),
        visibility,
        ..UndefinedReport::default()
    };
    assert_eq!(report(Visibility::Hidden).render(), "undefined hidden symbol: x");
    assert_eq!(report(Visibility::Protected).render(), "undefined protected symbol: x");
    assert_eq!(report(Visibility::Internal).render(), "undefined internal symbol: x");
}

#[test]
fn hints_end_the_message() {
    let (name, defined_in) = ("foo(int)".to_owned(), "b.o".to_owned());
    let render = |hint| {
        let name = "x".to_owned();
        UndefinedReport { name, hint: Some(hint), ..UndefinedReport::default() }.render()
    };
    assert_eq!(
        render(Hint::Similar { name: name.clone(), defined_in: defined_in.clone() }),
        "undefined symbol: x\n>>> did you mean: foo(int)\n>>> defined in: b.o"
    );
    assert_eq!(
        render(Hint::DefinedInC { name: "foo".to_owned(), defined_in: defined_in.clone() }),
        "undefined symbol: x\n>>> did you mean: extern \"C\" foo\n>>> defined in: b.o"
    );
    assert_eq!(
        render(Hint::DefinedInCxx { name, defined_in: defined_in.clone() }),
        "undefined symbol: x\n>>> did you mean to declare foo(int) as extern \"C\"?\n\
         >>> defined in: b.o"
    );
    assert_eq!(
        render(Hint::KeyFunction),
        "undefined symbol: x\n>>> the vtable symbol may be undefined because the class is missing \
         its key function (see https://lld.llvm.org/missingkeyfunction)"
    );
    assert_eq!(
        render(Hint::Local { defined_in: defined_in.clone() }),
        "undefined symbol: x\n>>> x is defined in b.o, but local to that file (static)"
    );
    assert_eq!(
        render(Hint::Hidden { defined_in }),
        "undefined symbol: x\n>>> x is defined in b.o, but not exported (hidden, or local by a \
             version script)"
    );
}

#[test]
fn duplicate_shows_both() {
    let report = DuplicateReport {
        hint: None,
        name: "x".to_owned(),
        first: Definition::At(place("a.o", None, Some("a.c:3"))),
        second: Definition::At(place("b.o", Some("x"), None)),
    };
    assert_eq!(
        report.render(),
        "duplicate symbol: x\n\
         >>> defined at a.c:3\n\
         >>>            a.o:(.text+0x1C)\n\
         >>> defined at b.o:(x)"
    );
    let report = DuplicateReport { second: Definition::In("--defsym".to_owned()), ..report };
    assert!(report.render().ends_with("a.o:(.text+0x1C)\n>>> defined in --defsym"));
}

#[test]
fn overflow_says_by_how_much() {
    let mut report = RelocationOverflow {
        place: place("a.o", None, Some("a.c:3")),
        relocation: "R_TEST_PC32".to_owned(),
        value: 2147483649,
        min: -2147483648,
        max: 2147483647,
        referent: Some(RelocationReferent::Symbol("sym".to_owned())),
        defined_in: Some("b.o".to_owned()),
        hint: Some("recompile with -mcmodel=medium".to_owned()),
    };
    assert_eq!(
        report.render(),
        "a.o:(.text+0x1c): relocation R_TEST_PC32 out of range: 2147483649 is not in \
         [-2147483648, 2147483647]; references 'sym'\n\
         >>> referenced by a.c:3\n\
         >>> defined in b.o\n\
         >>> 2 (0x2) above the upper limit\n\
         >>> recompile with -mcmodel=medium"
    );
    report.value = i128::MIN;
    report.hint = None;
    let text = report.render();
    let by = i128::MIN.abs_diff(-2147483648);
    assert!(text.ends_with(&format!(">>> {by} (0x{by:x}) below the lower limit")), "{text}");
}

#[test]
fn overflow_in_debug_sections_has_advice() {
    let mut place = place("a.o", None, None);
    place.section = ".debug_info".to_owned();
    let report = RelocationOverflow {
        place,
        relocation: "R_TEST_32".to_owned(),
        value: 256,
        min: 0,
        max: 255,
        referent: Some(RelocationReferent::Section(".debug_str".to_owned())),
        defined_in: None,
        hint: None,
    };
    assert_eq!(
        report.render(),
        "a.o:(.debug_info+0x1c): relocation R_TEST_32 out of range: 256 is not in [0, 255]; \
         references section '.debug_str'; consider recompiling with -fdebug-types-section to \
         reduce size of debug sections\n\
         >>> 1 (0x1) above the upper limit"
    );
}

#[test]
fn discarded_names_the_winner() {
    let report = DiscardedReport {
        referent: RelocationReferent::Symbol("f()".to_owned()),
        defined_in: "b.o".to_owned(),
        group: Some(("f()".to_owned(), "a.o".to_owned())),
        references: vec![place("b.o", Some("g()"), None)],
        total_references: 1,
    };
    assert_eq!(
        report.render(),
        "relocation refers to a symbol in a discarded section: f()\n\
         >>> defined in b.o\n\
         >>> section group signature: f()\n\
         >>> prevailing definition is in a.o\n\
         >>> referenced by b.o:(g())"
    );
}

#[test]
fn one_liners() {
    let version = VersionUndefined {
        place: "v.map:3".to_owned(),
        version: "V1".to_owned(),
        name: "x".to_owned(),
        hint: None,
    };
    assert_eq!(
        version.render(),
        "v.map:3: version script assignment of 'V1' to symbol 'x' failed: symbol not defined"
    );
    let mut shlib = ShlibUndefined {
        name: "f()".to_owned(),
        library: "libx.so".to_owned(),
        hidden_in: None,
        version: None,
        hidden_version: None,
        hint: None,
    };
    let text = "libx.so: --no-allow-shlib-undefined: undefined symbol: f()";
    assert_eq!(
        shlib.render(),
        format!(
            "{text}\n>>> libx.so needs a library that it does not name: link libx.so with that, or \
             add it here"
        )
    );
    shlib.hidden_in = Some("a.o".to_owned());
    assert_eq!(shlib.render(), format!("{text}\n>>> defined in a.o, but hidden or local there"));
    shlib.hidden_in = None;
    shlib.hidden_version = Some(("V1".to_owned(), "liby.so".to_owned()));
    assert_eq!(
        shlib.render(),
        format!("{text}\n>>> liby.so has it as f()@V1, for programs that ask for this version")
    );
    shlib.hidden_version = None;
    shlib.version = Some(("V2".to_owned(), "liby.so".to_owned()));
    assert_eq!(
        shlib.render(),
        format!(
            "{text}@V2\n>>> libx.so was linked with a liby.so that has version V2, probably a \
             newer \
             one"
        )
    );
    let mut bad =
        BadInput { file: "libx.a".to_owned(), member: None, what: "truncated".to_owned() };
    assert_eq!(bad.render(), "libx.a: truncated");
    bad.member = Some("y.o".to_owned());
    assert_eq!(bad.render(), "libx.a(y.o): truncated");
}
