//! `testdata/options.txt`: options that real builds pass to GNU ld, lld, mold and wild. Every line
//! must be accepted without a warning.

use super::parse;

const LISTED: &str = include_str!("../testdata/options.txt");

#[test]
fn every_listed_invocation_is_accepted() {
    let mut keywords = false;
    let mut count = 0;
    for line in LISTED.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            keywords |= heading.contains("-z keywords");
            continue;
        }
        let Some(invocation) = line.split(" | ").next().filter(|text| !text.is_empty()) else {
            continue;
        };
        count += 1;
        let mut words: Vec<&str> = if keywords { vec!["-z"] } else { vec![] };
        words.extend(invocation.split_whitespace());
        // An option that is only for libraries is refused for other outputs.
        words.extend((invocation == "--no-define-common").then_some("-shared"));
        words.push("probe.o");
        let parsed = parse(&words).unwrap_or_else(|error| panic!("{invocation}: {error}"));
        assert_eq!(parsed.warnings, [] as [&str; 0], "{invocation}");
    }
    assert_eq!(count, 443);
}
