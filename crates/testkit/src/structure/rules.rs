//! The differences to both peers that are meant to be, each with its reason.
//!
//! A rule looks at what differs and how it was linked, never at which case it was: it holds for every
//! program. A rule that a run over all cases does not need is an error of the run.

use super::difference::{Difference, THERE};

/// How the output was made.
#[derive(Debug, Clone, Default)]
pub struct Link {
    /// The command.
    pub command: String,
}

/// A difference that is meant to be.
#[derive(Debug)]
pub struct Rule {
    /// What it is called in the summary.
    pub name: &'static str,
    /// Why it is right.
    pub why: &'static str,
    applies: fn(&Difference, &Link) -> bool,
}

/// All rules.
pub const RULES: &[Rule] = &[
    Rule {
        name: "no empty tables",
        why: "a PLT and its slots are there only if something is called through them",
        applies: |d, _| d.is_absent(&["section .plt", "section .got.plt", "tag PLTGOT"]),
    },
    Rule {
        name: "PLT with slots of .got",
        why: "functions that are bound at once, or of which the address is taken, have their entries in \
              .plt.got, as with GNU ld; lld, and GNU ld in some links, has them in .plt or .iplt",
        applies: |d, _| {
            d.is_present(&["section .plt.got"])
                || d.is_absent(&["section .rela.plt", "section .iplt", "tag JMPREL"])
                || d.is(&["symbol"]) && d.attribute == "section" && d.ours == ".plt.got"
        },
    },
    Rule {
        name: "stricter alignment",
        why: "an address that is a multiple of more is still one of less",
        applies: |d, _| {
            let number = |text: &String| text.parse::<u64>().ok();
            let all = [d.gnu.as_ref(), d.lld.as_ref()].into_iter().flatten();
            let ours = number(&d.ours).unwrap_or(0);
            d.attribute == "align" && all.filter_map(number).all(|n| ours.is_multiple_of(n.max(1)))
        },
    },
    Rule {
        name: "fewer permissions",
        why: "what is only read is not executable because there is code beside it",
        applies: |d, _| {
            let ours: Vec<&str> = d.ours.split("; ").collect();
            d.attribute == "loaded"
                && d.peers().all(|peer| {
                    let theirs = peer.split("; ").last().unwrap_or_default();
                    ours.iter().all(|flags| flags.chars().all(|flag| theirs.contains(flag)))
                })
        },
    },
    Rule {
        name: "lld has no program properties",
        why: "lld reads them only for what they say of branches; GNU ld, which refuses the link, joins them",
        applies: |d, _| {
            let subjects = ["note GNU 0x5", "section .note.gnu.property", "segment GNU_PROPERTY"];
            d.gnu.is_none() && (d.is_present(&subjects) || d.is(&["segment NOTE"]))
        },
    },
    Rule {
        name: "lld's alignments",
        why: "tables of versions and hashes are aligned as GNU ld does it",
        applies: |d, _| d.gnu.is_none() && d.attribute == "align",
    },
    Rule {
        name: "lld's kinds of slots",
        why: "a function that is bound at once has a slot of .got and not of .got.plt, as with GNU ld, which \
              refuses the link",
        applies: |d, _| d.gnu.is_none() && d.is(&["relocation JUMP_SLOT"]),
    },
    Rule {
        name: "lld's empty sections",
        why: "sections without contents are not kept unless something refers to them, as with GNU ld, which \
              refuses the link",
        applies: |d, _| {
            d.gnu.is_none() && d.is_absent(&["section .data", "section .bss", "section .text"])
        },
    },
    Rule {
        name: "lld's types of imports",
        why: "an import has the type that objects give it, as with GNU ld, which refuses the link; lld takes \
              that of the library",
        applies: |d, _| d.gnu.is_none() && d.is(&["import"]) && d.attribute == "type",
    },
    Rule {
        name: "names of what GNU ld's script defines",
        why: "symbols that nothing refers to are left out, as with lld, which refuses the link",
        applies: |d, _| {
            let names = ["symbol __bss_start", "symbol _edata", "symbol _end", "symbol V1"];
            d.lld.is_none() && d.is_absent(&names)
        },
    },
    Rule {
        name: "symbols of the C library's files",
        why: "hidden symbols of crt1.o and its like are local, as with lld, which refuses the link",
        applies: |d, _| {
            let names =
                ["symbol _init", "symbol _fini", "symbol __dso_handle", "symbol __TMC_END__"];
            let names = [&names[..], &["symbol _dl_relocate_static_pie"]].concat();
            d.lld.is_none() && d.is_absent(&names)
        },
    },
    Rule {
        name: "lld's sections and segments",
        why: "PT_PHDR and PT_GNU_STACK are in every program, the end of RELRO is a section, and empty \
              sections that a symbol needs stay: lld's ways, though it refuses this link",
        applies: |d, _| {
            let subjects = [
                "section .relro_padding",
                "section .tm_clone_table",
                "section .comment",
                "segment PHDR",
                "segment GNU_STACK",
            ];
            d.lld.is_none() && d.is_present(&subjects)
        },
    },
    Rule {
        name: "a terminator alone",
        why: "an .eh_frame of nothing but the end that crtend.o brings describes nothing",
        applies: |d, _| {
            d.is_absent(&["section .eh_frame", "section .eh_frame_hdr", "segment GNU_EH_FRAME"])
        },
    },
    Rule {
        name: "versions are no symbols",
        why: "GNU ld defines an absolute symbol for each version; nothing looks for it",
        applies: |d, _| {
            let name = d.subject.name.split("@@").collect::<Vec<_>>();
            d.attribute == THERE
                && d.ours == "no"
                && d.subject.kind == "export"
                && matches!(name[..], [name, version] if name == version)
        },
    },
];

impl Difference {
    /// What the peers say.
    fn peers(&self) -> impl Iterator<Item = &String> {
        [self.gnu.as_ref(), self.lld.as_ref()].into_iter().flatten()
    }

    /// Whether it is about one of `subjects`: a kind and a name, or their beginning up to a word's end.
    fn is(&self, subjects: &[&str]) -> bool {
        let text = format!("{} {} ", self.subject.kind, self.subject.name);
        subjects.iter().any(|subject| text.starts_with(&format!("{subject} ")))
    }

    /// Whether one of `subjects` is missing that peers have.
    fn is_absent(&self, subjects: &[&str]) -> bool {
        self.attribute == THERE && self.ours == "no" && self.is(subjects)
    }

    /// Whether there is one of `subjects` that peers do not have.
    fn is_present(&self, subjects: &[&str]) -> bool {
        self.attribute == THERE && self.ours == "yes" && self.is(subjects)
    }
}

/// The index of the rule that explains `difference`, if there is one.
pub fn explanation(difference: &Difference, link: &Link) -> Option<usize> {
    RULES.iter().position(|rule| (rule.applies)(difference, link))
}
