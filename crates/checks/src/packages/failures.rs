//! The failures of a build, read from its log, in words that do not differ from build to build.
//!
//! They are the names of failing tests, as the usual test runners print them; if there are none,
//! the last errors.

use regex::Regex;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

/// Patterns of test runners, each with one group: the name of a test that failed.
const RUNNERS: [&str; 8] = [
    // Automake, Python's unittest.
    r"^(?:FAIL|ERROR|XPASS): ?(\S.*)$",
    // TAP.
    r"^\s*not ok \d*[ -]*(\S.*)$",
    // Go.
    r"^\s*--- FAIL: (\S+)",
    // Meson.
    r"^ *\d+/\d+ +(.*\S) +(?:FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS)\b",
    // CTest.
    r"^\s*\d+ - (\S+) \(",
    // pytest.
    r"^(?:FAILED|ERROR) (\S+\.py\S*)",
    // Perl's prove.
    r"^(\S+\.t) +\(Wstat",
    // GoogleTest.
    r"^\[ +FAILED +\] (\S*[A-Za-z]\S*)",
];

/// Number of last errors that are reported of a build without failing tests.
const LAST_ERRORS: usize = 2;

/// Number of failures that are reported.
const TOLD: usize = 3;

static NAMES: LazyLock<Vec<Regex>> = LazyLock::new(|| RUNNERS.map(pattern).into());
static ERROR: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\berror\b|undefined reference"));
/// What differs from build to build: numbers, times, and the names of temporary files.
static CHANGING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"/tmp/\S+|0x[0-9a-f]+|[0-9]+(?:\.[0-9]+)?"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern")
}

/// Failures of a build.
pub struct Failures(BTreeSet<String>);

impl Failures {
    /// The failures that `log` shows.
    pub fn of(log: &str) -> Failures {
        let mut found: BTreeSet<String> = BTreeSet::new();
        for line in log.lines() {
            let name = NAMES.iter().find_map(|runner| runner.captures(line));
            found.extend(name.map(|groups| groups[1].trim().to_owned()));
        }
        if found.is_empty() {
            let errors = log.lines().rev().filter(|line| ERROR.is_match(line)).take(LAST_ERRORS);
            found.extend(errors.map(|line| CHANGING.replace_all(line.trim(), "N").into_owned()));
        }
        if found.is_empty() {
            let last = log.lines().next_back().unwrap_or_default();
            found.insert(CHANGING.replace_all(last, "N").into_owned());
        }
        Failures(found)
    }

    /// The failures that are not among `known`.
    pub fn without(&self, known: &Failures) -> Failures {
        Failures(self.0.difference(&known.0).cloned().collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<&str> = self.0.iter().take(TOLD).map(String::as_str).collect();
        write!(f, "{}", told.join("; "))?;
        match self.0.len().saturating_sub(TOLD) {
            0 => Ok(()),
            more => write!(f, "; {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests() {
        let log = "FAIL: one.sh\nPASS: two\nnot ok 3 - three\n--- FAIL: TestFour (0.00s)\n\
                   \t  5 - five (Failed)\n 6/9 suite / six   FAIL   0.01s exit status 1\n\
                   FAILED tests/test_seven.py::test - x\n[  FAILED  ] Eight.Nine (3 ms)\n\
                   t/ten.t  (Wstat: 256 Tests: 3 Failed: 1)\n";
        let expected = ["Eight.Nine", "TestFour", "five", "one.sh", "suite / six", "t/ten.t"];
        let found = Failures::of(log);
        assert!(expected.iter().all(|name| found.0.contains(*name)), "{:?}", found.0);
        assert!(found.0.contains("tests/test_seven.py::test") && found.0.contains("three"));
        assert_eq!(found.0.len(), 8);
    }

    #[test]
    fn errors_where_no_test_failed() {
        let one = Failures::of(
            "cc main.c\n/tmp/ccX1.o: undefined reference to f\nmake: *** [all] Error 1\n",
        );
        let other = Failures::of(
            "cc main.c\n/tmp/ccY2.o: undefined reference to f\nmake: *** [all] Error 1\n",
        );
        assert!(!one.is_empty() && one.without(&other).is_empty());
        let third =
            Failures::of("/tmp/ccX1.o: undefined reference to g\nmake: *** [all] Error 1\n");
        assert!(!one.without(&third).is_empty());
    }
}
