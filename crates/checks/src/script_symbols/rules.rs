//! The cells in which skald differs from GNU ld: intended differences and known bugs, with reasons.

use super::cells::{Cell, Form, Place, Position};
use super::inputs::Definer;
use crate::random_scripts::compare::Difference;
use crate::random_scripts::rules::is_moved_by_alignment;

/// A cell that differs.
pub struct Found<'a> {
    /// How the symbol is assigned.
    pub form: &'a Form,
    /// The place of the expression that uses it.
    pub place: &'a Place,
    /// Which cell it is.
    pub cell: &'a Cell,
    /// What differs in it.
    pub differences: &'a [Difference],
}

/// A kind of difference.
pub struct Rule {
    /// What differs.
    pub name: &'static str,
    /// Why it does.
    pub reason: &'static str,
    /// The difference is intended; otherwise it is a known bug.
    pub is_meant: bool,
    applies: fn(&Found<'_>) -> bool,
}

/// The version of GNU ld that cells are compared with.
pub const GNU_VERSION: &str = "2.40";

impl Found<'_> {
    fn is_form(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.form.name.contains(word))
    }

    fn is_place(&self, names: &[&str]) -> bool {
        names.contains(&self.place.name)
    }

    fn ours_says(&self, text: &str) -> bool {
        self.differences.iter().any(|d| d.kind == "link" && d.ours.contains(text))
    }

    /// Whether an assignment of the form stands behind objects, in the script or on the command
    /// line.
    fn is_behind_objects(&self) -> bool {
        let behind =
            |(at, _): &(Position, &str)| matches!(at, Position::InputAfter | Position::OptionAfter);
        self.form.statements.iter().any(behind)
            || self.place.options.iter().any(|option| option.contains("defsym"))
    }

    fn is_definer(&self, definers: &[Definer]) -> bool {
        definers.contains(&self.cell.definer)
    }
}

/// All rules; the first that applies counts.
pub const RULES: &[Rule] = &[
    Rule {
        name: "addresses that depend on themselves",
        reason: "an error, as they cannot all hold; GNU ld stops after one pass",
        is_meant: true,
        applies: |f| f.ours_says("do not settle"),
    },
    Rule {
        name: "regions, program headers and alignments made of addresses",
        reason: "they are made of final addresses, as lld's; GNU ld evaluates them before sections \
                 have addresses, and links with what it calls invalid",
        is_meant: true,
        applies: |f| {
            f.is_place(&[
                "origin",
                "length",
                "phdrs_at",
                "phdrs_flags",
                "subalign",
                "section_align",
            ])
        },
    },
    Rule {
        name: "PROVIDE_HIDDEN of what an object defines",
        reason: "it does not hold, so the symbol is not hidden, as in lld; GNU ld hides it",
        is_meant: true,
        applies: |f| f.is_form(&["provide_hidden"]) && hides_in_gnu(f.differences),
    },
    Rule {
        name: "PROVIDE before the object that defines the symbol",
        reason: "the object's definition holds wherever it stands, as in lld; GNU ld provides the \
                 symbol if a reference to it is read before the object",
        is_meant: true,
        applies: |f| f.is_form(&["provide"]) && is_in_object(f.cell.definer),
    },
    Rule {
        name: "two PROVIDEs of one symbol",
        reason: "the first holds, as in lld; in GNU ld a reference between them decides",
        is_meant: true,
        applies: |f| f.form.name == "two_provides",
    },
    Rule {
        name: "archives before the script that needs them",
        reason: "a member is taken wherever its archive stands, as by lld",
        is_meant: true,
        applies: |f| f.is_definer(&[Definer::Member]) && f.is_behind_objects(),
    },
    Rule {
        name: "the global offset table",
        reason: "an expression that names it makes it, as in lld, and a symbol that is assigned is \
                 like any other; in GNU ld it exists if an object needs it, and stays hidden",
        is_meant: true,
        applies: |f| f.is_definer(&[Definer::Got]),
    },
    Rule {
        name: "hidden symbols in .dynsym",
        reason: "a hidden symbol is not exported; GNU ld exports one that becomes hidden late",
        is_meant: true,
        applies: |f| {
            let is_late = |d: &Difference| d.theirs.ends_with("own") && d.ours == "nothing";
            f.differences.iter().all(|d| d.object.starts_with("dynamic") && is_late(d))
        },
    },
    Rule {
        name: "numbers that keep their value",
        reason: "k = k changes nothing, as in lld; GNU ld adds the address of the section that it \
                 stands in",
        is_meant: true,
        applies: |f| {
            let is_number = [Definer::AbsoluteBefore, Definer::AbsoluteAfter];
            f.is_form(&["defined_or"]) && f.is_definer(&is_number)
        },
    },
    Rule {
        name: "undefined names of ENTRY and EXTERN",
        reason: "they are no symbols of a program, as in lld; GNU ld lists them as undefined",
        is_meant: true,
        applies: |f| {
            f.is_place(&["entry", "extern", "undefined"])
                && f.differences.iter().all(|d| d.kind == "symbol")
        },
    },
    Rule {
        name: "addresses in outputs with a dynamic linker",
        reason: "the linkers' own sections before them have other sizes",
        is_meant: true,
        applies: |f| {
            // The value subtracted from the location counter stands before these sections.
            let is_distance = f.is_place(&["difference"]) && f.is_form(&["dot"]);
            let least = if is_distance { 0 } else { 0x1_0000 };
            f.differences.iter().all(|d| d.attribute == "place" && is_moved(d, least))
        },
    },
    Rule {
        name: "bounds of sections that a version script names",
        reason: "they are exported from a library whatever refers to them, as by lld; GNU ld \
                 exports them if an object or a PROVIDE names them, too",
        is_meant: true,
        applies: |f| {
            f.form.name == "nothing" && f.is_definer(&[Definer::Bound]) && f.is_place(&["version"])
        },
    },
    Rule {
        name: "load addresses behind sections that are not there",
        reason: "they keep their distance from addresses, as in lld; in GNU ld the alignment of an \
                 empty section of its own, which is not in the output, adds to it",
        is_meant: true,
        applies: |f| {
            let is_such = |d: &Difference| d.kind == "segment" || is_moved_by_alignment(d);
            f.is_place(&["at"]) && f.differences.iter().all(is_such)
        },
    },
    Rule {
        name: "PROVIDE of a bound behind the objects",
        reason: "the bound holds wherever the script stands; in GNU ld it is provided if an object \
                 before the script refers to it, which makes the order of files matter",
        is_meant: true,
        applies: |f| {
            f.form.name == "input_provide_after"
                && f.is_definer(&[Definer::Bound])
                && f.cell.is_wanted
        },
    },
    Rule {
        name: "DEFINED of what a script behind the library assigns",
        reason: "an assignment takes the place of what a library defines, wherever the script \
                 stands; in GNU ld DEFINED holds if the library stands before the script",
        is_meant: true,
        applies: |f| {
            f.form.name == "input_after"
                && f.is_definer(&[Definer::Library])
                && f.place.name.starts_with("defined")
        },
    },
];

/// Whether a symbol has another value in the same section, or as an absolute one, by less than a
/// page, because the content before it is larger in one of the outputs. Values below `least` are no
/// addresses.
fn is_moved(difference: &Difference, least: u64) -> bool {
    let parts = |text: &str| {
        let (section, rest) = text.split_once("+0x")?;
        let (value, kind) = rest.split_once(' ')?;
        let value = u64::from_str_radix(value, 16).ok()?;
        Some((section.to_owned(), value, kind.to_owned()))
    };
    match (parts(&difference.ours), parts(&difference.theirs)) {
        (Some(ours), Some(theirs)) => {
            (&ours.0, &ours.2) == (&theirs.0, &theirs.2)
                && ours.1.min(theirs.1) >= least
                && ours.1.abs_diff(theirs.1) < 0x1000
        }
        _ => false,
    }
}

fn is_in_object(definer: Definer) -> bool {
    matches!(
        definer,
        Definer::AbsoluteAfter
            | Definer::DataAfter
            | Definer::Function
            | Definer::Hidden
            | Definer::Member
            | Definer::Common
            | Definer::Weak
    )
}

/// Whether symbols differ only in being hidden in GNU ld's output.
fn hides_in_gnu(differences: &[Difference]) -> bool {
    let is_hidden = |d: &Difference| match &*d.attribute {
        "binding" => d.theirs == "own",
        "visibility" => d.theirs == "nothing",
        // Section, value and type are the same, or the symbol is not exported.
        "place" => {
            let own: Vec<&str> = d.ours.split(' ').take(2).collect();
            let is_exported = !d.object.starts_with("dynamic ");
            d.theirs == format!("{} own", own.join(" ")) || !is_exported && d.theirs == "nothing"
        }
        _ => false,
    };
    differences.iter().all(is_hidden)
}

/// The rule that explains the differences of a cell.
pub fn find(found: &Found<'_>) -> Option<usize> {
    RULES.iter().position(|rule| (rule.applies)(found))
}
