//! The directives, and the kinds of cases in which each has an effect. A case about a link that
//! must fail, or about damaged inputs, has no output, so only directives about messages apply. A
//! directive without effect is a mistake in the case, because its author believes that it is
//! checked.

use crate::Result;
use crate::case::{Case, Variant};
use crate::record::TABLES;

/// How the link of a case is meant to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The link succeeds.
    Output,
    /// It fails with messages: `expect-error`, `error-text`.
    Messages,
    /// `corrupt`: many links of damaged files, of which only the exit status counts.
    Damaged,
}

impl Ending {
    /// The ending that the directives of the case state.
    pub fn of(case: &Case, variant: &Variant) -> Ending {
        let has = |name| case.directives_for(variant, name).next().is_some();
        match (has("corrupt"), has("expect-error") || has("error-text")) {
            (true, _) => Ending::Damaged,
            (false, true) => Ending::Messages,
            (false, false) => Ending::Output,
        }
    }

    /// The reason in the message about a directive that has no effect with this ending.
    fn because(self) -> &'static str {
        match self {
            Ending::Output => "the link succeeds",
            Ending::Messages => "the link fails",
            Ending::Damaged => "the inputs are damaged",
        }
    }
}

use Ending::{Damaged, Messages, Output};

/// All directives except those for tables, and the endings with which each has an effect.
const DIRECTIVES: &[(&str, &[Ending])] = &[
    ("archive", &[Output, Messages, Damaged]),
    ("bytes", &[Output]),
    ("cc", &[Output, Messages, Damaged]),
    ("check", &[Output]),
    ("compile", &[Output, Messages, Damaged]),
    ("contains", &[Output]),
    ("corrupt", &[Damaged]),
    ("disasm", &[Output]),
    ("driver", &[Output, Messages, Damaged]),
    ("error-text", &[Messages]),
    ("expect-error", &[Messages]),
    ("file-matches", &[Output, Messages]),
    ("link", &[Output, Messages, Damaged]),
    ("lint-except", &[Output]),
    ("look-at", &[Output]),
    ("machine", &[Output, Messages, Damaged]),
    ("machines", &[Output, Messages, Damaged]),
    ("no-contains", &[Output]),
    ("no-disasm", &[Output]),
    ("no-error", &[Messages]),
    ("no-file-matches", &[Output, Messages]),
    ("no-run", &[Output]),
    ("no-says", &[Output, Messages]),
    ("no-stdout", &[Output, Messages]),
    ("no-warning", &[Output]),
    ("peers", &[Output, Messages, Damaged]),
    ("relocatable", &[Output, Messages, Damaged]),
    ("repeat-except", &[Output]),
    ("requires", &[Output, Messages, Damaged]),
    ("run", &[Output]),
    ("same-as", &[Output]),
    ("says", &[Output, Messages]),
    ("sh", &[Output, Messages, Damaged]),
    ("shared", &[Output, Messages, Damaged]),
    ("stdout", &[Output, Messages]),
    ("warning", &[Output]),
    ("word", &[Output]),
    ("word16", &[Output]),
    ("word32", &[Output]),
    ("word64", &[Output]),
    ("word8", &[Output]),
];

/// The endings with which the directive `name` has an effect; `None` for an unknown directive.
fn endings(name: &str) -> Option<&'static [Ending]> {
    if TABLES.contains(&name.strip_prefix("no-").unwrap_or(name)) {
        return Some(&[Output]);
    }
    DIRECTIVES.iter().find(|(known, _)| *known == name).map(|(_, endings)| *endings)
}

/// Fails if a directive is unknown, or has no effect in `variant`.
pub fn check(case: &Case, variant: &Variant) -> Result<()> {
    let ending = Ending::of(case, variant);
    for directive in &case.directives {
        let (line, name) = (directive.line, directive.name.as_str());
        let endings =
            endings(name).ok_or_else(|| format!("line {line}: unknown directive {name}"))?;
        if directive.applies_to(variant) && !endings.contains(&ending) {
            let because = ending.because();
            return Err(format!("line {line}: {name} is never looked at: {because}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::case::Case;

    fn checked(text: &str) -> Vec<Result<(), String>> {
        let case = Case::parse("area/x", "s", text).unwrap();
        case.variants.iter().map(|variant| check(&case, variant)).collect()
    }

    #[test]
    fn dead_directives_are_mistakes() {
        let error = |text| checked(text).remove(0).unwrap_err();
        let dead = error("//# expect-error: no\n//# run\n");
        assert_eq!(dead, "line 2: run is never looked at: the link fails");
        let dead = error("//# no-section: .x\n//# corrupt: truncate a.o 1\n");
        assert_eq!(dead, "line 1: no-section is never looked at: the inputs are damaged");
        assert!(error("//# corrupt: truncate a.o 1\n//# expect-error: no\n").contains("line 2"));
        assert!(error("//# no-error: x\n//# run\n").contains("the link succeeds"));
        assert!(error("//# rnu\n").contains("unknown directive rnu"));
    }

    #[test]
    fn each_variant_has_an_ending_of_its_own() {
        let start = "//# variant: a\n//# variant: b\n//# @b expect-error: no\n";
        assert_eq!(checked(&format!("{start}//# @a run\n//# @b no-error: x\n")), [Ok(()), Ok(())]);
        let both = checked(&format!("{start}//# run\n"));
        assert!(both[0].is_ok() && both[1].is_err());
    }
}
