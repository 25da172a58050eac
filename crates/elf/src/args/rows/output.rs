//! Options for the kind and the name of the output file.

use crate::args::memory_limit;
use crate::args::options::MachineFrom;
use crate::args::options::{BuildId, Compression, FormatChoice, OutputFormat, Strip};
use crate::args::rows::Row;
use crate::machine::{ALL_EMULATIONS, Machine};
use skald_core::diag::{Error, Result};
use skald_core::memory_limit::Source;
use skald_dwarf::dedup::Level;
use skald_linking::option_row::Value;

pub(super) static ROWS: &[Row] = &[
    Row::value(&["-o", "--output"], "FILE", "Write the output to FILE (default a.out)", |d, v| {
        if v.text.is_empty() {
            return Err(v.bad("a file name"));
        }
        d.options.output = v.path();
        d.options.output_is_given = true;
        Ok(())
    }),
    Row::flag(&["-shared", "-Bshareable"], "Make a shared library", |d| {
        (d.shared, d.pie) = (true, false);
    })
    .peers("with -pie as well, the last one holds, as for GNU ld; lld refuses the pair"),
    Row::flag(&["-pie", "--pic-executable"], "Make a position-independent executable", |d| {
        (d.shared, d.pie) = (false, true);
    }),
    Row::flag(
        &["-no-pie", "-nopie", "--no-pic-executable"],
        "Make an executable at fixed addresses (default)",
        |d| (d.shared, d.pie) = (false, false),
    )
    .peers("undoes -shared too, as for GNU ld; lld and mold ignore it then"),
    Row::flag(&["-static"], "Make an executable without shared libraries", |d| {
        d.position.search_static = true;
        d.options.is_static = true;
    }),
    Row::flag(
        &["-r", "-i", "-Ur", "--relocatable"],
        "Make an object that can be linked again",
        |d| d.relocatable = true,
    ),
    Row::choice(&["-m"], ALL_EMULATIONS, "Link for this machine", |d, word| {
        let (machine, os_abi) = Machine::by_emulation(word).unwrap_or_default();
        (d.options.machine, d.options.os_abi) = (machine, os_abi);
        d.options.machine_words.emulation = machine.emulation_of(word);
        d.options.machine_from = MachineFrom::Option;
    }),
    Row::value(
        &["--oformat"],
        "elf64-x86-64|elf64-x86-64-freebsd|elf32-x86-64|elf32-i386|elf32-i386-freebsd|elf64-littleaarch64|elf64-bigaarch64|elf64-littleriscv|elf64-bigriscv|elf32-littleriscv|elf32-bigriscv|elf32-m68k|elf64-s390|elf64-powerpcle|elf64-powerpc|elf32-powerpc|elf32-powerpc-freebsd|elf32-powerpcle|elf64-sparc|elf32-littlearm|elf32-bigarm|elf64-loongarch|elf32-loongarch|elf32-sh-linux|elf32-shbig-linux|elf64-tradlittlemips|elf64-tradbigmips|elf32-ntradlittlemips|elf32-ntradbigmips|elf32-tradlittlemips|elf32-tradbigmips|elf|default|binary|srec|symbolsrec|ihex|verilog|elf32-avr|elf32-msp430",
        "Format of the output",
        |d, v| {
            let word = v.choice()?;
            let found = Machine::by_format(word.as_bytes());
            d.format_of = found.map(|(machine, _)| (machine, word.to_owned()));
            if let Some((machine, os_abi)) = found {
                if d.options.machine_from == MachineFrom::Nothing {
                    (d.options.machine, d.options.machine_from) = (machine, MachineFrom::Option);
                }
                d.options.os_abi = os_abi.or(d.options.os_abi);
            }
            d.options.output_format_is_given = true;
            d.options.output_format = match word {
                "binary" => OutputFormat::Binary,
                "srec" => OutputFormat::Srec,
                "symbolsrec" => OutputFormat::SymbolSrec,
                "ihex" => OutputFormat::Ihex,
                "verilog" => OutputFormat::Verilog,
                _ => OutputFormat::Elf,
            };
            Ok(())
        },
    )
    .peers(
        "lld and mold know only elf and binary; addresses are those of the ELF file, as for GNU ld",
    ),
    Row::flag(&["-EB"], "Take the second of three names of OUTPUT_FORMAT in a script", |d| {
        d.options.format_choice = FormatChoice::Big;
    })
    .peers("x86-64 has one byte order: inputs in another one are refused"),
    Row::flag(&["-EL"], "Take the third of three names of OUTPUT_FORMAT in a script", |d| {
        d.options.format_choice = FormatChoice::Little;
    }),
    Row::maybe(
        &["--build-id"],
        "none|fast|md5|sha1|tree|sha256|uuid|0xHEX",
        "Identify the output by a note (sha1 if not said)",
        |d, v| {
            let (build_id, unknown) = match build_id(v) {
                Ok(build_id) => (build_id, None),
                Err(error) => (BuildId::None, Some(error)),
            };
            (d.options.build_id, d.unknown_build_id) = (build_id, unknown.map(|error| error.0));
            Ok(())
        },
    )
    .peers(
        "fast is 8 bytes as in lld; tree is gold's; sha256 is mold's; any other is a warning and no \
         build id as for GNU ld, an error for lld",
    ),
    Row::flag(&["--no-build-id"], "No build id (default)", |d| {
        (d.options.build_id, d.unknown_build_id) = (BuildId::None, None);
    }),
    Row::maybe(&["--package-metadata"], "JSON", "Describe the package in a note", |d, v| {
        let text = v.map(package_metadata).transpose()?;
        d.options.package_metadata = text.filter(|text| !text.is_empty());
        Ok(())
    })
    .peers("%XX as in lld and mold and %[comma] as in GNU ld 2.45 are decoded"),
    Row::switch(
        &["--enable-linker-version"],
        &["--disable-linker-version"],
        "Write the linker's name and version to .comment (default)",
        |d, on| d.options.linker_version = on,
    )
    .peers("lld and mold always do, GNU ld from 2.42 where it is asked for"),
    Row::flag(&["-q", "--emit-relocs"], "Keep relocations in the output", |d| {
        d.options.emit_relocs = true;
    }),
    Row::flag(&["-s", "--strip-all"], "Leave out symbols and debug sections", |d| {
        d.options.strip = Strip::All;
    }),
    Row::flag(&["-S", "--strip-debug"], "Leave out debug sections", |d| {
        d.options.strip = Strip::Debug;
    })
    .peers("the last of -s and -S holds, as for GNU ld and lld; mold strips all"),
    Row::flag(
        &["--strip-debug-non-line"],
        "Leave out debug information that line numbers do not need",
        |d| d.options.strip = Strip::NonLine,
    )
    .peers("gold only, which keeps the strings too"),
    Row::value(
        &["--compress-debug-sections"],
        "none|zlib[:LEVEL]|zstd[:LEVEL]|zlib-gnu",
        "Compress debug sections; with zlib-gnu they are called .zdebug_*",
        |d, v| {
            let text = v.text()?;
            let allowed = match text.split_once(':').map(|(method, _)| method) {
                Some("zlib") => "zlib:LEVEL, where the zlib level must be between 0 and 9",
                Some("zstd") => "zstd:LEVEL, where the zstd level must be between 1 and 22",
                _ => "none, zlib, zlib:0 to zlib:9, zstd, zstd:1 to zstd:22 or zlib-gnu",
            };
            let method = match text {
                "zlib-gnu" => Compression::Zdebug,
                _ => compression(text).ok_or_else(|| v.bad(allowed))?,
            };
            d.options.compress_debug_sections = method;
            Ok(())
        },
    )
    .peers("levels are mold's, zlib-gnu is GNU ld's"),
    Row::maybe(
        &["--separate-debug-file"],
        "FILE",
        "Write debug sections and symbols to FILE (default OUTPUT.dbg)",
        |d, v| {
            d.options.separate_debug_file = v.map(Value::path);
            d.options.debug_file_beside_output = v.is_none();
            Ok(())
        },
    )
    .peers("mold only, which writes it in the background unless --no-detach is given"),
    Row::flag(
        &["--only-keep-debug"],
        "Write debug sections alone, and headers of the others without content",
        |d| d.options.only_keep_debug = true,
    )
    .peers("skald only, as the option of objcopy; other linkers have it not"),
    Row::flag(&["--no-separate-debug-file"], "Undo --separate-debug-file", |d| {
        d.options.separate_debug_file = None;
        d.options.debug_file_beside_output = false;
    }),
    Row::path(
        &["--out-implib"],
        "FILE",
        "Write an object with the addresses of the output's symbols to FILE",
        |d, file| d.options.out_implib = Some(file),
    )
    .peers(
        "GNU ld only; position-independent outputs get an object too, which GNU ld marks ET_DYN",
    ),
    Row::path(
        &["--dwp"],
        "FILE",
        "Write the .dwo files that the objects name to FILE, a DWARF package",
        |d, file| d.options.dwp = Some(file),
    )
    .peers("none: a run of llvm-dwp or dwp makes it of the finished program"),
    Row::switch(
        &["--gdb-index"],
        &["--no-gdb-index"],
        "Make .gdb_index, with which gdb starts faster",
        |d, on| d.options.gdb_index = on,
    )
    .peers("lld, mold; of names that compilers did not list (-ggnu-pubnames) too"),
    Row::value(
        &["--gdb-index-version"],
        "7|8|9",
        "Version of .gdb_index (default 8, the newest that gdb 12 to 14 read)",
        |d, v| {
            d.options.gdb_index_version = match v.choice()? {
                "7" => 7,
                "9" => 9,
                _ => 8,
            };
            Ok(())
        },
    )
    .peers("skald only; lld and mold make version 7"),
    Row::switch(
        &["--debug-names"],
        &["--no-debug-names"],
        "Make one .debug_names of all units, with which lldb starts faster",
        |d, on| d.options.debug_names = on,
    )
    .peers("lld; of units that compilers made no table of too"),
    Row::maybe(
        &["--dedup-debug-types"],
        "units|all",
        "Keep type units (default), or types of C++ too, once in debug information",
        |d, v| {
            d.options.dedup_debug_types = match v.map(|v| v.choice()).transpose()? {
                Some("all") => Some(Level::All),
                _ => Some(Level::Units),
            };
            Ok(())
        },
    )
    .peers("none: dwz rewrites the finished program, dsymutil only Mach-O"),
    Row::flag(&["--no-dedup-debug-types"], "Leave debug information as it is (default)", |d| {
        d.options.dedup_debug_types = None;
    }),
    Row::switch(
        &["--mmap-output-file"],
        &["--no-mmap-output-file"],
        "Write the output through a shared mapping",
        |d, on| d.options.mmap_output = Some(on),
    ),
    Row::switch(
        &["--prefetch"],
        &["--no-prefetch"],
        "Read inputs ahead (default: those not in memory)",
        |d, on| d.options.prefetch = Some(on),
    )
    .peers("skald only"),
    Row::flag(&["--atomic-output"], "Keep the old output until the new one is whole", |d| {
        d.options.atomic_output = true;
    }),
    Row::flag(&["--force-exe-suffix"], "Make a copy OUTPUT.exe, unless OUTPUT has a suffix", |d| {
        d.options.force_exe_suffix = true;
    })
    .peers("GNU ld only"),
    Row::flag(
        &["--noinhibit-exec", "--noinhibit_exec"],
        "Make the output in spite of errors where possible",
        |d| d.options.noinhibit_exec = true,
    ),
    Row::maybe(
        &["--threads"],
        "COUNT",
        "Use COUNT threads, at most one for each processor (default)",
        |d, v| {
            d.options.threads = v.map_or(Ok(0), thread_count)?;
            Ok(())
        },
    )
    .peers(
        "the default takes no more than GNU make's job server has to give; for COUNT it is not \
         asked",
    ),
    Row::value(&["--thread-count"], "COUNT", "Use COUNT threads", |d, v| {
        d.options.threads = thread_count(v)?;
        Ok(())
    }),
    Row::flag(&["--no-threads"], "Use one thread", |d| d.options.threads = 1),
    Row::value(
        &["--memory-limit"],
        memory_limit::META,
        "Hold no more memory (default: the control group's limit)",
        |d, v| {
            d.memory_limit = Some(memory_limit::read(v, Source::Option)?);
            Ok(())
        },
    )
    .peers("skald only"),
    Row::switch(
        &["--fork", "--detach"],
        &["--no-fork", "--no-detach"],
        "Let another process free the memory of the link",
        |d, on| d.options.fork = on,
    )
    .peers("the default for mold and wild, not here: whoever waits for a process expects its end"),
];

fn thread_count(value: &Value<'_>) -> Result<usize> {
    match usize::try_from(value.number()?) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(value.bad("a positive number of threads")),
    }
}

fn build_id(value: Option<&Value<'_>>) -> Result<BuildId> {
    let Some(value) = value else { return Ok(BuildId::Sha1) };
    let text = value.text()?;
    Ok(match text {
        "none" => BuildId::None,
        "fast" => BuildId::Fast,
        "md5" => BuildId::Md5,
        "uuid" => BuildId::Uuid,
        "sha1" | "tree" => BuildId::Sha1,
        "sha256" => BuildId::Sha256,
        _ => {
            let allowed = "none, fast, md5, sha1, tree, sha256, uuid or 0x and hexadecimal bytes";
            let hex = text.strip_prefix("0x").or(text.strip_prefix("0X"));
            BuildId::Hex(hex.and_then(hex_bytes).ok_or_else(|| value.bad(allowed))?)
        }
    })
}

/// Pairs of hexadecimal digits; `-` and `:` may stand between pairs, as in GNU ld.
fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if matches!(first, b'-' | b':') && !bytes.is_empty() {
            rest = after;
            continue;
        }
        let (&second, after) = after.split_first()?;
        bytes.push(hex_byte(first, second)?);
        rest = after;
    }
    if bytes.is_empty() { None } else { Some(bytes) }
}

fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// Decodes the escapes in JSON: compiler drivers split arguments at commas, so there are `%XX`, and
/// `%[comma]` and the like.
fn package_metadata(value: &Value<'_>) -> Result<String> {
    const WORDS: [(&str, u8); 5] = [
        ("%[comma]", b','),
        ("%[lbrace]", b'{'),
        ("%[quot]", b'"'),
        ("%[rbrace]", b'}'),
        ("%[space]", b' '),
    ];
    let text = value.text()?;
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        decoded.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let (byte, length) = match (WORDS.iter().find(|w| rest.starts_with(w.0)), rest.as_bytes()) {
            (Some((word, byte)), _) => (*byte, word.len()),
            (None, [_, high, low, ..]) => match hex_byte(*high, *low) {
                Some(byte) => (byte, 3),
                None => return Err(bad_escape(value, text.len() - rest.len())),
            },
            _ => return Err(bad_escape(value, text.len() - rest.len())),
        };
        decoded.push(byte);
        rest = &rest[length..];
    }
    decoded.extend_from_slice(rest.as_bytes());
    String::from_utf8(decoded).map_err(|_| value.bad("UTF-8 text"))
}

fn bad_escape(value: &Value<'_>, at: usize) -> Error {
    let Value { option, text, .. } = value;
    let text = text.display();
    Error(format!("{option}: invalid string: {text}: no escape begins at byte {at}"))
}

/// `none`, `zlib[:LEVEL]`, `zstd[:LEVEL]`; also GNU ld's `zlib-gabi`, which is `zlib`.
pub(super) fn compression(text: &str) -> Option<Compression> {
    let (method, level) = match text.split_once(':') {
        Some((method, level)) => (method, Some(level.parse::<u8>().ok()?)),
        None => (text, None),
    };
    match (method, level) {
        ("none", None) => Some(Compression::None),
        ("zlib" | "zlib-gabi", None) => Some(Compression::Zlib(None)),
        ("zlib", Some(0..=9)) => Some(Compression::Zlib(level)),
        ("zstd", None | Some(1..=22)) => Some(Compression::Zstd(level)),
        _ => None,
    }
}
