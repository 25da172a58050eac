//! The words of `-z` that every machine has. They are rows like those of options, but their names
//! have no dashes, and an argument is always joined by `=`.

use crate::args::options::SeparateCode;
use crate::args::rows::Row;
use skald_linking::option_row::{Form, parse_number};

/// Every word; a negation stands next to the word that it negates.
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
    Row::switch(&["defs"], &["undefs"], "Undefined symbols are errors", |d, on| {
        d.undefined.report_in_objects = Some(on);
    }),
    Row::flag(&["nodefs"], "Take -z defs back", |d| d.undefined.report_in_objects = None)
        .peers("unknown to all; a program's undefined symbols stay errors"),
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
    Row::flag(&["separate-code"], "Pages of code hold nothing else (default for x86)", |d| {
        d.options.z.separate = Some(SeparateCode::Code);
    })
    .peers("off by default for lld"),
    Row::flag(&["noseparate-code"], "Segments may share pages of the file", |d| {
        d.options.z.separate = Some(SeparateCode::None);
    }),
    Row::flag(&["separate-loadable-segments"], "No segments share pages", |d| {
        d.options.z.separate = Some(SeparateCode::Loadable);
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
    Row::switch(&["common"], &["nocommon"], "STT_COMMON with -r", |d, on| {
        d.options.z.stt_common = Some(on);
    })
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
];
