//! The words of `-z`. Rows like those of options, but their names have no dashes, and an argument
//! is always joined by `=`.

use skald_core::diag::Result;

use crate::args::draft::Draft;
use crate::args::options::{CallNop, IsaLevelReport, SeparateCode};
use crate::args::rows::Row;
use skald_base::option_row::{Form, Value, parse_number};

/// Every word, negations beside what they negate.
pub static KEYWORDS: &[Row] = &[
    Row::switch(&["now"], &["lazy"], "Resolve all symbols at load time", |d, on| {
        d.options.z.now = on;
    }),
    Row::switch(&["relro"], &["norelro"], "Read-only after relocation (default)", |d, on| {
        d.relro = Some(on);
    }),
    Row::switch(&["text"], &["notext", "textoff"], "Text relocations are errors", |d, on| {
        d.options.z.text = Some(on);
    }),
    Row::switch(&["defs"], &["undefs", "nodefs"], "Undefined symbols are errors", |d, on| {
        d.undefined.report_in_objects = Some(on);
    }),
    Row::flag(&["muldefs"], "The first of several definitions holds", |d| {
        d.options.allow_multiple_definition = true;
    }),
    Row::flag(&["origin"], "DF_ORIGIN", |d| d.options.z.origin = true),
    Row::flag(&["initfirst"], "DF_1_INITFIRST", |d| d.options.z.initfirst = true),
    Row::flag(&["interpose"], "DF_1_INTERPOSE", |d| d.options.z.interpose = true),
    Row::flag(&["nodelete"], "DF_1_NODELETE", |d| d.options.z.nodelete = true),
    Row::flag(&["nodlopen"], "DF_1_NOOPEN", |d| d.options.z.nodlopen = true),
    Row::flag(&["nodump"], "DF_1_NODUMP", |d| d.options.z.nodump = true),
    Row::flag(&["nodefaultlib"], "DF_1_NODEFLIB", |d| d.options.z.nodefaultlib = true),
    Row::flag(&["global"], "DF_1_GLOBAL", |d| d.options.z.global = true),
    Row::flag(&["globalaudit"], "DF_1_GLOBAUDIT", |d| d.options.z.globalaudit = true),
    Row::flag(&["loadfltr"], "DF_1_LOADFLTR", |d| d.options.z.loadfltr = true),
    Row::switch(&["unique"], &["nounique"], "DF_GNU_1_UNIQUE", |d, on| d.options.z.unique = on),
    Row::switch(&["copyreloc"], &["nocopyreloc"], "Copy relocations (default)", |d, on| {
        d.options.z.no_copy_reloc = !on;
    }),
    Row::switch(&["combreloc"], &["nocombreloc"], "Sort dynamic relocations (default)", |d, on| {
        d.options.z.no_combreloc = !on;
    }),
    Row::switch(&["execstack"], &["noexecstack"], "The stack is executable", |d, on| {
        d.options.z.execstack = Some(on);
    }),
    Row::flag(&["execstack-if-needed"], "It is executable if inputs ask (default)", |d| {
        d.options.z.execstack = None;
    }),
    Row::flag(&["separate-code"], "Pages of code hold nothing else (default)", |d| {
        d.options.z.separate = SeparateCode::Code;
    })
    .peers("off by default for lld"),
    Row::flag(&["noseparate-code"], "Segments may share pages of the file", |d| {
        d.options.z.separate = SeparateCode::None;
    }),
    Row::flag(&["separate-loadable-segments"], "No segments share pages", |d| {
        d.options.z.separate = SeparateCode::Loadable;
    }),
    Row::value(&["max-page-size"], "SIZE", "Largest page that must work", |d, v| {
        d.options.z.max_page_size = Some(v.power_of_two()?);
        Ok(())
    }),
    Row::value(&["common-page-size"], "SIZE", "Usual page, where relro ends", |d, v| {
        d.options.z.common_page_size = Some(v.power_of_two()?);
        Ok(())
    })
    .peers("not said, relro ends at a multiple of the largest page; ignored by mold"),
    Row::number(&["stack-size"], "SIZE", "Size of PT_GNU_STACK", |d, size| {
        d.options.z.stack_size = size;
    }),
    Row::switch(&["start-stop-gc"], &["nostart-stop-gc"], "__start_ keeps nothing", |d, on| {
        d.options.start_stop_gc = on;
    })
    .peers("off by default, as for GNU ld; on for lld"),
    Row::choice(
        &["start-stop-visibility"],
        "default|internal|hidden|protected",
        "Visibility of __start_ and __stop_",
        |d, word| {
            // The STV_ values of the gABI, "Symbol Visibility".
            d.options.start_stop_visibility = Some(match word {
                "internal" => 1,
                "hidden" => 2,
                "protected" => 3,
                _ => 0,
            });
        },
    )
    .peers("protected by default; given and not hidden, a program exports them, as for mold"),
    Row::switch(&["pack-relative-relocs"], &["nopack-relative-relocs"], "Make DT_RELR", |d, on| {
        d.options.pack_relative_relocs = on
    }),
    Row::switch(
        &["dynamic-undefined-weak"],
        &["nodynamic-undefined-weak"],
        "Undefined weak symbols are dynamic",
        |d, on| d.options.z.dynamic_undefined_weak = Some(on),
    ),
    Row::flag(&["ibt"], "Mark the output for IBT, with such a PLT", |d| d.options.z.ibt = true),
    Row::flag(&["ibtplt"], "A PLT for IBT", |d| d.options.z.ibtplt = true),
    Row::flag(&["shstk"], "Mark the output for shadow stacks", |d| d.options.z.shstk = true),
    Row::flag(&["force-ibt"], "As ibt, and warn of inputs that lack it", |d| {
        d.options.z.ibt = true;
        d.options.z.force_ibt = true;
    })
    .peers("lld only"),
    report(&["cet-report"], "Inputs without IBT and SHSTK", |d, word| {
        d.options.z.cet_report = Draft::report(word);
    }),
    Row::switch(&["rewrite-endbr"], &["norewrite-endbr"], "endbr64 only if needed", |d, on| {
        d.options.z.rewrite_endbr = on;
    })
    .peers("mold only"),
    Row::flag(&["retpolineplt"], "A PLT of retpolines", |d| d.options.z.retpoline_plt = true)
        .peers("lld only"),
    // lld makes PLT entries for MIPS that wait for instructions to be written.
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
    Row::flag(&["lam-u48"], "Mark the output for LAM_U48", |d| d.options.z.lam_u48 = true),
    Row::flag(&["lam-u57"], "Mark the output for LAM_U57", |d| d.options.z.lam_u57 = true),
    report(&["lam-u48-report"], "Inputs without LAM_U48", |d, word| {
        d.options.z.lam_u48_report = Draft::report(word);
    }),
    report(&["lam-u57-report"], "Inputs without LAM_U57", |d, word| {
        d.options.z.lam_u57_report = Draft::report(word);
    }),
    report(&["lam-report"], "Inputs without either", |d, word| {
        d.options.z.lam_u48_report = Draft::report(word);
        d.options.z.lam_u57_report = Draft::report(word);
    }),
    Row::switch(
        &["keep-text-section-prefix"],
        &["nokeep-text-section-prefix"],
        "Keep .text.hot and the like apart",
        |d, on| d.options.z.keep_text_section_prefix = on,
    ),
    Row::switch(
        &["keep-data-section-prefix"],
        &["nokeep-data-section-prefix"],
        "Keep .data.hot and the like apart",
        |d, on| d.options.z.keep_data_section_prefix = on,
    ),
    Row::switch(&["sectionheader"], &["nosectionheader"], "Section headers (default)", |d, on| {
        d.options.z.no_section_header = !on;
    }),
    Row::switch(
        &["unique-symbol"],
        &["nounique-symbol"],
        "Make names of local symbols unique",
        |d, on| d.options.z.unique_symbol = on,
    )
    .peers("GNU ld only"),
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
    Row::value(
        &["dead-reloc-in-nonalloc"],
        "GLOB=VALUE",
        "Value for references to discarded sections",
        |d, v| {
            let bad = || v.bad("GLOB=VALUE with a number");
            let (glob, number) = v.text()?.rsplit_once('=').ok_or_else(bad)?;
            let number = parse_number(number).filter(|_| !glob.is_empty()).ok_or_else(bad)?;
            d.options.z.dead_reloc_in_nonalloc.push((glob.to_owned(), number));
            Ok(())
        },
    )
    .peers("lld only"),
    Row::flag(&["nognustack"], "No PT_GNU_STACK", |d| d.options.z.no_gnu_stack = true),
    Row::flag(&["rodynamic"], ".dynamic is read-only", |d| d.options.z.rodynamic = true),
    Row::switch(&["rela"], &["rel"], "Dynamic relocations with addends (default)", |d, on| {
        d.options.z.rel = !on;
    })
    .peers("lld only; glibc's loader reads none without addends"),
    // The program's copy of protected data and the library's own would differ.
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
    Row::switch(&["common"], &["nocommon"], "STT_COMMON with -r", |d, on| {
        d.options.z.stt_common = Some(on);
    })
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
    Row::switch(&["memory-seal"], &["nomemory-seal"], "GNU_PROPERTY_MEMORY_SEAL", |d, on| {
        d.options.z.memory_seal = on;
    })
    .peers("GNU ld from 2.44"),
    Row::silent(
        &["one-rosegment", "noone-rosegment"],
        Form::None,
        "",
        "Ignored: there is never more than one read-only segment before the data",
    )
    .peers("GNU ld from 2.44"),
    Row::flag(&["wxneeded"], "PT_OPENBSD_WXNEEDED", |d| d.options.z.wxneeded = true)
        .peers("lld only"),
    Row::flag(&["nobtcfi"], "PT_OPENBSD_NOBTCFI", |d| d.options.z.nobtcfi = true).peers("lld only"),
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
