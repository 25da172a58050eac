//! `testdata/options.txt`: what real builds pass to GNU ld, lld, mold and wild. Every line must be
//! accepted without a warning.

use super::parse;

const LISTED: &str = include_str!("../testdata/options.txt");

/// Options that may be refused, if the message says that they are not supported yet.
const NOT_YET: [&str; 1] = ["--debug-names"];

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
        // An option that means something for libraries alone is refused for other outputs.
        words.extend((invocation == "--no-define-common").then_some("-shared"));
        words.push("probe.o");
        match parse(&words) {
            Ok(parsed) => assert_eq!(parsed.warnings, [] as [&str; 0], "{invocation}"),
            Err(error) => {
                assert!(NOT_YET.contains(&invocation), "{invocation}: {error}");
                assert!(error.0.ends_with("not supported yet"), "{invocation}: {error}");
            }
        }
    }
    assert_eq!(count, 443);
}
