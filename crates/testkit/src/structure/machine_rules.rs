//! The intended differences from both peers that outputs of one machine have. Like those of
//! [`super::rules`], they depend on the difference and the command.

use super::difference::Difference;
use super::rules::{Output, Rule};

/// The rules. Commands name the machine, as `-m` or in the name of the compiler.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "words of rewritten loads",
        why: "AArch64, i386: a load from the GOT that becomes an addition needs no word there; lld \
              leaves the word, and GNU ld for AArch64 the load",
        applies: |d, output| {
            let is_of_lld = is_for_i386(output) && d.gnu.is_none();
            (is_for_arm(output) || is_of_lld)
                && d.is_absent(&["section .got", "relocation RELATIVE", "relocation GLOB_DAT"])
        },
    },
    Rule {
        name: "names of veneers",
        why: "AArch64: two linkers have no common names of what they add to reach a target or to \
              repair an erratum, nor as many of them",
        applies: |d, output| {
            let names = ["_veneer", "e843419@", "e835769@"];
            is_for_arm(output) && names.iter().any(|name| d.subject.name.contains(name))
        },
    },
    Rule {
        name: "code beside what is read",
        why: "AArch64: without -z separate-code they share a segment, as with GNU ld, which \
              refuses the link or has no such section",
        applies: |d, output| {
            let is_joined = d.ours == "RX" && d.lld.as_deref() == Some("R");
            is_for_arm(output) && d.gnu.is_none() && d.attribute == "loaded" && is_joined
        },
    },
    Rule {
        name: "build attributes",
        why: "AArch64: what they promise stands in the property note, for loaders; these peers are \
              older than they",
        applies: |d, output| {
            let subjects = ["note GNU 0x5", "section .note.gnu.property", "segment GNU_PROPERTY"];
            let subjects = [&subjects[..], &["segment NOTE"]].concat();
            let is_copied = d.is_absent(&["section .ARM.attributes"]);
            is_for_arm(output) && (d.is_present(&subjects) || is_copied && d.gnu.is_none())
        },
    },
    Rule {
        name: "reserved words of .got.plt",
        why: "AArch64, i386: where it has nothing else, the end of RELRO that GNU ld's script asks \
              for is its own end",
        applies: |d, output| {
            (is_for_arm(output) || is_for_i386(output))
                && output.command.contains("-T")
                && d.is(&["section .got.plt"])
                && d.attribute == "relro"
                && d.ours == "true"
        },
    },
    Rule {
        name: "no PLT to protect",
        why: "AArch64: a tag about the PLT is there if there is a PLT, as with GNU ld, which \
              refuses the link",
        applies: |d, _| d.gnu.is_none() && d.is_absent(&["tag AARCH64_BTI_PLT"]),
    },
    Rule {
        name: "signed pointers to nothing",
        why: "AArch64: null is not signed, needs no relocation, and no table is made for it",
        applies: |d, output| {
            let subjects = ["section .rela.dyn", "tag RELA", "relocation 0x411 0"];
            let is_null = |d: &Difference| d.is_absent(&["relocation 0x411 0"]);
            is_for_arm(output) && d.is_absent(&subjects) && output.all.iter().any(is_null)
        },
    },
    Rule {
        name: "no empty table of signed pointers",
        why: "AArch64: a table without entries is not there, whatever lld had made it for",
        applies: |d, _| d.gnu.is_none() && d.is_absent(&["section .relr.auth.dyn"]),
    },
    Rule {
        name: "the end of .data",
        why: "AArch64: it is where .bss begins, so that a word for it has the name of what stands \
              there; the peers leave a gap",
        applies: |d, output| is_for_arm(output) && d.is_present(&["relocation RELATIVE completed"]),
    },
    Rule {
        name: "symbols of sections",
        why: "AArch64: they are not exported, which GNU ld does without giving them a name",
        applies: |d, output| {
            is_for_arm(output) && d.subject.name.is_empty() && d.is_absent(&["export"])
        },
    },
    Rule {
        name: "pairs of words of thread-local variables",
        why: "AArch64: a variable of the module's own has a pair for itself, however it is called",
        applies: |d, output| {
            let is_of_module = d.is(&["relocation DTPMOD64 this module"]);
            is_for_arm(output) && is_of_module && d.attribute == "times"
        },
    },
    Rule {
        name: "calls take no addresses",
        why: "i386: a call of an import or an IFUNC by its distance leads through the PLT, and its \
              address is still the function's; lld, where GNU ld refuses the link, moves it",
        applies: |d, output| {
            let subjects = ["import", "symbol", "unwind"];
            let is_asked = output.command.contains("retpolineplt") && d.is(&subjects);
            let is_moved = is_for_i386(output) && d.attribute == "canonical" && d.ours == "false";
            d.gnu.is_none() && (is_asked || is_moved)
        },
    },
    Rule {
        name: "words of eight bytes",
        why: "x32: the loader gets a type that writes all of them; GNU ld's writes four",
        applies: |d, output| {
            is_for_x32(output) && d.lld.is_none() && d.is(&["relocation 32", "relocation 64"])
        },
    },
    Rule {
        name: "hidden IFUNCs",
        why: "x32: one whose address is taken is a function at its PLT entry, and what stands at \
              its resolver has another name; lld, which does the same, refuses the link",
        applies: |d, output| {
            let is_resolved = |other: &Difference| other.is(&["relocation IRELATIVE"]);
            let is_named = |other: &Difference| {
                other.subject.name.strip_prefix("IRELATIVE ") == Some(d.subject.name.as_str())
            };
            let mut all = output.all.iter().filter(|other| is_resolved(other));
            let is_of_name = d.is_absent(&["unwind"]) && all.any(is_named);
            is_for_x32(output) && d.lld.is_none() && (is_resolved(d) || is_of_name)
        },
    },
];

/// Whether the link is for x32.
fn is_for_x32(output: &Output<'_>) -> bool {
    ["elf32_x86_64", "gnux32"].iter().any(|name| output.command.contains(name))
}

/// Whether the link is for i386.
fn is_for_i386(output: &Output<'_>) -> bool {
    ["elf_i386", "i686-linux-gnu"].iter().any(|name| output.command.contains(name))
}

/// Whether the link is for AArch64.
fn is_for_arm(output: &Output<'_>) -> bool {
    output.command.contains("aarch64")
}
