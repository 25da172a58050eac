//! Version scripts, and the results of GNU ld 2.40 and lld 19 (with `readelf --dyn-syms` on a
//! library of the functions named); rows say where the two differ.

use super::*;
use proptest::prelude::*;

fn parse(text: &str) -> VersionScript {
    VersionScript::parse("s.ver", text.as_bytes()).expect("the script is valid")
}

fn parse_error(text: &str) -> String {
    VersionScript::parse("s.ver", text.as_bytes()).expect_err("the script is wrong").0
}

/// Pretends that `_Zname` demangles to `name()`.
fn demangle(name: &[u8]) -> Option<String> {
    let rest = name.strip_prefix(b"_Z")?;
    Some(format!("{}()", String::from_utf8_lossy(rest)))
}

/// The script's assignment for a name: a version, `local`, `global`, or `-` for none.
fn says(script: &VersionScript, name: &str) -> String {
    match script.classify(name.as_bytes(), demangle) {
        Some(assignment) => script.describe(assignment),
        None => "-".to_owned(),
    }
}

#[test]
fn precedence() {
    let rows: [(&str, &[(&str, &str)]); 23] = [
        // lld: local, because of the later node.
        ("V1 { global: f*; }; V2 { local: fo*; };", &[("foo", "V1"), ("fob", "V1"), ("bar", "-")]),
        ("V1 { local: fo*; }; V2 { global: f*; };", &[("foo", "V2")]),
        ("V1 { global: f*; local: fo*; };", &[("foo", "V1")]),
        ("V1 { global: f*; }; V2 { global: fo*; };", &[("foo", "V2"), ("fa", "V1")]),
        ("V1 { global: fo*; }; V2 { global: f*; };", &[("foo", "V2")]),
        ("V1 { global: *; }; V2 { global: *; };", &[("foo", "V2")]),
        ("V1 { global: foo; }; V2 { global: foo; };", &[("foo", "V1")]),
        // GNU ld: an error. lld: V2, and V1 with a warning.
        ("V1 { local: *; }; V2 { global: *; };", &[("foo", "V2")]),
        ("V1 { global: foo; }; V2 { local: foo; };", &[("foo", "V1")]),
        ("V1 { global: f*; }; V2 { local: foo; };", &[("foo", "local"), ("fob", "V1")]),
        ("V1 { local: f*; }; V2 { global: *; };", &[("foo", "local"), ("bar", "V2")]),
        ("V1 { global: f?o; local: fo[o]; };", &[("foo", "V1")]),
        ("V1 { global: **; local: f**; };", &[("foo", "V1"), ("bar", "V1")]),
        ("V1 { }; V2 { global: foo; } V1;", &[("foo", "V2"), ("bar", "-")]),
        ("V1 { global: foo; local: *; };", &[("foo", "V1"), ("bar", "local"), ("", "local")]),
        ("{ global: foo; local: *; };", &[("foo", "global"), ("bar", "local")]),
        ("V1 { foo; bar; };", &[("foo", "V1"), ("bar", "V1"), ("baz", "-")]),
        ("{ };", &[("foo", "-")]),
        // As in GNU ld, a quoted name has no wildcards.
        ("V1 { \"foo*\"; foo2; };", &[("foo", "-"), ("foo*", "V1"), ("foo2", "V1")]),
        ("V1 { fo\\o; b\\*; local: *; };", &[("foo", "V1"), ("b*", "V1"), ("bx", "local")]),
        ("V1 { b[!a]?; ba[r-s]; };", &[("bar", "V1"), ("baz", "-"), ("bcc", "V1")]),
        // Names that are also labels.
        (
            "V1 { extern; global; local; bar; };",
            &[("extern", "V1"), ("global", "V1"), ("local", "V1"), ("bar", "V1")],
        ),
        (
            "V1 { global: a; local: b; global: c; local: *; };",
            &[("a", "V1"), ("b", "local"), ("c", "V1"), ("d", "local")],
        ),
    ];
    for (text, expected) in rows {
        let script = parse(text);
        for (name, version) in expected {
            assert_eq!(says(&script, name), *version, "{name} in {text}");
        }
    }
}

#[test]
fn languages() {
    let script = parse(
        "V1 { extern \"C++\" { ns::f*; \"g()\"; plain }; extern \"C\" { c; _Zh }; local: *; };\n\
         V2 { _Zns::f2; extern \"C++\" { h(); \"g()\"; }; };",
    );
    let rows = [
        ("_Zns::f1", "V1"),
        ("_Zns::f2", "V2"),
        ("_Zg", "V1"),
        ("_Zgg", "local"),
        // A name that does not demangle is compared as it is.
        ("plain", "V1"),
        ("ns::fx", "V1"),
        ("c", "V1"),
        // The exact name in the earlier node wins, whether C or C++.
        ("_Zh", "V1"),
    ];
    for (name, version) in rows {
        assert_eq!(says(&script, name), version, "{name}");
    }
}

#[test]
fn the_demangler_is_asked_only_for_cxx_patterns() {
    let script = parse("V1 { f*; local: *; };");
    let found = script.classify(b"_Zf", |_| panic!("no pattern needs a demangled name"));
    assert_eq!(found, Some(Assignment::Local));
}

#[test]
fn forms_that_are_accepted() {
    let rows = [
        "V1 { foo; local: *; };",
        "V1 { local: *; global: foo; };",
        "{ foo; local: *; };",
        "VERSION { V1 { global: foo; }; }",
        "VERSION { { foo; local: *; }; };",
        "VERSION { global: foo; };",
        "VERSION { foo; };",
        "# comment\n{ /* { */ foo; # };\n }; \n",
        "V1 { extern \"C\" { extern \"C++\" { foo }; bar }; };",
        "V-1 {foo;};2.0{bar;}V-1;",
    ];
    for text in rows {
        assert_ne!(says(&parse(text), "foo"), "-", "{text}");
    }
    assert_eq!(says(&parse("VERSION { foo; };"), "foo"), "VERSION");
    assert_eq!(says(&parse("VERSION { V1 { foo; }; }"), "foo"), "V1");
}

#[test]
fn nodes_and_parents() {
    let script = parse("A { };\nB { x; } A;\n\nC { y; } B A;");
    let nodes: Vec<_> = script
        .nodes
        .iter()
        .map(|n| {
            (String::from_utf8_lossy(&n.name).into_owned(), n.index, n.parents.clone(), n.line)
        })
        .collect();
    assert_eq!(
        nodes,
        [
            ("A".to_owned(), 2, vec![], 1),
            ("B".to_owned(), 3, vec![2], 2),
            ("C".to_owned(), 4, vec![3, 2], 4)
        ]
    );
}

#[test]
fn exact_names_have_their_lines() {
    let script = parse("V1 {\n foo; f*;\n local:\n \"b*\";\n extern \"C++\" {\n  ns::f;\n };\n};");
    let exact: Vec<_> = script
        .exact_names()
        .iter()
        .map(|e| (String::from_utf8_lossy(&e.name).into_owned(), e.cxx, e.assignment, e.line))
        .collect();
    assert_eq!(
        exact,
        [
            ("foo".to_owned(), false, Assignment::Global(2), 2),
            ("b*".to_owned(), false, Assignment::Local, 4),
            ("ns::f".to_owned(), true, Assignment::Local, 6),
        ]
    );
    assert_eq!(script.find(b"b*", demangle).and_then(|found| found.exact), Some(ExactId::new(1)));
    assert_eq!(script.find(b"fx", demangle).map(|found| found.exact), Some(None));
}

#[test]
fn contradictions_are_told() {
    let contradictions = |text: &str| -> Vec<String> {
        let script = parse(text);
        script.exact_names().iter().filter_map(|exact| exact.contradiction.clone()).collect()
    };
    assert_eq!(
        contradictions("V1 { foo; bar; };\nV2 { foo; local: bar; };\nV3 { local: baz; };"),
        [
            "s.ver:2: attempt to reassign symbol 'foo' of version 'V1' to 'V2'",
            "s.ver:2: attempt to reassign symbol 'bar' of version 'V1' to 'local'",
        ]
    );
    assert!(contradictions("V1 { foo; foo; local: *; }; V2 { local: *; };").is_empty());
}

#[test]
fn scripts_are_joined() {
    let first = parse("{ foo; };");
    let second = parse("{ bar; local: *; };");
    let third = VersionScript::parse("t.ver", b"V1 { baz; };").unwrap();
    let joined = VersionScript::join(vec![first, second, third.clone()]).unwrap();
    for (name, version) in [("foo", "global"), ("bar", "global"), ("baz", "V1"), ("x", "local")] {
        assert_eq!(says(&joined, name), version);
    }
    let twice = VersionScript::join(vec![third.clone(), third]).expect_err("V1 is there twice");
    assert_eq!(twice.0, "t.ver:1: duplicate version node 'V1'");
}

#[test]
fn errors_name_file_and_line() {
    let rows = [
        ("V1 { foo bar; };", "s.ver:1: expected ';' after 'foo', found 'bar'"),
        ("V1 {\n foo, bar; };", "s.ver:2: expected ';' after 'foo', found ','"),
        ("", "s.ver:1: expected version node, found end of file"),
        ("# nothing\n", "s.ver:2: expected version node, found end of file"),
        ("V1 {\n foo;", "s.ver:2: expected symbol name or '}', found end of file"),
        ("V1 foo;", "s.ver:1: expected '{', found 'foo'"),
        ("V1 { foo: };", "s.ver:1: expected ';' after 'foo', found ':'"),
        ("V1 { }; };", "s.ver:1: expected version node, found '}'"),
        ("\n;", "s.ver:2: expected version node, found ';'"),
        ("V1 { foo; }", "s.ver:1: expected ';', found end of file"),
        ("VERSION { V1 { foo; } }", "s.ver:1: expected ';', found '}'"),
        ("V1 { }; V2 { } V1", "s.ver:1: expected ';', found end of file"),
        ("V1 { foo; bar };", "s.ver:1: expected ';' after 'bar', found '}'"),
        ("V1 { extern \"C\" { foo; } };", "s.ver:1: expected ';', found '}'"),
        ("V1 { foo;; };", "s.ver:1: expected symbol name or '}', found ';'"),
        ("{ foo; } V1;", "s.ver:1: expected ';', found 'V1'"),
        ("V1 { extern \"Java\" { a; }; };", "s.ver:1: unknown language \"Java\" in extern block"),
        (
            "V1 { extern \"C\" { local: a; }; };",
            "s.ver:1: expected symbol name in extern block, found 'local'",
        ),
        ("V1 { };\nV1 { };", "s.ver:2: duplicate version node 'V1'"),
        ("V1 { } V0;", "s.ver:1: unable to find version dependency 'V0'"),
        ("V1 { } V1;", "s.ver:1: unable to find version dependency 'V1'"),
        (
            "V1 { };\n{ };",
            "s.ver:2: anonymous version node cannot be combined with other version nodes",
        ),
        ("VERSION { V1 { };", "s.ver:1: expected '}', found end of file"),
        ("VERSION { V1 { }; } x", "s.ver:1: expected end of file, found 'x'"),
        ("V1 { /* foo", "s.ver:1: unclosed comment"),
    ];
    for (text, message) in rows {
        assert_eq!(parse_error(text).lines().next(), Some(message), "{text}");
    }
}

#[test]
fn many_nodes_and_deep_nesting() {
    let nodes: String = (0..40_000).map(|n| format!("V{n} {{ }};")).collect();
    assert!(parse_error(&nodes).ends_with("too many version nodes"));
    let deep = format!("{{ {} a; {} }};", "extern \"C\" {".repeat(100_000), "};".repeat(100_000));
    assert_eq!(says(&parse(&deep), "a"), "global");
}

proptest! {
    #[test]
    fn no_input_panics(text: Vec<u8>, name: Vec<u8>) {
        if let Ok(script) = VersionScript::parse("s.ver", &text) {
            script.classify(&name, demangle);
        }
    }

    #[test]
    fn no_tokens_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "V1", "V2", "VERSION", "{", "}", ";", ":", "global", "local", "extern", "\"C++\"",
                "*", "f*", "foo", "/*", "*/", "#", "\n", ",", "\"f\"",
            ]),
            0..24,
        ),
        name in "[fo_Z]{0,4}",
    ) {
        if let Ok(script) = VersionScript::parse("s.ver", words.join(" ").as_bytes()) {
            let found = script.find(name.as_bytes(), demangle);
            if let Some(Match { exact: Some(exact), assignment }) = found {
                prop_assert_eq!(script.exact_names()[exact].assignment, assignment);
            }
        }
    }
}
