//! Additional options for links of the walk, and the files that these options read.

/// Options of a link, with the file that they write to `out/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extra {
    /// Words of the command line, separated by blanks.
    pub words: &'static str,
    /// Whether that file exists only if the link succeeds.
    pub with_output: bool,
}

impl Extra {
    /// The first option: of two options of a kind only the last one counts, and the other writes
    /// nothing.
    pub fn kind(&self) -> &'static str {
        self.words.split(['=', ' ']).next().unwrap_or_default()
    }

    /// Name of the file that they write to `out/`; `None` if they write none.
    pub fn beside(&self) -> Option<&'static str> {
        let (_, after) = self.words.split_once("out/")?;
        after.split(' ').next()
    }
}

const fn plain(words: &'static str) -> Extra {
    Extra { words, with_output: false }
}

/// Options for a file that is a product of the link: it exists if the output does.
const fn product(words: &'static str) -> Extra {
    Extra { words, with_output: true }
}

/// All options. A file that they read is one of [`TEXTS`] or of the seeds, and may be damaged too.
pub const OPTIONS: &[Extra] = &[
    product("-Map=out/map"),
    product("-Map=out/map --cref --print-map-discarded"),
    product("--report=out/report.json"),
    product("--report=out/report.html"),
    product("--separate-debug-file=out/debug"),
    product("--out-implib=out/implib.o"),
    product("--dwp=out/package.dwp"),
    product("--dependency-file=out/dependencies"),
    plain("--time-trace=out/trace --time-trace-granularity=0"),
    plain("--reproduce=out/inputs.tar"),
    plain("--why-extract=out/extracted"),
    plain("--print-archive-stats=out/members"),
    plain("--print-symbol-order=out/order"),
    plain("--gc-sections --print-gc-sections=out/removed"),
    plain("--icf=all --print-icf-sections"),
    plain("--cref"),
    plain("-M"),
    plain("--why-live=* --gc-sections"),
    plain("--trace-symbol=external --trace-symbol=other -t"),
    plain("--print-dependencies"),
    plain("--print-memory-usage --stats"),
    plain("--gc-sections --print-gc-sections"),
    plain("--gc-sections -z start-stop-gc --gc-keep-exported"),
    plain("--icf=safe --keep-unique=other"),
    plain("--icf=all --ignore-data-address-equality"),
    plain("-r"),
    plain("-r --force-group-allocation -d"),
    plain("-r --relocatable-merge-sections --split-by-file"),
    plain("--emit-relocs"),
    plain("-static"),
    plain("-pie"),
    plain("-shared -z notext"),
    plain("-shared --no-undefined"),
    plain("--compress-debug-sections=zlib"),
    plain("--compress-debug-sections=zstd"),
    plain("--compress-sections=*=zlib"),
    plain("--build-id=sha1"),
    plain("--build-id=md5 --package-metadata={\"a\":1}"),
    plain("-O2"),
    plain("-O0"),
    plain("-s"),
    plain("-S"),
    plain("-x"),
    plain("-X --discard-none"),
    plain("--no-relax --no-eh-frame-hdr"),
    plain("--eh-frame-hdr --ld-generated-unwind-info"),
    plain("--hash-style=sysv -z nognustack"),
    plain("--pack-dyn-relocs=relr"),
    plain("--pack-dyn-relocs=android+relr --use-android-relr-tags"),
    plain("-z now -z relro --apply-dynamic-relocs"),
    plain("-z norelro -z lazy"),
    plain("-z separate-code"),
    plain("-z noseparate-code --no-rosegment"),
    plain("-z ibt -z shstk"),
    plain("-N"),
    plain("-n"),
    plain("--image-base=0x10000000"),
    plain("-Ttext=0x5000000 -Tdata=0x6000000"),
    plain("--section-start=.data=0x7000000"),
    plain("--section-order=EHDR,PHDR,RODATA,TEXT,.data,DATA,BSS"),
    plain("--shuffle-sections=7"),
    plain("--reverse-sections --sort-section=alignment --sort-common"),
    plain("--randomize-section-padding=3"),
    plain("--unique --zero-to-bss"),
    plain("--bp-compression-sort=both"),
    plain("--bp-startup-sort=function --irpgo-profile=calls"),
    plain("--call-graph-ordering-file=calls"),
    plain("--symbol-ordering-file=order"),
    plain("--section-ordering-file=sections"),
    plain("--retain-symbols-file=names"),
    plain("--export-dynamic-symbol-list=list -E"),
    plain("--dynamic-list=list"),
    plain("--version-script=versions"),
    plain("--version-script=exports --default-symver"),
    plain("--remap-inputs-file=remapped"),
    plain("-T commands"),
    plain("script"),
    plain("-c mri"),
    plain("-R user.o"),
    plain("--just-symbols=lib.so"),
    plain("-b binary list -b elf"),
    plain("--whole-archive lib.a --no-whole-archive"),
    plain("lib.a --exclude-libs=ALL"),
    plain("--as-needed lib.so"),
    plain("--copy-dt-needed-entries lib.so"),
    plain("zlib.o -z muldefs"),
    plain("crel.o -z muldefs"),
    plain("rel.o -z muldefs"),
    plain("--start-lib extended.o --end-lib"),
    plain("--defsym=added=other+8*(1+.) --wrap=external"),
    plain("--undefined=needed --undefined-glob=*"),
    plain("--warn-common --warn-backrefs --warn-textrel --detect-odr-violations"),
    plain("--fatal-warnings"),
    plain("--noinhibit-exec"),
    plain("--unresolved-symbols=ignore-all"),
    plain("--warn-unresolved-symbols --error-limit=1"),
    plain("--atomic-output"),
    plain("--mmap-output-file"),
    plain("--oformat=elf64-x86-64 -z max-page-size=0x200000"),
    plain("--threads=3"),
    plain("--color-diagnostics=always --no-demangle"),
    plain("--vs-diagnostics"),
    plain("-Bsymbolic --export-dynamic"),
    plain("-Bgroup --no-gnu-unique"),
    plain("--spare-dynamic-tags=3 --spare-program-headers=2"),
    plain("--branch-to-branch --optimize-bb-jumps"),
];

/// Names and contents of the files that only these options read.
pub const TEXTS: &[(&str, &str)] = &[
    (
        "commands",
        "ENTRY(_start)\nEXTERN(other weak_one)\nPROVIDE(provided = other + 8);\n\
         PROVIDE_HIDDEN(hidden = ALIGN(0x1000));\nHIDDEN(secret = ~3 & 0xff);\n\
         ASSERT(other != 0, \"no other\");\nVERSION { NEW { global: other; }; }\n\
         INPUT(defs.o)\nadded = DEFINED(other) ? MAX(1, 2) : SIZEOF(.text) << 2;\n\
         NOCROSSREFS(.text .data)\nTARGET(elf64-x86-64) FORCE_COMMON_ALLOCATION\n",
    ),
    ("mri", "* of MRI\nLOAD defs.o\nPUBLIC added = 16\nEXTERN other\nSTART _start\nLIST\n"),
    ("order", "other\n_start\n# a comment\nrich.o:grouped\nmissing\n"),
    ("sections", ".text.other\n.text.gr*\n.data\n*\n"),
    ("calls", "_start other 30\nother grouped 7\ngrouped _start 1\n"),
    ("names", "_start\nother\nexternal\n"),
    ("remapped", "defs.*=user.o\n# a comment\nother.o=rich.o\n"),
];

#[cfg(test)]
mod tests {
    use super::OPTIONS;

    #[test]
    fn files_beside_the_output_are_found_in_the_words() {
        let of = |words: &str| OPTIONS.iter().find(|o| o.words == words).unwrap().beside();
        assert_eq!(of("-Map=out/map --cref --print-map-discarded"), Some("map"));
        assert_eq!(of("--cref"), None);
    }
}
