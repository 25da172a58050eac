//! The meaning of a command line: plain values, no symbols and no files.
//!
//! [`super::parse`] fills the [`Options`]; every later stage reads them; nothing changes them
//! afterwards.

use super::of_machine::MachineWords;
use super::processors::{MemoryTagging, Processors, Repairs};
use crate::machine::Machine;
use object::elf::{STV_DEFAULT, STV_PROTECTED};
use skald_dwarf::dedup::Level;
use std::path::{Path, PathBuf};

pub use super::arrangement::*;
use super::feature_words::FeatureWords;
pub use super::lto::{Distributor, GivenPlugin, Lto};
pub use super::memory_limit::MemoryLimit;
pub use super::reports::Reports;

/// The values of all options. Backticks enclose the option that sets a field, or the word of `-z`.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// `-o`; `a.out` by default.
    pub output: PathBuf,
    /// Executable, shared library, or with `-r` an object.
    pub kind: OutputKind,
    /// `-static` was the last of `-static`/`-Bdynamic` style choices for the whole link: no
    /// interpreter. (Per-input static search is [`Input::search_static`].)
    pub is_static: bool,
    /// Inputs in command-line order, each with the positional flags in force.
    pub inputs: Vec<Input>,
    /// `-L` directories in order, `=`/`$SYSROOT` already replaced, and then those of the machine.
    pub library_paths: Vec<PathBuf>,
    /// `-nostdlib`: libraries are searched for in the directories of `-L` and `-Y` alone, not in
    /// those that scripts name.
    pub only_given_directories: bool,
    /// `--sysroot`: put before library directories that begin with `=`.
    pub sysroot: Option<PathBuf>,
    /// `-rpath-link`: directories in which to search for libraries that libraries need.
    pub rpath_link: Vec<PathBuf>,
    /// The machine of the link; [`Options::link_for`] sets it.
    pub machine: &'static Machine,
    /// How the machine was determined.
    pub machine_from: MachineFrom,
    /// The words of the command line that depend on the machine.
    pub machine_words: MachineWords,
    /// `-T`: linker scripts given as the layout, which are joined in this order.
    pub scripts: Vec<GivenScript>,
    /// `--default-script`: the layout if there is no `-T`.
    pub default_script: Option<PathBuf>,
    /// `-c`: scripts in the language of MRI's linker.
    pub mri_scripts: Vec<MriScript>,
    /// The layout of MRI scripts, as the text of a linker script.
    pub mri_layout: Option<&'static [u8]>,
    /// `-C`: the directory to work in; the program changes to it before anything is opened.
    pub directory: Option<PathBuf>,
    /// `--chroot`: put before absolute paths. Paths of the command line have it already.
    pub chroot: Option<PathBuf>,
    /// `--remap-inputs` patterns and replacements.
    pub remap_inputs: Vec<(String, String)>,
    /// `--remap-inputs-file` files: one pair on each line.
    pub remap_inputs_files: Vec<PathBuf>,
    /// `--no-dependent-libraries`: `.deplibs` sections are not followed.
    pub no_dependent_libraries: bool,
    /// `-o` was given.
    pub output_is_given: bool,

    /// `-e`: a symbol or a number; `None` for the machine's default.
    pub entry: Option<String>,
    /// `-init`: the function of DT_INIT, `_init` by default.
    pub init: String,
    /// `-fini`: the function of DT_FINI, `_fini` by default.
    pub fini: String,
    /// `-u`: names that are undefined from the start, so that archive members are taken.
    pub undefined: Vec<String>,
    /// `-u` for all names that match (`--undefined-glob`).
    pub undefined_glob: Vec<String>,
    /// `--require-defined` names (also entered as undefined).
    pub require_defined: Vec<String>,
    /// `--defsym NAME=EXPRESSION`, in order.
    pub defsym: Vec<GivenSymbol>,
    /// `--wrap`: names whose references are redirected to `__wrap_NAME`.
    pub wrap: Vec<String>,
    /// `-y`: names whose definitions and references are listed.
    pub trace_symbol: Vec<String>,
    /// `-t`, `--trace`: the linked files are listed.
    pub trace: bool,
    /// `--no-fortran-common`: an archive member's definition does not replace a common symbol.
    pub no_fortran_common: bool,
    /// `--ignore-unresolved-symbol` names: these are not reported when undefined.
    pub ignore_unresolved: Vec<String>,
    /// `--start-stop`: `__start_`/`__stop_` symbols for every output section.
    pub start_stop: bool,

    /// `-soname`: DT_SONAME.
    pub soname: Option<String>,
    /// `-rpath`/`-R` joined with `:`, duplicates removed; empty for none.
    pub rpath: String,
    /// `--enable-new-dtags` (default): DT_RUNPATH and not DT_RPATH.
    pub new_dtags: bool,
    /// `--dynamic-linker`; `None` for `--no-dynamic-linker` or not given.
    pub dynamic_linker: Option<String>,
    /// `--no-dynamic-linker` was given.
    pub no_dynamic_linker: bool,
    /// `-f`, `--auxiliary`: DT_AUXILIARY.
    pub auxiliary: Vec<String>,
    /// `-F`, `--filter`: DT_FILTER.
    pub filter: Vec<String>,
    /// `--audit` joined with `:`: DT_AUDIT.
    pub audit: String,
    /// `--depaudit`, `-P`, joined with `:`: DT_DEPAUDIT.
    pub depaudit: String,
    /// `--hash-style`: which hash tables `.dynsym` has.
    pub hash_style: HashStyle,
    /// `-z pack-relative-relocs`: DT_RELR, and a version dependency by which an older glibc refuses
    /// the output.
    pub pack_relative_relocs: bool,
    /// `--pack-dyn-relocs=relr`: DT_RELR alone. Neither option undoes the other.
    pub pack_dyn_relocs_relr: bool,
    /// `--spare-dynamic-tags`: how many DT_NULL are added.
    pub spare_dynamic_tags: u32,
    /// `--pack-dyn-relocs=android` or `android+relr`: packed `.rela.dyn`.
    pub pack_android_relocs: bool,
    /// `--use-android-relr-tags`: DT_ANDROID_RELR instead of DT_RELR.
    pub android_relr_tags: bool,
    /// `--[no-]apply-dynamic-relocs`: addends are also written in place; `None` when not given.
    pub apply_dynamic_relocs: Option<bool>,
    /// `-Bgroup`: DF_1_GROUP.
    pub group_lookup: bool,

    /// `-E`: a program exports all its global symbols.
    pub export_dynamic: bool,
    /// `--export-dynamic-symbol` patterns and those of `--export-dynamic-symbol-list` files.
    pub export_dynamic_symbols: Vec<String>,
    /// `--dynamic-list` files and `--export-dynamic-symbol-list` files, in order.
    pub dynamic_lists: Vec<DynamicListFile>,
    /// `--dynamic-list-data`: every data symbol is in the dynamic list.
    pub dynamic_list_data: bool,
    /// `--dynamic-list-cpp-new`: `operator new` and `delete` are in the dynamic list.
    pub dynamic_list_cpp_new: bool,
    /// `--dynamic-list-cpp-typeinfo`: type information is in the dynamic list.
    pub dynamic_list_cpp_typeinfo: bool,
    /// `--exclude-libs`: archives whose symbols are not exported; `ALL` is one of the names.
    pub exclude_libs: Vec<String>,
    /// `-Bsymbolic` and the like: which references of a shared library bind to itself.
    pub bsymbolic: Bsymbolic,
    /// `--version-script` files.
    pub version_scripts: Vec<PathBuf>,
    /// `--default-symver`: symbols without a version get the soname as version.
    pub default_symver: bool,
    /// `--default-imported-symver`: imports without a version get the library's soname as version.
    pub default_imported_symver: bool,
    /// `--version-exports-section`: the version of what `.exports` sections list.
    pub version_exports_section: Option<String>,
    /// `--no-undefined-version`: a name in a version script that nothing defines is an error.
    pub no_undefined_version: bool,
    /// `-z undefs`/`-z defs`/`--no-undefined`, `--unresolved-symbols`, `--warn-unresolved-symbols`.
    pub unresolved: Unresolved,
    /// `--[no-]allow-shlib-undefined`, or what a later `--unresolved-symbols` says of shared
    /// libraries; `None` when neither is given.
    pub allow_shlib_undefined: Option<bool>,
    /// `--warn-unresolved-symbols`: what is reported is reported as a warning.
    pub warn_unresolved: bool,
    /// `--allow-multiple-definition` or `-z muldefs`.
    pub allow_multiple_definition: bool,
    /// `--disable-multiple-abs-defs`: symbols of `--just-symbols` are definitions like others.
    pub strict_just_symbols: bool,
    /// `--no-gnu-unique`: STB_GNU_UNIQUE becomes STB_GLOBAL.
    pub no_gnu_unique: bool,
    /// `--warn-common`: common symbols that are joined, or replaced by a definition.
    pub warn_common: bool,

    /// `--gc-sections`: sections that no root reaches are left out.
    pub gc_sections: bool,
    /// `--print-gc-sections`: the sections that are left out are listed.
    pub print_gc_sections: bool,
    /// `-z start-stop-gc`: `__start_NAME` and `__stop_NAME` keep no section.
    pub start_stop_gc: bool,
    /// `-z start-stop-visibility`: an `STV_*` value.
    pub start_stop_visibility: Option<u8>,
    /// `--gc-keep-exported`.
    pub gc_keep_exported: bool,
    /// `--icf`: which equal sections are folded.
    pub icf: Icf,
    /// `--keep-unique`: names whose sections are not folded.
    pub keep_unique: Vec<String>,
    /// `--ignore-data-address-equality`: data whose address is taken may be folded, and protected
    /// variables may be copied.
    pub ignore_data_address_equality: bool,
    /// `--ignore-function-address-equality`: a library's protected function may have a second
    /// address in the program.
    pub ignore_function_address_equality: bool,
    /// `--string-merge`, `--no-string-merge`; `None` when not given.
    pub string_merge: Option<bool>,
    /// `-O LEVEL`, 1 when not given.
    pub optimize: u32,
    /// `--optimize-bb-jumps`: jumps to the next section are removed.
    pub optimize_bb_jumps: bool,
    /// Tagging of memory.
    pub memory_tagging: MemoryTagging,
    /// `--fix-cortex-a53-843419`, `--fix-cortex-a53-835769`: errata that are repaired.
    pub repairs: Repairs,
    /// What options say of the processor and of the platform.
    pub processors: Processors,
    /// `--branch-to-branch`: a branch to an unconditional branch goes to its target.
    pub branch_to_branch: bool,
    /// `--split-stack-adjust-size`: additional bytes of stack for functions that call code without
    /// a split stack; `None` for the default.
    pub split_stack_adjust_size: Option<u32>,
    /// `--no-relax`: instructions are not rewritten.
    pub no_relax: bool,
    /// `--no-relax-gp`: no code is rewritten so that it counts from the global pointer.
    pub no_relax_gp: bool,

    /// `-EB`, `-EL`: which name of `OUTPUT_FORMAT` in a script holds.
    pub format_choice: FormatChoice,
    /// `--oformat`: ELF, or another format made of the ELF file.
    pub output_format: OutputFormat,
    /// `--oformat` was given, if only as ELF: scripts cannot change it.
    pub output_format_is_given: bool,
    /// `-m` or a format's name: `EI_OSABI` of another system; `None` if the content decides.
    pub os_abi: Option<u8>,
    /// `--compress-debug-sections`: how `.debug_*` are compressed.
    pub compress_debug_sections: Compression,
    /// `--compress-sections`: output section patterns and what they are compressed with; the last
    /// matching pattern holds.
    pub compress_sections: Vec<(String, Compression)>,
    /// `--gdb-index`: make `.gdb_index`.
    pub gdb_index: bool,
    /// `--gdb-index-version`: 7, 8 or 9.
    pub gdb_index_version: u32,
    /// `--debug-names`: make one `.debug_names`.
    pub debug_names: bool,
    /// `--dedup-debug-types`: how duplicates in debug sections are removed.
    pub dedup_debug_types: Option<Level>,
    /// `--separate-debug-file`: the file for debug sections.
    pub separate_debug_file: Option<PathBuf>,
    /// `--only-keep-debug`: the output is the separate debug file alone.
    pub only_keep_debug: bool,
    /// `--separate-debug-file` without a name: the file is named after the output.
    pub debug_file_beside_output: bool,
    /// `--dwp`: the file for the package of `.dwo` files.
    pub dwp: Option<PathBuf>,
    /// `--force-exe-suffix`: the output is copied to a file with the suffix `.exe`.
    pub force_exe_suffix: bool,
    /// `--out-implib`: the file for an object with the addresses of symbols.
    pub out_implib: Option<PathBuf>,
    /// `--enable-linker-version`: `.comment` names the linker and its version.
    pub linker_version: bool,
    /// `--no-ld-generated-unwind-info`: no unwind information for the PLT.
    pub no_plt_unwind_info: bool,
    /// `--build-id`: how the id is made, if there is one.
    pub build_id: BuildId,
    /// `--eh-frame-hdr`: makes a search table for `.eh_frame`.
    pub eh_frame_hdr: bool,
    /// `--emit-relocs`: relocations of inputs are kept.
    pub emit_relocs: bool,
    /// `-s`, `-S`: whether symbols and debug sections are kept.
    pub strip: Strip,
    /// `--no-strip-discarded`: symbols of discarded sections stay.
    pub no_strip_discarded: bool,
    /// `-x`, `-X`, `--discard-none`: which local symbols are left out.
    pub discard: Discard,
    /// `--retain-symbols-file`: a file with the names of symbols to keep.
    pub retain_symbols_file: Option<PathBuf>,
    /// `-d`, `-dc`, `-dp`: allocate commons even with `-r`.
    pub define_common: bool,
    /// `--no-define-common`: commons stay undefined in a shared library.
    pub no_define_common: bool,
    /// `--image-base` or `-Ttext-segment`.
    pub image_base: Option<u64>,
    /// `--section-start`, `-Ttext`, `-Tdata`, `-Tbss`: output section name and address.
    pub section_start: Vec<(String, u64)>,
    /// `-Bstatic` holds at the end of the command line, and so for libraries that plugins name.
    pub ends_static: bool,
    /// `-N`: code is writable, and segments are not aligned to pages.
    pub omagic: bool,
    /// `-n`: segments are not aligned to pages.
    pub nmagic: bool,
    /// `--rosegment`: read-only data has a segment of its own, or not; `None` if no option says.
    pub rosegment: Option<bool>,
    /// `--package-metadata` text, decoded.
    pub package_metadata: Option<String>,

    /// What words of `-z` set.
    pub z: ZOptions,

    /// `--threads=N`; 0 for the machine's.
    pub threads: usize,
    /// `--memory-limit`, or the environment.
    pub memory_limit: MemoryLimit,
    /// `--fork`: the process ends while a child process still frees the memory of the link.
    pub fork: bool,
    /// `--[no-]demangle`.
    pub demangle: bool,
    /// Whether maps and cross references demangle too: only if `--demangle` is given. Half a
    /// million names take longer than the link.
    pub demangle_lists: bool,
    /// `--color-diagnostics`: `None` for when standard error is a terminal.
    pub color: Option<bool>,
    /// `--error-limit`: after this many errors the link stops; 0 is no limit.
    pub error_limit: usize,
    /// `--fatal-warnings`: warnings are errors.
    pub fatal_warnings: bool,
    /// `-w`: warnings are not printed.
    pub no_warnings: bool,
    /// `--noinhibit-exec`: an output is written despite some errors.
    pub noinhibit_exec: bool,
    /// `--[no-]mmap-output-file`, `None` for the linker's own choice.
    pub mmap_output: Option<bool>,
    /// `--[no-]prefetch`; `None`: only files that are not in memory are prefetched.
    pub prefetch: Option<bool>,
    /// `--atomic-output`: the output gets its name when it is complete.
    pub atomic_output: bool,
    /// `--time`: the time of each phase is printed.
    pub time: bool,
    /// `--dependency-file`: a rule for `make` that lists the inputs.
    pub dependency_file: Option<PathBuf>,
    /// `-Map`: path of the map; `-` for standard output.
    pub map: Option<PathBuf>,

    /// Order and placement of sections.
    pub arrangement: Arrangement,
    /// Reports, and warnings that options turn on or off.
    pub reports: Reports,
    /// What options pass to a compiler plugin.
    pub lto: Lto,
}

impl Options {
    /// Adds a symbol of `--defsym` behind the inputs and scripts so far.
    pub fn define_symbol(&mut self, name: String, expression: String) {
        let (position, scripts) = (self.inputs.len(), self.scripts.len());
        self.defsym.push(GivenSymbol { name, expression, position, scripts });
    }

    /// Whether `__start_NAME` and `__stop_NAME` are visible to other modules: `-z
    /// start-stop-visibility` was given, and does not hide them.
    pub fn exports_section_bounds(&self) -> bool {
        matches!(self.start_stop_visibility, Some(STV_DEFAULT | STV_PROTECTED))
    }

    /// Whether options name symbols that stay preemptible although all others bind locally.
    pub fn lists_preemptible_symbols(&self) -> bool {
        !self.dynamic_lists.is_empty()
            || !self.export_dynamic_symbols.is_empty()
            || self.dynamic_list_data
            || self.dynamic_list_cpp_new
            || self.dynamic_list_cpp_typeinfo
    }

    /// `-z max-page-size`, or the machine's.
    pub fn max_page_size(&self) -> u64 {
        self.z.max_page_size.unwrap_or(self.machine.max_page_size)
    }

    /// Whether relative relocations go to `.relr.dyn`. It can only hold even addresses, and an
    /// option may put sections at odd ones.
    pub fn packs_relative_relocations(&self) -> bool {
        (self.pack_relative_relocs || self.pack_dyn_relocs_relr)
            && self.fixed_addresses().all(|address| address.is_multiple_of(2))
    }
}

/// How the machine of the link was determined.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MachineFrom {
    /// Not at all: it is the default, unless the first file is for another machine.
    #[default]
    Nothing,
    /// `-m`, or the name of one of its formats for `--oformat`.
    Option,
    /// The first file of the command line that is for one machine, or a script that names one.
    File(PathBuf),
}

impl MachineFrom {
    /// The file that determined the machine.
    pub fn file(&self) -> Option<&Path> {
        match self {
            MachineFrom::File(path) => Some(path),
            MachineFrom::Nothing | MachineFrom::Option => None,
        }
    }
}

/// The kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputKind {
    /// ET_EXEC: a program at fixed addresses.
    #[default]
    Executable,
    /// ET_DYN with an entry point (`-pie`), static-PIE included.
    PieExecutable,
    /// `-shared`: ET_DYN, a library.
    Shared,
    /// `-r`: ET_REL, an object made of objects.
    Relocatable,
}

/// One input, and the flags that stood before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The file, or the name of the library.
    pub what: InputName,
    /// `--as-needed`: DT_NEEDED only if it is used.
    pub as_needed: bool,
    /// `--whole-archive`: all members are taken.
    pub whole_archive: bool,
    /// `-Bstatic` in force: `-l` looks for archives only.
    pub search_static: bool,
    /// Between `--start-lib` and `--end-lib`: taken only if needed, like an archive member.
    pub lazy: bool,
    /// `-b binary`: the file is data, not an object.
    pub binary: bool,
    /// `--just-symbols`: only the values of its symbols are used.
    pub just_symbols: bool,
    /// Inputs between `--start-group` and `--end-group`, or `--start-lib` and `--end-lib`, have the
    /// same number, and other inputs one each; numbers grow from left to right.
    pub group: u32,
    /// `--copy-dt-needed-entries`: libraries that it needs as a shared library resolve symbols,
    /// too.
    pub copies_needed: bool,
    /// For a library that is an input because another library needs it: that library's DT_NEEDED
    /// entry, used if there is no DT_SONAME.
    pub needed_as: Option<Vec<u8>>,
}

impl Input {
    /// An input that no word of the command line names, so no positional flag applies to it.
    pub fn unnamed(what: InputName, search_static: bool) -> Input {
        Input {
            what,
            as_needed: false,
            whole_archive: false,
            search_static,
            lazy: false,
            binary: false,
            just_symbols: false,
            group: u32::MAX,
            copies_needed: false,
            needed_as: None,
        }
    }
}

/// A script of `-c`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MriScript {
    /// Path of the script.
    pub path: PathBuf,
    /// The flags in force for the inputs that it names.
    pub input: Input,
    /// Number of inputs of the command line before it.
    pub position: usize,
}

/// A symbol of `--defsym`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenSymbol {
    /// The symbol's name.
    pub name: String,
    /// Its value, unparsed.
    pub expression: String,
    /// Number of inputs of the command line before it.
    pub position: usize,
    /// Number of scripts of `-T` before it.
    pub scripts: usize,
}

/// A script of `-T`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenScript {
    /// Path of the script.
    pub path: PathBuf,
    /// The flags in force for the inputs that it names.
    pub input: Input,
    /// Number of inputs of the command line before it: those that it names come behind them.
    pub position: usize,
}

/// How the command line names an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputName {
    /// A path.
    Path(PathBuf),
    /// `-lNAME`, or `-l:FILE` with the colon kept.
    Library(String),
}

/// A file of `--dynamic-list` or `--export-dynamic-symbol-list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DynamicListFile {
    /// Path of the file.
    pub path: PathBuf,
    /// From `--dynamic-list` (makes other symbols of a shared library bind locally, as
    /// `-Bsymbolic`) rather than `--export-dynamic-symbol-list`.
    pub binds_others: bool,
}

/// `-Bsymbolic` and the like: which references of a shared library bind to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bsymbolic {
    /// `-Bno-symbolic`: none that is preemptible.
    #[default]
    None,
    /// `-Bsymbolic`: all symbols.
    All,
    /// `-Bsymbolic-functions`: those to functions, and to symbols without a type.
    Functions,
    /// `-Bsymbolic-non-weak`: those to definitions that are not weak.
    NonWeak,
    /// `-Bsymbolic-non-weak-functions`: those to functions that are not weak.
    NonWeakFunctions,
}

/// How an undefined symbol is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unresolved {
    /// Error in executables, nothing in shared libraries.
    #[default]
    Default,
    /// Error everywhere (`-z defs`).
    ReportAll,
    /// A warning instead of an error.
    Warn,
    /// No undefined symbol is an error (`--unresolved-symbols=ignore-all`).
    IgnoreAll,
    /// Undefined symbols of objects are no errors (`ignore-in-object-files`).
    IgnoreInObjectFiles,
    /// Errors from objects, nothing from shared libraries (`ignore-in-shared-libs`).
    IgnoreInSharedLibs,
}

/// `--hash-style`: the hash tables of `.dynsym`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashStyle {
    /// `.hash` (gABI, "Hash Table").
    pub sysv: bool,
    /// `.gnu.hash`, GNU's table with a Bloom filter.
    pub gnu: bool,
}

impl Default for HashStyle {
    fn default() -> Self {
        HashStyle { sysv: true, gnu: true }
    }
}

/// `--build-id`: how `.note.gnu.build-id` is made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BuildId {
    /// No build id.
    #[default]
    None,
    /// 8 bytes: `fast`.
    Fast,
    /// 16 bytes: `md5`.
    Md5,
    /// 16 bytes, random: `uuid`.
    Uuid,
    /// 20 bytes: `sha1` and `tree`, the default style.
    Sha1,
    /// 32 bytes: `sha256`.
    Sha256,
    /// These bytes: `0x...`.
    Hex(Vec<u8>),
}

/// `--icf`: which equal sections are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Icf {
    /// No section is folded.
    #[default]
    None,
    /// Functions whose address no relocation takes.
    Safe,
    /// All sections that are equal, even if their address is taken.
    All,
}

/// Which name of `OUTPUT_FORMAT(default, big, little)` in a script holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FormatChoice {
    /// The first.
    #[default]
    Default,
    /// `-EB`: the second, if there is one.
    Big,
    /// `-EL`: the third, if there is one.
    Little,
}

/// `--oformat`: the format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputFormat {
    /// ELF for x86-64.
    #[default]
    Elf,
    /// The bytes of memory, without headers.
    Binary,
    /// Motorola S-records.
    Srec,
    /// Motorola S-records with symbols.
    SymbolSrec,
    /// Intel hexadecimal records.
    Ihex,
    /// Verilog memory image.
    Verilog,
}

/// How debug sections are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Debug sections are not compressed.
    #[default]
    None,
    /// ELFCOMPRESS_ZLIB at this level (0 to 9), `None` for the linker's choice.
    Zlib(Option<u8>),
    /// ELFCOMPRESS_ZSTD at this level (1 to 22), `None` for the linker's choice.
    Zstd(Option<u8>),
    /// zlib in sections `.zdebug_*`, for tools that do not know SHF_COMPRESSED.
    Zdebug,
}

/// `-s`, `-S` and the like: what is stripped from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strip {
    /// Nothing.
    #[default]
    None,
    /// `--strip-debug-non-line`: debug information that line numbers do not need.
    NonLine,
    /// `-S`: debug sections.
    Debug,
    /// `-s`: debug sections and `.symtab`.
    All,
}

/// `-x`, `-X`, `--discard-none`: local symbols that `.symtab` leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discard {
    /// Names with `.L` in mergeable sections.
    #[default]
    Default,
    /// `-X`: all names with `.L`.
    Locals,
    /// `-x`: all local symbols.
    All,
    /// `--discard-none`: no local symbol is dropped.
    None,
}

/// Values of `-z` words, with the defaults of x86-64 Linux.
#[derive(Debug, Clone, Default)]
pub struct ZOptions {
    /// `now`: DF_BIND_NOW, no lazy binding.
    pub now: bool,
    /// `relro`: PT_GNU_RELRO (on by default).
    pub relro: bool,
    /// `text`: `Some(true)` makes text relocations errors, `Some(false)` (`notext`) allows them.
    pub text: Option<bool>,
    /// `origin`: DF_ORIGIN.
    pub origin: bool,
    /// `initfirst`: DF_1_INITFIRST.
    pub initfirst: bool,
    /// `interpose`: DF_1_INTERPOSE.
    pub interpose: bool,
    /// `nodelete`: DF_1_NODELETE.
    pub nodelete: bool,
    /// `nodlopen`: DF_1_NOOPEN.
    pub nodlopen: bool,
    /// `nodump`: DF_1_NODUMP.
    pub nodump: bool,
    /// `nodefaultlib`: DF_1_NODEFLIB.
    pub nodefaultlib: bool,
    /// `global`: DF_1_GLOBAL.
    pub global: bool,
    /// `loadfltr`: DF_1_LOADFLTR.
    pub loadfltr: bool,
    /// `nocopyreloc`: no copy relocations.
    pub no_copy_reloc: bool,
    /// `nocombreloc`: dynamic relocations are not sorted.
    pub no_combreloc: bool,
    /// `execstack`; `Some(false)` for `noexecstack`, `None` where inputs decide.
    pub execstack: Option<bool>,
    /// `separate-code`, `separate-loadable-segments`, `noseparate-code`; `None` for the machine's
    /// default.
    pub separate: Option<SeparateCode>,
    /// `max-page-size`, in bytes; `None` for the machine's.
    pub max_page_size: Option<u64>,
    /// `common-page-size`, in bytes; `None` for the machine's.
    pub common_page_size: Option<u64>,
    /// `stack-size`, in bytes: `p_memsz` of PT_GNU_STACK; 0 for none.
    pub stack_size: u64,
    /// `ibt`, `shstk`, `lam-u48` and the like: features of the machine that the output gets even if
    /// objects lack them. Also `cet-report` and the like: how objects without such features are
    /// reported.
    pub features: FeatureWords,
    /// `ibtplt`: PLT entries have landing pads.
    pub ibtplt: bool,
    /// `x86-64-v2` and so on: ISA level needed, 0 for none.
    pub isa_level: u8,
    /// `rewrite-endbr`: landing pads of functions whose address is not taken become no-ops.
    pub rewrite_endbr: bool,
    /// `retpolineplt`: PLT entries without indirect jumps.
    pub retpoline_plt: bool,
    /// `pac-plt`: PLT entries check the signatures of addresses.
    pub pac_plt: bool,
    /// `nognustack`: no PT_GNU_STACK.
    pub no_gnu_stack: bool,
    /// `dynamic-undefined-weak`; `Some(false)` for `nodynamic-undefined-weak`.
    pub dynamic_undefined_weak: Option<bool>,
    /// `keep-text-section-prefix`: `.text.hot`, `.text.unlikely` and the like are output sections.
    pub keep_text_section_prefix: bool,
    /// `keep-data-section-prefix`: `.data.hot` and the like are output sections.
    pub keep_data_section_prefix: bool,
    /// `nosectionheader`: the file has no section headers.
    pub no_section_header: bool,
    /// `unique-symbol`: local symbols that share a name get numbers.
    pub unique_symbol: bool,
    /// `lrodata-after-bss`: `.lrodata` stands behind `.bss`.
    pub lrodata_after_bss: bool,
    /// `--be8`: code of a big-endian program is little-endian.
    pub little_code: bool,
    /// `--long-plt`: PLT entries reach all of the address space.
    pub long_plt: bool,
    /// `mark-plt`: tags in `.dynamic` give the address of the PLT (DT_X86_64_PLT and its like).
    pub mark_plt: bool,
    /// `isa-level-report`: which ISA markers of objects are listed.
    pub isa_level_report: IsaLevelReport,
    /// `globalaudit`: DF_1_GLOBAUDIT.
    pub globalaudit: bool,
    /// `unique`: DF_GNU_1_UNIQUE.
    pub unique: bool,
    /// `rodynamic`: `.dynamic` is read-only.
    pub rodynamic: bool,
    /// `rel`: dynamic relocations without addends, `rela`: with addends; `None`: as the machine.
    pub rel: Option<bool>,
    /// `indirect-extern-access` and its negation; `None` when not given.
    pub indirect_extern_access: Option<bool>,
    /// `report-relative-reloc`: relative relocations are listed.
    pub report_relative_reloc: bool,
    /// `noreloc-overflow`: 32-bit addresses may be left to the loader.
    pub no_reloc_overflow: bool,
    /// `common`: with `-r`, commons have type STT_COMMON; `nocommon`: they have STT_OBJECT; `None`:
    /// they keep their type.
    pub stt_common: Option<bool>,
    /// `call-nop`: the byte that pads an indirect call made direct.
    pub call_nop: CallNop,
    /// `memory-seal`: GNU_PROPERTY_MEMORY_SEAL.
    pub memory_seal: bool,
    /// `wxneeded`: PT_OPENBSD_WXNEEDED.
    pub wxneeded: bool,
    /// `nobtcfi`: PT_OPENBSD_NOBTCFI.
    pub nobtcfi: bool,
    /// `dead-reloc-in-nonalloc=GLOB=VALUE`: the value in debug sections for the address of a
    /// discarded section.
    pub dead_reloc_in_nonalloc: Vec<(String, u64)>,
}

/// `-z isa-level-report`: which ISA markers of inputs are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IsaLevelReport {
    /// No marker is listed.
    #[default]
    None,
    /// Markers of needed and of used levels.
    All,
    /// Markers of needed levels.
    Needed,
    /// Markers of used levels.
    Used,
}

/// `-z call-nop`: the sixth byte when `call *foo@GOTPCREL(%rip)` becomes `call foo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallNop {
    /// This byte before the call; `0x67`, the `addr32` prefix, by default.
    Prefix(u8),
    /// This byte after the call; `0x90` for `nop`.
    Suffix(u8),
}

impl Default for CallNop {
    fn default() -> Self {
        CallNop::Prefix(0x67)
    }
}

/// How segments are kept apart in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SeparateCode {
    /// `noseparate-code`: neighbours may share a page of the file.
    #[default]
    None,
    /// `separate-code`: executable pages hold nothing else.
    Code,
    /// `separate-loadable-segments`: no segment shares a page.
    Loadable,
}
