//! Finds facts of one output that differ from those of the peers' outputs from the same inputs.
//!
//! An output is correct if each fact is also a fact of GNU ld's output or of lld's: where the two
//! agree there is no choice, and where they differ either is accepted. A peer that did not make the
//! output, or whose output lacks the whole subject, does not count for the subject's attributes;
//! the existence of the subject is a separate fact.

use super::{Description, Subject};
use std::collections::BTreeSet;

/// The pseudo-attribute for the existence of the subject.
pub const THERE: &str = "there at all";

/// A fact of our output that no peer's output shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The subject of the fact.
    pub subject: Subject,
    /// Which attribute of the subject differs.
    pub attribute: &'static str,
    /// The value in our output.
    pub ours: String,
    /// The value in GNU ld's output, if it has one.
    pub gnu: Option<String>,
    /// The value in lld's output, if it has one.
    pub lld: Option<String>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Subject { kind, name } = &self.subject;
        write!(f, "{kind} {name}: {}: {}", self.attribute, self.ours)?;
        for (peer, value) in [("ld", &self.gnu), ("lld", &self.lld)] {
            if let Some(value) = value {
                write!(f, " | {peer}: {value}")?;
            }
        }
        Ok(())
    }
}

/// The facts of `ours` that neither peer shares.
pub fn find(
    ours: &Description,
    gnu: Option<&Description>,
    lld: Option<&Description>,
) -> Vec<Difference> {
    let all = [Some(ours), gnu, lld];
    let subjects: BTreeSet<&Subject> =
        all.iter().flatten().flat_map(|description| description.subjects()).collect();
    let mut found = Vec::new();
    for subject in subjects {
        let is_there = |d: &Description| if d.has(subject) { "yes" } else { "no" }.to_owned();
        let mut compare = |attribute, values: [Option<String>; 3]| {
            let [Some(ours), gnu, lld] = values else { return };
            let is_shared = gnu.as_ref() == Some(&ours) || lld.as_ref() == Some(&ours);
            if !is_shared && (gnu.is_some() || lld.is_some()) {
                found.push(Difference { subject: subject.clone(), attribute, ours, gnu, lld });
            }
        };
        compare(THERE, all.map(|description| description.map(is_there)));
        let having = all.map(|description| description.filter(|d| d.has(subject)));
        let attributes: BTreeSet<&'static str> =
            having.iter().flatten().flat_map(|d| d.attributes(subject)).collect();
        for attribute in attributes {
            let value = |d: &Description| {
                d.value(subject, attribute).unwrap_or_else(|| "nothing".to_owned())
            };
            compare(attribute, having.map(|description| description.map(value)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Difference, THERE, find};
    use crate::structure::Description;

    fn described(facts: &[(&'static str, &'static str, &'static str)]) -> Description {
        let mut description = Description::default();
        for (name, attribute, value) in facts {
            description.add("export", *name, attribute, *value);
        }
        description
    }

    fn texts(found: &[Difference]) -> Vec<String> {
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn one_peer_is_enough_and_an_absent_one_says_nothing() {
        let ours = described(&[("f", "size", "8"), ("f", "bind", "WEAK"), ("own", "size", "1")]);
        let gnu = described(&[("f", "size", "8"), ("f", "bind", "GLOBAL")]);
        let lld = described(&[("f", "size", "4"), ("f", "bind", "GLOBAL"), ("g", "size", "1")]);
        let expected = [
            "export f: bind: WEAK | ld: GLOBAL | lld: GLOBAL".to_owned(),
            format!("export own: {THERE}: yes | ld: no | lld: no"),
        ];
        assert_eq!(texts(&find(&ours, Some(&gnu), Some(&lld))), expected);
        assert!(find(&ours, None, None).is_empty());
        let missing = texts(&find(&ours, None, Some(&lld)));
        assert!(missing.contains(&format!("export g: {THERE}: no | lld: yes")), "{missing:?}");
    }

    #[test]
    fn what_is_said_twice_counts_twice() {
        let ours = described(&[("f", "bind", "WEAK"), ("f", "bind", "GLOBAL")]);
        let same = described(&[("f", "bind", "GLOBAL"), ("f", "bind", "WEAK")]);
        let once = described(&[("f", "bind", "GLOBAL")]);
        assert!(find(&ours, Some(&same), None).is_empty());
        assert_eq!(find(&ours, Some(&once), None).len(), 1);
    }
}
