//! Options about addresses, segments and the order of sections.

use crate::args::options::{CallGraphSort, CompressionSort, Shuffle, ShuffleRule};
use crate::args::rows::Row;
use crate::args::section_order::SectionOrder;
use skald_core::diag::Result;
use skald_linking::option_row::{Form, Value, parse_address, parse_number};

pub(super) static ROWS: &[Row] = &[
    Row::number(&["--image-base"], "ADDRESS", "Address of the first segment", |d, address| {
        d.options.image_base = Some(address);
    })
    .peers("decimal unless 0x; GNU ld spells it -Ttext-segment, which is hexadecimal"),
    Row::address(&["-Ttext-segment"], "Address of the first segment", |d, address| {
        d.options.image_base = Some(address);
        d.options.arrangement.is_fixed = address != 0;
    })
    .peers("with -pie the file is ET_EXEC in GNU ld and mold, unlike with --image-base"),
    Row::address(&["-Trodata-segment"], "Address of the segment of .rodata", |d, address| {
        d.options.arrangement.rodata_segment = Some(address);
    })
    .peers("GNU ld only; .rodata and what follows it then come after code"),
    Row::address(&["-Tldata-segment"], "Address of the segment of .ldata", |d, address| {
        d.options.arrangement.ldata_segment = Some(address);
    })
    .peers("GNU ld only"),
    Row::number(&["--physical-image-base"], "ADDRESS", "Physical address of it", |d, address| {
        d.options.arrangement.physical_image_base = Some(address);
    })
    .peers("mold only"),
    Row::value(&["--section-start"], "SECTION=ADDRESS", "Address of SECTION", |d, v| {
        let (section, address) = v.pair()?;
        let address = parse_address(address)
            .ok_or_else(|| v.bad("SECTION=ADDRESS with a hexadecimal address"))?;
        d.options.section_start.push((section.to_owned(), address));
        Ok(())
    }),
    Row::address(&["-Ttext"], "Address of .text", |d, address| {
        d.options.section_start.push((".text".to_owned(), address));
    }),
    Row::address(&["-Tdata"], "Address of .data", |d, address| {
        d.options.section_start.push((".data".to_owned(), address));
    }),
    Row::address(&["-Tbss"], "Address of .bss", |d, address| {
        d.options.section_start.push((".bss".to_owned(), address));
    }),
    Row::flag(&["-N", "--omagic"], "One writable segment, not aligned to pages", |d| {
        d.options.omagic = true;
        d.position.search_static = true;
    }),
    Row::flag(&["--no-omagic"], "Undo -N", |d| d.options.omagic = false),
    Row::flag(&["-n", "--nmagic"], "Do not align segments to pages", |d| {
        d.options.nmagic = true;
        d.position.search_static = true;
    }),
    Row::flag(&["--no-nmagic"], "Undo -n", |d| d.options.nmagic = false),
    Row::switch(
        &["--rosegment"],
        &["--no-rosegment"],
        "Read-only data has a segment of its own (default)",
        |d, on| d.options.rosegment = Some(on),
    ),
    Row::switch(
        &["--execute-only"],
        &["--no-execute-only"],
        "Code segments are not readable",
        |d, on| d.options.arrangement.execute_only = on,
    )
    .peers("lld takes it for AArch64 only"),
    Row::switch(
        &["--xosegment"],
        &["--no-xosegment"],
        "Code marked as free of data (AArch64) has a segment that is not readable",
        |d, on| d.options.arrangement.xosegment = on,
    )
    .peers("lld only"),
    Row::flag(&["--zero-to-bss"], "Sections of zeros take no space in the file", |d| {
        d.options.arrangement.zero_to_bss = true;
    })
    .peers("mold only"),
    // mold fills its output buffer with this byte to find bytes that it does not write. The output
    // does not depend on it.
    Row::silent(&["--filler"], Form::Required, "BYTE", "Ignored: every byte is written")
        .peers("mold only"),
    Row::value(&["--spare-program-headers"], "COUNT", "PT_NULL headers to add", |d, v| {
        d.options.arrangement.spare_program_headers = v.count()?;
        Ok(())
    })
    .peers("mold only"),
    Row::value(&["--section-align"], "SECTION=SIZE", "Alignment of SECTION", |d, v| {
        let (section, size) = v.pair()?;
        let size = parse_number(size).filter(|size| size.is_power_of_two());
        let size = size.ok_or_else(|| v.bad("SECTION=SIZE; the value must be a power of 2"))?;
        d.options.arrangement.section_align.push((section.to_owned(), size));
        Ok(())
    })
    .peers("mold only"),
    Row::value(&["--section-order"], "LIST", "Order and addresses of sections", |d, v| {
        let allowed = "a list of sections, TEXT, DATA, RODATA, BSS, EHDR, PHDR, =ADDRESS, %ALIGN \
                       and !SYMBOL";
        let order = SectionOrder::parse(v.text()?)
            .map_err(|wrong| v.bad(&format!("{allowed}, not {wrong}")))?;
        d.options.arrangement.section_order = Some(order);
        Ok(())
    })
    .peers("mold only"),
    Row::path(&["--section-ordering-file"], "FILE", "Order of the sections in FILE", |d, file| {
        d.options.arrangement.section_ordering_file = Some(file);
    })
    .peers(
        "gold: a pattern a line, unmatched sections first; GNU ld from 2.43: OUT : { \
         FILE(SECTION) }, \
         matched sections first",
    ),
    Row::path(&["--symbol-ordering-file"], "FILE", "Order of the symbols in FILE", |d, file| {
        d.options.arrangement.symbol_ordering_file = Some(file);
    })
    .peers("lld only"),
    Row::path(&["--call-graph-ordering-file"], "FILE", "Order by the calls in FILE", |d, file| {
        d.options.arrangement.call_graph_ordering_file = Some(file);
    })
    .peers("lld only"),
    Row::choice(
        &["--call-graph-profile-sort"],
        "none|hfsort|cdsort",
        "How sections are ordered by calls (default cdsort)",
        |d, word| {
            d.options.arrangement.call_graph_sort = match word {
                "none" => CallGraphSort::None,
                "hfsort" => CallGraphSort::Hfsort,
                _ => CallGraphSort::Cdsort,
            };
        },
    ),
    Row::flag(&["--no-call-graph-profile-sort"], "Do not order by calls", |d| {
        d.options.arrangement.call_graph_sort = CallGraphSort::None;
    }),
    Row::choice(&["--bp-startup-sort"], "none|function", "Order by first use", |d, word| {
        d.options.arrangement.bp_startup_sort = word == "function";
    })
    .peers("lld only"),
    Row::choice(
        &["--bp-compression-sort"],
        "none|function|data|both",
        "Order so that the output compresses well",
        |d, word| {
            d.options.arrangement.bp_compression_sort = match word {
                "function" => CompressionSort::Functions,
                "data" => CompressionSort::Data,
                "both" => CompressionSort::Both,
                _ => CompressionSort::None,
            };
        },
    )
    .peers("lld only"),
    Row::path(&["--irpgo-profile"], "FILE", "Profile for --bp-startup-sort", |d, file| {
        d.options.arrangement.irpgo_profile = Some(file);
    })
    .peers("lld only"),
    Row::number(
        &["--randomize-section-padding"],
        "SEED",
        "Random gaps between input sections and before segments",
        |d, seed| d.options.arrangement.random_padding_seed = Some(seed),
    )
    .peers("lld only; the gaps of a seed differ from lld's"),
    Row::maybe(
        &["--shuffle-sections"],
        "[GLOB=]SEED",
        "Shuffle input sections; with GLOB, 0 is a random seed and -1 reverses",
        |d, v| {
            d.options.arrangement.shuffle(shuffle(v)?);
            Ok(())
        },
    )
    .form(Form::GlobNumber)
    .peers("lld has GLOB=SEED, mold SEED or nothing for a random one; a seed's order differs"),
    Row::flag(&["--reverse-sections"], "Input sections back to front", |d| {
        d.options.arrangement.shuffle(ShuffleRule { pattern: None, how: Shuffle::Reverse });
    })
    .peers("mold only"),
    Row::maybe(
        &["--split-by-file"],
        "SIZE",
        "With -r, sections of less than SIZE bytes (default 1)",
        |d, v| {
            d.options.arrangement.split_by_file = Some(v.map_or(Ok(1), Value::number)?);
            Ok(())
        },
    )
    .peers("GNU ld only, which also splits final outputs, into sections that no segment holds"),
    Row::maybe(
        &["--split-by-reloc"],
        "COUNT",
        "With -r, sections of less than COUNT relocations (default 32768)",
        |d, v| {
            d.options.arrangement.split_by_reloc = Some(v.map_or(Ok(32768), Value::number)?);
            Ok(())
        },
    )
    .peers("GNU ld only"),
    Row::flag(
        &["--enable-non-contiguous-regions"],
        "Put what a memory region of a script has no room for where the next statement matches it",
        |d| d.options.arrangement.non_contiguous_regions = true,
    )
    .peers("GNU ld and lld"),
    Row::flag(&["--disable-non-contiguous-regions"], "Undo --enable-non-contiguous-regions", |d| {
        d.options.arrangement.non_contiguous_regions = false
    }),
    Row::flag(
        &["--enable-non-contiguous-regions-warnings"],
        "Warn where --enable-non-contiguous-regions may change where a section goes",
        |d| d.options.arrangement.non_contiguous_warnings = true,
    )
    .peers("GNU ld only"),
];

/// lld's `GLOB=SEED`, mold's `SEED`, or nothing for a random one.
fn shuffle(value: Option<&Value<'_>>) -> Result<ShuffleRule> {
    let Some(value) = value else {
        return Ok(ShuffleRule { pattern: None, how: Shuffle::Random });
    };
    let allowed = "SEED or GLOB=SEED, where GLOB=-1 reverses and GLOB=0 is random";
    let seed = |text: &str| parse_number(text).map(Shuffle::Seed).ok_or_else(|| value.bad(allowed));
    let text = value.text()?;
    let Some((pattern, how)) = text.rsplit_once('=') else {
        return Ok(ShuffleRule { pattern: None, how: seed(text)? });
    };
    if pattern.is_empty() {
        return Err(value.bad(allowed));
    }
    let how = match how {
        "-1" => Shuffle::Reverse,
        "0" => Shuffle::Random,
        number => seed(number)?,
    };
    Ok(ShuffleRule { pattern: Some(pattern.to_owned()), how })
}
