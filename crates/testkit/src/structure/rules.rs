//! The intended differences from both peers, each with its reason.
//!
//! A rule depends on the difference and the link command, never on the case: it holds for every
//! program. A rule that a run over all cases does not need is an error of the run.

use super::difference::{Difference, THERE};
use super::machine_rules;

/// The command that made an output, and all differences in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output<'a> {
    pub(super) command: &'a str,
    pub(super) all: &'a [Difference],
}

/// A difference that is intended.
#[derive(Debug)]
pub struct Rule {
    /// Name of the rule in the summary.
    pub name: &'static str,
    /// The reason for the difference.
    pub why: &'static str,
    pub(super) applies: fn(&Difference, &Output<'_>) -> bool,
}

/// The rules for any machine.
const GENERAL: &[Rule] = &[
    Rule {
        name: "no empty tables",
        why: "a PLT and its slots are there only if something is called through them",
        applies: |d, _| d.is_absent(&["section .plt", "section .got.plt", "tag PLTGOT"]),
    },
    Rule {
        name: "PLT with slots of .got",
        why: "functions that are bound at once, or of which the address is taken, have their \
            entries in \
              .plt.got, as with GNU ld; lld, and GNU ld in some links, has them in .plt or .iplt",
        applies: |d, output| {
            d.is_present(&["section .plt.got"])
                || d.is_absent(&["section .rela.plt", "section .rel.plt", "section .iplt"])
                || d.is_absent(&["tag JMPREL"])
                || d.is_absent(&["relocation JUMP_SLOT"])
                    && !output.all.iter().any(|d| d.is_absent(&["import"]))
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
        name: "one frame for each function",
        why: "-r does not copy the frame of a function that another file's group replaces: at the \
            peers', the frames \
              of both copies describe the one that is kept",
        applies: |d, output| {
            let times = |text: &String| text.parse::<u64>().unwrap_or(0);
            output.command.contains(" -r")
                && d.attribute == "times"
                && d.subject.name.contains(" in .eh_frame: ")
                && d.peers().all(|peer| times(&d.ours) < times(peer))
        },
    },
    Rule {
        name: "fewer permissions",
        why: "what is only read is not executable because there is code beside it",
        applies: |d, _| {
            let ours: Vec<&str> = d.ours.split("; ").collect();
            d.attribute == "loaded"
                && d.peers().any(|peer| {
                    let theirs = peer.split("; ").last().unwrap_or_default();
                    ours.iter().all(|flags| flags.chars().all(|flag| theirs.contains(flag)))
                })
        },
    },
    Rule {
        name: "lld has no program properties",
        why: "lld reads them only for what they say of branches; GNU ld, which refuses the link, \
            joins them",
        applies: |d, _| {
            let subjects = ["note GNU 0x5", "section .note.gnu.property", "segment GNU_PROPERTY"];
            d.gnu.is_none() && (d.is_present(&subjects) || d.is(&["segment NOTE"]))
        },
    },
    Rule {
        name: "lld's kinds of slots",
        why: "a function that is bound at once has a slot of .got and not of .got.plt, as with \
            GNU ld, which \
              refuses the link",
        applies: |d, _| d.gnu.is_none() && d.is(&["relocation JUMP_SLOT"]),
    },
    Rule {
        name: "empty sections",
        why: "sections without contents are not kept, however many symbols stand in them",
        applies: |d, _| {
            d.is_absent(&["section .data", "section .bss", "section .text", "section .gnu.warning"])
                || d.gnu.is_none() && d.is_absent(&["section .got"])
        },
    },
    Rule {
        name: "lld's types of imports",
        why: "an import has the type that objects give it, as with GNU ld, which refuses the \
            link; lld takes \
              that of the library",
        applies: |d, _| d.gnu.is_none() && d.is(&["import"]) && d.attribute == "type",
    },
    Rule {
        name: "names of what GNU ld's script defines",
        why: "symbols that nothing refers to are left out, as with lld, which refuses the link",
        applies: |d, _| {
            let name = d.subject.name.split('@').next().unwrap_or_default();
            let is_symbol = ["symbol", "export"].contains(&d.subject.kind);
            let names = ["__bss_start", "_edata", "_end", "__executable_start"];
            // For AArch64 it defines these, too.
            let further = ["__bss_start__", "__bss_end__", "_bss_end__", "__end__"];
            let is_name = names.contains(&name) || further.contains(&name);
            d.lld.is_none() && d.is_absent(&[]) && is_symbol && is_name
        },
    },
    Rule {
        name: "lld's sections and segments",
        why: "PT_GNU_STACK is in every program, the end of RELRO is a section, empty sections that \
              a symbol needs stay, IFUNCs without PLT entries are in .rela.dyn, and copies of what \
              is only read in .bss.rel.ro: lld's ways, though it refuses this link",
        applies: |d, _| {
            let subjects = [
                "section .relro_padding",
                "section .tm_clone_table",
                "section .comment",
                "section .rela.dyn",
                "section .rel.dyn",
                "section .bss.rel.ro",
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
        name: "versions are symbols",
        why: "each version has an absolute symbol, as with GNU ld, which refuses the link; lld \
            has none",
        applies: |d, output| {
            let is_version = |name: &str| {
                let own = format!("{name}@@{name}");
                let mut exports = output.all.iter().filter(|d| d.subject.kind == "export");
                exports.any(|d| d.subject.name == own)
            };
            let name = d.subject.name.split('@').next().unwrap_or_default();
            let kinds = ["export", "symbol"];
            d.gnu.is_none() && kinds.contains(&d.subject.kind) && is_version(name)
        },
    },
    Rule {
        name: "IFUNCs that others see",
        why: "a program's IFUNC is a function at its PLT entry to libraries, which are relocated \
            before it",
        applies: |d, output| {
            let is_same = |other: &&Difference| other.subject.name == d.subject.name;
            let mut seen = output.all.iter().filter(|other| is_canonical(other));
            match d.subject.kind {
                "relocation" => d.is(&["relocation IRELATIVE"]) && seen.next().is_some(),
                _ => seen.any(|other| is_same(&other)),
            }
        },
    },
    Rule {
        name: "slots of IFUNCs",
        why: "they are in .got and read-only after the start, in programs without a loader too",
        applies: |d, _| {
            d.is_present(&["section .got", "section .relro_padding", "segment GNU_RELRO"])
                || d.gnu.is_none() && d.is(&["relocation IRELATIVE"])
        },
    },
    Rule {
        name: "type and size of the definition",
        why: "a definition without a type has none; GNU ld remembers those of common symbols and \
            references \
              that gave way to it",
        applies: |d, _| {
            d.is(&["symbol"])
                && (d.attribute == "type" && d.ours == "NOTYPE"
                    || d.attribute == "size" && d.ours == "0x0")
        },
    },
    Rule {
        name: "imports that nothing defines",
        why: "the loader asks for no type, and none is kept of references",
        applies: |d, _| d.is(&["import"]) && d.attribute == "type" && d.ours == "NOTYPE",
    },
    Rule {
        name: "stack notes of -r",
        why: "where an input has none, the next linker is to decide what that means",
        applies: |d, _| d.is_absent(&["section .note.GNU-stack"]),
    },
    Rule {
        name: "unique symbols of programs",
        why: "they are exported, so that libraries that are loaded later share them",
        applies: |d, _| d.is_present(&["unique export"]),
    },
    Rule {
        name: "relaxed thread-local storage",
        why: "where no access calls __tls_get_addr there is no import of it, and no library is \
            needed for it",
        applies: |d, output| {
            let is_import = |d: &Difference| d.is(&["import __tls_get_addr@GLIBC_2.3"]);
            let follows = ["needed version GLIBC_2.3 of ld-linux-x86-64.so.2", "tag NEEDED"];
            is_import(d) || d.is(&follows) && output.all.iter().any(is_import)
        },
    },
    Rule {
        name: "program properties are joined",
        why: "an output has the properties of both peers, and those of newer ABIs",
        applies: |d, _| {
            let is_known = |peer: &String| {
                let words = peer.as_bytes().chunks(32).map(String::from_utf8_lossy);
                words.clone().all(|property| d.ours.contains(&*property))
            };
            d.is(&["note GNU 0x5 in .note.gnu.property"]) && d.peers().all(is_known)
        },
    },
    Rule {
        name: "stack traces",
        why: ".sframe is not collected with what nothing refers to, and has its segment; the \
            peers here know \
              nothing of it but its bytes",
        applies: |d, _| d.is(&["section .sframe", "segment GNU_SFRAME"]),
    },
    Rule {
        name: "no loader unless one is named",
        why: "ld without a compiler's options makes a program without PT_INTERP, as lld does; GNU \
            ld knows a \
              loader by itself",
        applies: |d, output| {
            let is_bare = output.command.split(' ').next().is_some_and(|word| word.ends_with("ld"));
            d.lld.is_none() && d.is_absent(&["section .interp", "segment INTERP"])
                || is_bare && d.is_absent(&["segment PHDR"])
        },
    },
    Rule {
        name: "PT_PHDR in every program",
        why: "it costs nothing, and start code finds the thread-local block by it",
        applies: |d, _| d.is_present(&["segment PHDR"]),
    },
    Rule {
        name: "bindings of copied variables",
        why: "they are weak if the library has them so, as with GNU ld; lld makes them global",
        applies: |d, _| d.gnu.is_none() && d.attribute == "bind" && d.ours == "WEAK",
    },
    Rule {
        name: "GNU's OS ABI",
        why: "it is said where the loader resolves IFUNCs or unique symbols, and only there, \
            whether or not \
              a name of them is left",
        applies: |d, output| {
            let without = output.command.contains("--no-gnu-unique");
            d.attribute == "osabi" && (d.ours == "3" || without)
                || without && d.attribute == "bind" && d.ours == "GLOBAL"
                || without && (d.is_present(&["export"]) || d.is_absent(&["unique export"]))
        },
    },
    Rule {
        name: "scripts without a layout",
        why: "a script that says nothing of sections leaves the default layout, and MRI scripts \
            do; GNU ld \
              puts such programs at address zero",
        applies: |d, _| d.lld.is_none() && d.attribute == "entry" && d.gnu.as_deref() == Some("0"),
    },
    Rule {
        name: "scripts without an entry",
        why: "a script that lays the output out names its entry, or there is none, as with GNU ld, \
              which refuses the link",
        applies: |d, _| d.gnu.is_none() && d.attribute == "entry" && d.ours == "0",
    },
    Rule {
        name: "copies that references mean",
        why: "with -r references from debug sections stay with the copy of a group that is kept; \
              lld, where GNU ld refuses the link, drops them, and the names of the copies with them",
        applies: |d, output| {
            d.gnu.is_none()
                && output.command.contains(" -r")
                && (d.attribute == "times"
                    || d.is(&["symbol", "relocation R_X86_64_32 in .refers"]))
        },
    },
    Rule {
        name: "indexes that are asked for",
        why: "--debug-names makes one for units of any producer, format and version; lld, where GNU \
              ld does not know the option, makes none of units without a table of their own",
        applies: |d, _| d.gnu.is_none() && d.is_present(&["section .debug_names"]),
    },
    Rule {
        name: "an index of unwinding",
        why: "it is there unless an option says otherwise, as with lld, which refuses the link",
        applies: |d, _| {
            d.lld.is_none() && d.is_present(&["section .eh_frame_hdr", "segment GNU_EH_FRAME"])
        },
    },
    Rule {
        name: "data under thread-local names",
        why: "gaps are no template of thread-local storage, whatever their section is called, and \
              take memory; GNU ld marks them and gives them none",
        applies: |d, output| {
            output.command.contains(" -T")
                && d.is(&["section .tbss", "section .tdata"])
                && ["flags", "loaded", "relro"].contains(&d.attribute)
        },
    },
    Rule {
        name: "plugins of the cases",
        why: "they add files and name sections as the cases ask; the peers' links have others",
        applies: |d, output| {
            output.command.contains("plugin") && d.is(&["section", "symbol", "unwind", "export"])
        },
    },
    Rule {
        name: "functions that the loader calls",
        why: "-init and -fini of intermediate code are kept, as those of objects are; the peers' \
              compilers drop them",
        applies: |d, output| {
            let subjects = [
                "tag INIT",
                "tag FINI",
                "tag RELA",
                "tag REL",
                "tag RELENT",
                "tag RELSZ",
                "section .rel.dyn",
                "section .text",
                "section .eh_frame",
                "section .eh_frame_hdr",
                "section .rela.dyn",
                "segment GNU_EH_FRAME",
                "unwind",
                "relocation GLOB_DAT",
            ];
            d.is(&subjects)
                && output.command.contains("-flto")
                && output.all.iter().any(|d| d.is(&["tag INIT", "tag FINI"]))
        },
    },
    Rule {
        name: "build ids",
        why: "each linker makes its own of the bytes that it writes",
        applies: |d, _| d.is(&["note GNU 0x3"]) && d.attribute == "contents",
    },
    Rule {
        name: "undefined symbols that options allow",
        why: "a program calls them through the PLT as an import that nobody need define; GNU ld \
              writes a PLT that leads nowhere, or a relocation of the program's code",
        applies: |d, output| {
            let subjects = [
                "import",
                "relocation",
                "word",
                "section .plt",
                "section .rela.plt",
                "section .rela.dyn",
                "tag JMPREL",
                "tag RELA",
                "tag FLAGS",
                "tag TEXTREL",
            ];
            d.lld.is_none()
                && d.is(&subjects)
                && ["unresolved", "undefined"].iter().any(|word| output.command.contains(word))
        },
    },
    Rule {
        name: "no executable stack unasked",
        why: "an object that says nothing of the stack does not ask for an executable one, as \
            with lld",
        applies: |d, _| d.is(&["segment GNU_STACK"]) && d.ours == "RW",
    },
    Rule {
        name: "one answer for what is undefined and weak",
        why: "what code at a fixed address takes as zero is no import, and words have what the GOT \
            has; GNU ld and lld have both answers in one program, or keep a symbol that nothing \
            uses",
        applies: |d, output| {
            let is_about_loader = |d: &Difference| {
                d.is_absent(&["import", "relocation GLOB_DAT", "relocation JUMP_SLOT"])
                    || d.is(&["word", "section .rela.dyn", "tag RELA", "tag TEXTREL", "tag FLAGS"])
            };
            !output.command.contains("-shared")
                && (is_about_loader(d) || d.is_present(&["import"]))
                && output.all.iter().all(|d| is_about_loader(d) || d.is(&["import"]))
        },
    },
    Rule {
        name: "weak imports of programs",
        why: "what only weak references want is imported by programs of each kind, as with lld",
        applies: |d, _| {
            d.lld.is_none()
                && d.is_present(&[
                    "import _ITM_deregisterTMCloneTable",
                    "import _ITM_registerTMCloneTable",
                ])
        },
    },
    Rule {
        name: "pieces of split sections",
        why: "records of unwinding stay in one section, and symbols of sections need no names",
        applies: |d, output| {
            let name = d.subject.name.as_str();
            let is_piece =
                name.ends_with(|c: char| c.is_ascii_digit()) || name.contains(".eh_frame");
            let is_moved = d.is(&["symbol"]) && d.attribute == "section";
            output.command.contains("--split-by-") && (is_piece || is_moved)
        },
    },
    Rule {
        name: "compressed where it is smaller",
        why: "each linker asks its own compressor whether a section of debug information gets \
            smaller, and \
              names may tell",
        applies: |d, output| {
            let is_debug = d.subject.name.contains("debug_") || d.ours.contains(".debug_");
            is_debug && output.command.contains("compress-debug-sections")
        },
    },
    Rule {
        name: "references to copies that are dropped",
        why: "with -r their records of unwinding are dropped too, and others refer to nothing",
        applies: |d, _| {
            let is_unlinked = d.subject.name.contains("[.gnu.linkonce.");
            let nothing =
                ["relocation R_X86_64_NONE", "relocation R_386_NONE", "relocation R_AARCH64_NONE"];
            d.is(&nothing) || d.is(&["relocation"]) && is_unlinked
        },
    },
    Rule {
        name: "static PIE is relaxed",
        why: "before it has relocated itself nothing may go through the GOT, --no-relax or not",
        applies: |d, output| {
            d.is_absent(&["relocation RELATIVE"]) && output.command.contains("no-relax")
        },
    },
    Rule {
        name: "order of archive members",
        why: "functions of one priority run in the order of the files; that of members that are \
            taken is \
              each linker's own",
        applies: |d, _| {
            let sorted = |text: &String| {
                let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
                words.sort();
                words
            };
            let is_same = |peer: &String| sorted(peer) == sorted(&d.ours);
            d.is(&["startup"]) && d.gnu.is_some() && d.gnu != d.lld && d.peers().all(is_same)
        },
    },
    Rule {
        name: "import libraries",
        why: "they are relocatable files, which every linker reads",
        applies: |d, output| {
            let is_of_program = ["header", "segment", "unwind"].contains(&d.subject.kind);
            is_of_program && d.is_absent(&[]) && output.command.contains("--out-implib")
        },
    },
    Rule {
        name: "records with addresses",
        why: "the loader relocates them; GNU ld turns addresses in .eh_frame into distances",
        applies: |d, _| d.is_present(&["relocation of unwinding"]),
    },
    Rule {
        name: "words too narrow for the loader",
        why: "a relocation of eight bytes would overwrite the word behind one of four",
        applies: |d, _| d.is(&["word"]) && d.ours.starts_with("32 "),
    },
    Rule {
        name: "DT_PLTGOT",
        why: "it is there with .got.plt, which may be there for those who refer to it",
        applies: |d, _| d.is_present(&["tag PLTGOT"]),
    },
    Rule {
        name: "slots of .got.plt",
        why: "they are left to be written, in programs without a loader too",
        applies: |d, _| d.is(&["section .got.plt"]) && d.attribute == "relro" && d.ours == "false",
    },
    Rule {
        name: "TLS descriptors are resolved at the start",
        why: "no loader resolves them lazily any more, and no entry of the PLT is made for that",
        applies: |d, _| d.is_absent(&["tag TLSDESC_PLT", "tag TLSDESC_GOT", "section .rela.plt"]),
    },
    Rule {
        name: "bounds of sections are exported",
        why: "asking for their visibility in a program asks for them to be seen",
        applies: |d, output| output.command.contains("start-stop-visibility") && d.is_present(&[]),
    },
    Rule {
        name: "shuffled",
        why: "--shuffle-sections leaves the order of constructors alone, which programs depend on",
        applies: |d, output| d.gnu.is_none() && output.command.contains("shuffle-sections"),
    },
    Rule {
        name: "text relocations for IFUNCs",
        why: "code goes through the PLT instead",
        applies: |d, _| d.gnu.is_none() && d.is_absent(&["tag FLAGS", "tag TEXTREL"]),
    },
    Rule {
        name: "package metadata",
        why: "what is percent-encoded on the command line is decoded, as lld's later releases do",
        applies: |d, output| {
            d.is(&["note FDO 0xcafe1a7e"]) && output.command.contains("package-metadata")
        },
    },
    Rule {
        name: "notes of folded sections",
        why: "what is linked to a section that is folded stays if it differs",
        applies: |d, output| {
            d.gnu.is_none() && d.is_present(&["symbol"]) && output.command.contains("--icf")
        },
    },
    Rule {
        name: "split stacks",
        why: "lld calls another function of libgcc to grow a stack, and so takes more of it",
        applies: |d, output| d.gnu.is_none() && output.command.contains("split"),
    },
    Rule {
        name: "relocations kept without names",
        why: "--emit-relocs -s lets relocations refer to sections",
        applies: |d, output| d.is_absent(&["symbol"]) && output.command.contains("--emit-relocs"),
    },
    Rule {
        name: "odd addresses",
        why: "where words stand at odd addresses nothing is packed",
        applies: |d, _| d.is_absent(&["section .relr.dyn", "tag RELR"]),
    },
    Rule {
        name: "names of binary inputs",
        why: "they are those that the script writes, for the files behind TARGET(binary); GNU ld \
            puts a \
              directory before them, and takes what STARTUP names for binary too",
        applies: |d, output| {
            let is_binary = |d: &Difference| d.subject.name.starts_with("_binary_");
            let is_symbol = d.lld.is_none() && d.is(&["symbol"]) && d.attribute == THERE;
            is_symbol && (is_binary(d) || output.all.iter().any(is_binary) && d.ours == "yes")
        },
    },
    Rule {
        name: "one symbol of two spellings",
        why: "foo@V1 and foo@@V1 are one symbol, and have one entry; lld, where GNU ld refuses \
            the link, has \
              two, and exports what a .symver keeps from its other versions",
        applies: |d, _| {
            let is_doubled = |peer: &String| *peer == format!("{0}; {0}", d.ours);
            let is_of_lld = d.gnu.is_none() && d.lld.is_some();
            is_of_lld
                && (d.is(&["symbol"]) && d.peers().all(is_doubled) || d.is_absent(&["export"]))
        },
    },
    Rule {
        name: "what is required is not imported",
        why: "--require-defined asks whether a library has the symbol; nothing in the program \
            refers to it",
        applies: |d, output| {
            let kinds =
                ["import", "needed version", "section .gnu.version", "tag VERNEED", "tag VERSYM"];
            let kinds = [&kinds[..], &["section .gnu.version_r"]].concat();
            d.is_absent(&kinds) && output.command.contains("--require-defined")
        },
    },
    Rule {
        name: "names of intermediate code",
        why: "the compiler ends the names of its sections with a number that it draws by lot",
        applies: |d, _| d.subject.kind == "section" && d.subject.name.starts_with(".gnu.lto_"),
    },
    Rule {
        name: "thread-local commons",
        why: "those that no statement takes stand in .tbss, where all other thread-local zeros are; \
              GNU ld makes .tcommon, and lld has them in .bss",
        applies: |d, _| {
            d.is_present(&["section .tbss"])
                || d.is_absent(&["section .tcommon"])
                || d.is(&["symbol"]) && d.attribute == "section" && d.ours == ".tbss"
        },
    },
    Rule {
        name: "commons that a library defines",
        why: "they take no room; GNU ld keeps what it had made for them",
        applies: |d, _| d.lld.is_none() && d.is_absent(&["section .tbss", "segment TLS"]),
    },
    Rule {
        name: "segments of scripts",
        why: "sections of different permissions that share a page are in one segment, as with GNU ld, \
              which refuses the link; lld has several at one page",
        applies: |d, output| {
            let is_more = |theirs: &String| theirs.chars().all(|flag| d.ours.contains(flag));
            d.gnu.is_none()
                && output.command.contains(" -T")
                && d.attribute == "loaded"
                && d.lld.as_ref().is_some_and(is_more)
        },
    },
    Rule {
        name: "copies for commons that ask for more",
        why: "code that reaches a library's variable by the GOT writes as much as its own common \
              symbol has: the copy has room for it; at the peers it writes over what stands behind",
        applies: |d, _| d.is_present(&["copied word"]),
    },
    Rule {
        name: "properties that an option takes back",
        why: "-z noindirect-extern-access takes the property of the inputs back; GNU ld keeps it",
        applies: |d, output| {
            let subjects = ["note GNU 0x5", "section .note.gnu.property", "segment GNU_PROPERTY"];
            let subjects = [&subjects[..], &["segment NOTE"]].concat();
            d.is_absent(&subjects) && output.command.contains("noindirect-extern-access")
        },
    },
];

/// All rules: the first that fits explains a difference.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    GENERAL.iter().chain(machine_rules::RULES)
}

/// Whether the output has a plain function where peers have an IFUNC.
fn is_canonical(difference: &Difference) -> bool {
    difference.attribute == "type"
        && difference.ours == "FUNC"
        && difference.peers().any(|kind| kind == "GNU_IFUNC")
}

impl Difference {
    /// The values in the outputs of the peers.
    pub(super) fn peers(&self) -> impl Iterator<Item = &String> {
        [self.gnu.as_ref(), self.lld.as_ref()].into_iter().flatten()
    }

    /// Whether the difference is of one of `subjects`: kind and name, or the beginning of both up
    /// to the end of a word. Without `subjects` any difference is.
    pub(super) fn is(&self, subjects: &[&str]) -> bool {
        let text = format!("{} {} ", self.subject.kind, self.subject.name);
        let starts = |subject: &&str| {
            text.strip_prefix(*subject).is_some_and(|rest| rest.starts_with([' ', '.']))
        };
        subjects.is_empty() || subjects.iter().any(starts)
    }

    /// Whether our output lacks one of `subjects` that peers' outputs have.
    pub(super) fn is_absent(&self, subjects: &[&str]) -> bool {
        self.attribute == THERE && self.ours == "no" && self.is(subjects)
    }

    /// Whether our output has one of `subjects` that peers' outputs lack.
    pub(super) fn is_present(&self, subjects: &[&str]) -> bool {
        self.attribute == THERE && self.ours == "yes" && self.is(subjects)
    }
}

/// Index of the rule that explains `difference`, one of `all` in the output that `command` made.
pub fn explanation(difference: &Difference, found: &[Difference], command: &str) -> Option<usize> {
    let output = Output { command, all: found };
    all().position(|rule| (rule.applies)(difference, &output))
}
