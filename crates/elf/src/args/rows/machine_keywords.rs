//! The words of `-z` that not every machine has: they concern its instructions, its procedure
//! linkage table or its properties. `--help` lists them below the name of the emulation, as GNU ld
//! does: words that a machine claims in `Machine::keywords` below that machine alone, the others
//! below every machine.

use skald_core::diag::Result;

use crate::args::draft::Draft;
use crate::args::options::{CallNop, IsaLevelReport};
use crate::args::rows::Row;
use crate::args::rows::dynamic::tag_checks;
use skald_linking::option_row::{Form, Value, parse_number};

/// Every word; a negation stands next to the word that it negates.
pub static MACHINE_KEYWORDS: &[Row] = &[
    Row::switch(&["pack-relative-relocs"], &["nopack-relative-relocs"], "Make DT_RELR", |d, on| {
        d.options.pack_relative_relocs = on
    }),
    Row::switch(
        &["dynamic-undefined-weak"],
        &["nodynamic-undefined-weak"],
        "Undefined weak symbols are dynamic",
        |d, on| d.options.z.dynamic_undefined_weak = Some(on),
    ),
    Row::flag(&["ibt"], "Mark the output for IBT, with such a PLT", |d| {
        d.options.z.features.give("ibt")
    }),
    Row::flag(&["ibtplt"], "A PLT for IBT", |d| d.options.z.ibtplt = true),
    Row::flag(&["shstk"], "Mark the output for shadow stacks", |d| {
        d.options.z.features.give("shstk")
    }),
    Row::flag(&["force-ibt"], "As ibt, and warn of inputs that lack it", |d| {
        d.options.z.features.give("ibt");
        d.options.z.features.give("force-ibt");
    })
    .peers("lld only"),
    report(&["cet-report"], "Inputs without IBT and SHSTK", |d, word| {
        d.options.z.features.ask("cet-report", Draft::report(word));
    }),
    Row::switch(&["rewrite-endbr"], &["norewrite-endbr"], "endbr64 only if needed", |d, on| {
        d.options.z.rewrite_endbr = on;
    })
    .peers("mold only"),
    Row::flag(&["retpolineplt"], "A PLT of retpolines", |d| d.options.z.retpoline_plt = true)
        .peers("lld only"),
    Row::flag(&["force-bti"], "Mark the output for BTI, and warn of inputs that lack it", |d| {
        d.options.z.features.give("force-bti");
    }),
    report(&["bti-report"], "Inputs without BTI", |d, word| {
        d.options.z.features.ask("bti-report", Draft::report(word));
    }),
    Row::choice(
        &["gcs"],
        "implicit|always|never",
        "Mark the output for guarded control stacks: if all inputs are",
        |d, word| match word {
            "always" => d.options.z.features.give("gcs"),
            "never" => d.options.z.features.take("gcs"),
            _ => d.options.z.features.forget("gcs"),
        },
    )
    .peers("GNU ld from 2.44, and lld"),
    report(&["gcs-report"], "Inputs without GCS", |d, word| {
        d.options.z.features.ask("gcs-report", Draft::report(word));
    }),
    report(&["gcs-report-dynamic"], "Libraries without GCS, if the output has it", |d, word| {
        d.options.z.features.ask("gcs-report-dynamic", Draft::report(word));
    }),
    Row::choice(
        &["zicfilp"],
        "implicit|unlabeled|func-sig|never",
        "Mark the output for landing pads: if all inputs are",
        |d, word| {
            let features = &mut d.options.z.features;
            let all = ["zicfilp=unlabeled", "zicfilp=func-sig"];
            if word == "implicit" {
                return all.iter().for_each(|feature| features.forget(feature));
            }
            for feature in all {
                if feature.ends_with(&format!("={word}")) {
                    features.give(feature);
                } else {
                    features.take(feature);
                }
            }
        },
    ),
    report(&["zicfilp-unlabeled-report"], "Inputs without unlabeled landing pads", |d, word| {
        d.options.z.features.ask("zicfilp-unlabeled-report", Draft::report(word));
    }),
    report(&["zicfilp-func-sig-report"], "Inputs without labeled landing pads", |d, word| {
        d.options.z.features.ask("zicfilp-func-sig-report", Draft::report(word));
    })
    .peers("lld only"),
    Row::choice(
        &["zicfiss"],
        "implicit|always|never",
        "Mark the output for shadow stacks: if all inputs are",
        |d, word| match word {
            "always" => d.options.z.features.give("zicfiss"),
            "never" => d.options.z.features.take("zicfiss"),
            _ => d.options.z.features.forget("zicfiss"),
        },
    ),
    report(&["zicfiss-report"], "Inputs without shadow stacks", |d, word| {
        d.options.z.features.ask("zicfiss-report", Draft::report(word));
    }),
    report(&["pauth-report"], "Inputs without PAuth core info, if others have it", |d, word| {
        d.options.z.features.ask("pauth-report", Draft::report(word));
    })
    .peers("lld only"),
    Row::choice(
        &["memtag-mode"],
        "sync|async|none",
        "Tag memory, and check tags at once or later",
        |d, word| d.options.memory_tagging.checks = tag_checks(word),
    )
    .peers("GNU ld from 2.44"),
    Row::flag(&["memtag-heap"], "Tag memory of the heap", |d| {
        d.options.memory_tagging.heap = true;
    })
    .peers("GNU ld from 2.44"),
    Row::flag(&["memtag-stack"], "Tag memory of the stack", |d| {
        d.options.memory_tagging.stack = true;
    })
    .peers("GNU ld from 2.44"),
    Row::flag(&["pac-plt"], "A PLT that checks signed addresses", |d| d.options.z.pac_plt = true),
    // On MIPS, lld makes PLT entries that wait out an instruction hazard.
    Row::silent(&["hazardplt"], Form::None, "", "Ignored: for MIPS"),
    Row::flag(&["x86-64-baseline"], "Needs the x86-64 baseline", |d| isa_level(d, 1)),
    Row::flag(&["x86-64-v2"], "Needs x86-64-v2", |d| isa_level(d, 2)),
    Row::flag(&["x86-64-v3"], "Needs x86-64-v3", |d| isa_level(d, 3)),
    Row::flag(&["x86-64-v4"], "Needs x86-64-v4", |d| isa_level(d, 4)),
    Row::choice(
        &["isa-level-report"],
        "none|all|needed|used",
        "ISA levels of inputs",
        |d, word| {
            d.options.z.isa_level_report = match word {
                "all" => IsaLevelReport::All,
                "needed" => IsaLevelReport::Needed,
                "used" => IsaLevelReport::Used,
                _ => IsaLevelReport::None,
            };
        },
    )
    .peers("GNU ld from 2.42"),
    Row::flag(&["lam-u48"], "Mark the output for LAM_U48", |d| {
        d.options.z.features.give("lam-u48")
    }),
    Row::flag(&["lam-u57"], "Mark the output for LAM_U57", |d| {
        d.options.z.features.give("lam-u57")
    }),
    report(&["lam-u48-report"], "Inputs without LAM_U48", |d, word| {
        d.options.z.features.ask("lam-u48-report", Draft::report(word));
    }),
    report(&["lam-u57-report"], "Inputs without LAM_U57", |d, word| {
        d.options.z.features.ask("lam-u57-report", Draft::report(word));
    }),
    report(&["lam-report"], "Inputs without either", |d, word| {
        d.options.z.features.ask("lam-u48-report", Draft::report(word));
        d.options.z.features.ask("lam-u57-report", Draft::report(word));
    }),
    Row::switch(
        &["lrodata-after-bss"],
        &["nolrodata-after-bss"],
        "Put .lrodata after .bss",
        |d, on| d.options.z.lrodata_after_bss = on,
    )
    .peers("lld only"),
    Row::switch(&["mark-plt"], &["nomark-plt"], "DT_X86_64_PLT", |d, on| {
        d.options.z.mark_plt = on;
    })
    .peers("GNU ld from 2.41"),
    Row::switch(
        &["rela"],
        &["rel"],
        "Dynamic relocations with addends, or without; without either as the machine",
        |d, on| {
            d.options.z.rel = Some(!on);
        },
    )
    .peers("lld only; glibc's loader reads none without addends"),
    // The program's copy of protected data and the library's own would have different values.
    Row::silent(
        &["extern-protected-data", "noextern-protected-data"],
        Form::None,
        "",
        "Ignored: protected data is never copied",
    )
    .peers("GNU ld ignores it too on x86-64, and lld and mold do not know it"),
    Row::switch(
        &["indirect-extern-access"],
        &["noindirect-extern-access"],
        "External symbols only by the GOT: says so, and -z nocopyreloc; or does not say so",
        |d, on| {
            d.options.z.indirect_extern_access = Some(on);
            d.options.z.no_copy_reloc |= on;
        },
    )
    .peers("GNU ld only"),
    Row::flag(&["report-relative-reloc"], "List relative relocations", |d| {
        d.options.z.report_relative_reloc = true;
    })
    .peers("GNU ld only"),
    Row::switch(
        &["reloc-overflow"],
        &["noreloc-overflow"],
        "No 32-bit addresses for the loader to relocate (default)",
        |d, on| d.options.z.no_reloc_overflow = !on,
    )
    .peers("GNU ld only"),
    Row::value(
        &["call-nop"],
        "prefix-addr|prefix-nop|suffix-nop|prefix-BYTE|suffix-BYTE",
        "How a shortened call is filled",
        |d, v| {
            d.options.z.call_nop = call_nop(v)?;
            Ok(())
        },
    )
    .peers("GNU ld only"),
    Row::silent(&["relax", "bndplt"], Form::None, "", "Ignored"),
];

/// A word of `-z` that takes `none`, `warning` or `error`.
const fn report(
    names: &'static [&'static str],
    help: &'static str,
    set: fn(&mut Draft, &str),
) -> Row {
    Row::choice(names, "none|warning|error", help, set)
}

fn isa_level(draft: &mut Draft, level: u8) {
    let needed = &mut draft.options.z.isa_level;
    *needed = level.max(*needed);
}

/// GNU ld's words for the byte that pads an indirect call made direct.
fn call_nop(value: &Value<'_>) -> Result<CallNop> {
    let text = value.text()?;
    let byte = |text: &str| parse_number(text).and_then(|byte| u8::try_from(byte).ok());
    let known = match text {
        "prefix-addr" => Some(CallNop::Prefix(0x67)),
        "prefix-nop" => Some(CallNop::Prefix(0x90)),
        "suffix-nop" => Some(CallNop::Suffix(0x90)),
        _ => match text.split_once('-') {
            Some(("prefix", number)) => byte(number).map(CallNop::Prefix),
            Some(("suffix", number)) => byte(number).map(CallNop::Suffix),
            _ => None,
        },
    };
    let allowed = "prefix-addr, prefix-nop, suffix-nop, prefix-BYTE or suffix-BYTE";
    known.ok_or_else(|| value.bad(allowed))
}
