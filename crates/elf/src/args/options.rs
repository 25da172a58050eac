//! What a command line means: plain values, no symbols and no files.
//!
//! Filled by [`super::parse`]; read by every later stage; never changed after it is made.

use crate::arch::Target;
use object::elf::{STV_DEFAULT, STV_PROTECTED};
use std::path::PathBuf;

pub use super::arrangement::*;
pub use super::lto::Lto;
pub use super::memory_limit::MemoryLimit;
pub use super::reports::Reports;

/// Everything the command line asks for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// `-o`; `a.out` by default.
    pub output: PathBuf,
    /// Kind of output.
    pub kind: OutputKind,
    /// `-static` was the last of `-static`/`-Bdynamic` style choices for the whole link: no
    /// interpreter. (Per-input static search is [`Input::search_static`].)
    pub is_static: bool,
    /// Inputs in command-line order, each with the positional flags in force.
    pub inputs: Vec<Input>,
    /// `-L` directories in order, `=`/`$SYSROOT` already replaced.
    pub library_paths: Vec<PathBuf>,
    /// `--sysroot`.
    pub sysroot: Option<PathBuf>,
    /// `-rpath-link` directories.
    pub rpath_link: Vec<PathBuf>,
    /// `-m`: the machine that is linked for.
    pub target: &'static Target,
    /// `-T`: linker script given as the layout.
    pub script: Option<PathBuf>,
    /// `--default-script`: the layout if there is no `-T`.
    pub default_script: Option<PathBuf>,
    /// `-c`: scripts in the language of MRI's linker.
    pub mri_scripts: Vec<MriScript>,
    /// `-C`: the directory to work in; the program changes to it before anything is opened.
    pub directory: Option<PathBuf>,
    /// `--chroot`: put before absolute paths. Those of the command line already have it.
    pub chroot: Option<PathBuf>,
    /// `--remap-inputs` patterns and replacements.
    pub remap_inputs: Vec<(String, String)>,
    /// `--remap-inputs-file` files: such a pair a line.
    pub remap_inputs_files: Vec<PathBuf>,
    /// `--no-dependent-libraries`: `.deplibs` sections are not followed.
    pub no_dependent_libraries: bool,
    /// `-o` was given.
    pub output_is_given: bool,

    /// `-e`.
    pub entry: Option<String>,
    /// `-init`, default `_init`.
    pub init: String,
    /// `-fini`, default `_fini`.
    pub fini: String,
    /// `-u` names.
    pub undefined: Vec<String>,
    /// `--undefined-glob` patterns.
    pub undefined_glob: Vec<String>,
    /// `--require-defined` names (also entered as undefined).
    pub require_defined: Vec<String>,
    /// `--defsym NAME=EXPRESSION`, unparsed, in order.
    pub defsym: Vec<(String, String)>,
    /// `--wrap` names.
    pub wrap: Vec<String>,
    /// `-y` names.
    pub trace_symbol: Vec<String>,
    /// `--trace`.
    pub trace: bool,
    /// `--no-fortran-common`: an archive member's definition does not replace a common symbol.
    pub no_fortran_common: bool,
    /// `--ignore-unresolved-symbol` names: nothing is said of these when undefined.
    pub ignore_unresolved: Vec<String>,
    /// `--start-stop`: `__start_`/`__stop_` symbols for every output section.
    pub start_stop: bool,

    /// `-soname`.
    pub soname: Option<String>,
    /// `-rpath`/`-R` joined with `:`, duplicates removed; empty for none.
    pub rpath: String,
    /// `--enable-new-dtags` (default): DT_RUNPATH and not DT_RPATH.
    pub new_dtags: bool,
    /// `--dynamic-linker`; `None` for `--no-dynamic-linker` or not given.
    pub dynamic_linker: Option<String>,
    /// `--no-dynamic-linker` was given.
    pub no_dynamic_linker: bool,
    /// `-f`/`--auxiliary`.
    pub auxiliary: Vec<String>,
    /// `-F`/`--filter`.
    pub filter: Vec<String>,
    /// `--audit` joined with `:`.
    pub audit: String,
    /// `--depaudit`/`-P` joined with `:`.
    pub depaudit: String,
    /// `--hash-style`.
    pub hash_style: HashStyle,
    /// `-z pack-relative-relocs`: DT_RELR, and glibc is told to insist on it.
    pub pack_relative_relocs: bool,
    /// `--pack-dyn-relocs=relr`: DT_RELR alone. Neither option undoes the other.
    pub pack_dyn_relocs_relr: bool,
    /// `--spare-dynamic-tags`.
    pub spare_dynamic_tags: u32,
    /// `--pack-dyn-relocs=android` or `android+relr`: packed `.rela.dyn`.
    pub pack_android_relocs: bool,
    /// `--use-android-relr-tags`: DT_ANDROID_RELR instead of DT_RELR.
    pub android_relr_tags: bool,
    /// `--[no-]apply-dynamic-relocs`: addends are also written in place; `None` when not given.
    pub apply_dynamic_relocs: Option<bool>,
    /// `-Bgroup`: DF_1_GROUP.
    pub group_lookup: bool,

    /// `-E`.
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
    /// `--exclude-libs` names (`ALL` included as such).
    pub exclude_libs: Vec<String>,
    /// `-Bsymbolic` and relatives.
    pub bsymbolic: Bsymbolic,
    /// `--version-script` files.
    pub version_scripts: Vec<PathBuf>,
    /// `--default-symver`.
    pub default_symver: bool,
    /// `--default-imported-symver`.
    pub default_imported_symver: bool,
    /// `--version-exports-section`: the version of what `.exports` sections list.
    pub version_exports_section: Option<String>,
    /// `--no-undefined-version`: a name in a version script that nothing defines is an error.
    pub no_undefined_version: bool,
    /// `-z undefs`/`-z defs`/`--no-undefined`, `--unresolved-symbols`,
    /// `--warn-unresolved-symbols`.
    pub unresolved: Unresolved,
    /// `--[no-]allow-shlib-undefined`; `None` when not given.
    pub allow_shlib_undefined: Option<bool>,
    /// `--allow-multiple-definition` or `-z muldefs`.
    pub allow_multiple_definition: bool,
    /// `--disable-multiple-abs-defs`: symbols of `--just-symbols` are definitions like others.
    pub strict_just_symbols: bool,
    /// `--no-gnu-unique`: STB_GNU_UNIQUE becomes STB_GLOBAL.
    pub no_gnu_unique: bool,
    /// `--warn-common`.
    pub warn_common: bool,

    /// `--gc-sections`.
    pub gc_sections: bool,
    /// `--print-gc-sections`.
    pub print_gc_sections: bool,
    /// `-z start-stop-gc`.
    pub start_stop_gc: bool,
    /// `-z start-stop-visibility`: an `STV_*` value.
    pub start_stop_visibility: Option<u8>,
    /// `--gc-keep-exported`.
    pub gc_keep_exported: bool,
    /// `--icf`.
    pub icf: Icf,
    /// `--keep-unique` names: not folded.
    pub keep_unique: Vec<String>,
    /// `--ignore-data-address-equality`.
    pub ignore_data_address_equality: bool,
    /// `--ignore-function-address-equality`
    pub ignore_function_address_equality: bool,
    /// `--string-merge`, `--no-string-merge`; `None` when not given.
    pub string_merge: Option<bool>,
    /// `-O LEVEL`, 1 when not given.
    pub optimize: u32,
    /// `--optimize-bb-jumps`: code falls through where it jumped to the next section.
    pub optimize_bb_jumps: bool,
    /// `--branch-to-branch`: a branch to an unconditional branch goes to its target.
    pub branch_to_branch: bool,
    /// `--split-stack-adjust-size`, in bytes.
    pub split_stack_adjust_size: Option<u32>,
    /// `--no-relax` given.
    pub no_relax: bool,

    /// `--oformat`.
    pub output_format: OutputFormat,
    /// `--compress-debug-sections`.
    pub compress_debug_sections: Compression,
    /// `--compress-sections`: output section patterns and what they are compressed with; the last
    /// that matches holds.
    pub compress_sections: Vec<(String, Compression)>,
    /// `--gdb-index`.
    pub gdb_index: bool,
    /// `--debug-names`.
    pub debug_names: bool,
    /// `--separate-debug-file`: where debug sections go.
    pub separate_debug_file: Option<PathBuf>,
    /// The name of that file is made of the output's.
    pub debug_file_beside_output: bool,
    /// `--force-exe-suffix`: the output is copied to a file with the suffix `.exe`.
    pub force_exe_suffix: bool,
    /// `--out-implib`: where an object with the addresses of symbols goes.
    pub out_implib: Option<PathBuf>,
    /// The linker's name and version are written to `.comment`.
    pub linker_version: bool,
    /// `--no-ld-generated-unwind-info`: no unwind information for the PLT.
    pub no_plt_unwind_info: bool,
    /// `--build-id`.
    pub build_id: BuildId,
    /// `--eh-frame-hdr`.
    pub eh_frame_hdr: bool,
    /// `--emit-relocs`.
    pub emit_relocs: bool,
    /// `-s`, `-S`.
    pub strip: Strip,
    /// `--no-strip-discarded`: symbols of discarded sections stay.
    pub no_strip_discarded: bool,
    /// `-x`, `-X`, `--discard-none`.
    pub discard: Discard,
    /// `--retain-symbols-file`.
    pub retain_symbols_file: Option<PathBuf>,
    /// `-d`, `-dc`, `-dp`: allocate commons even with `-r`.
    pub define_common: bool,
    /// `--no-define-common`: commons stay undefined in a shared library.
    pub no_define_common: bool,
    /// `--image-base` or `-Ttext-segment`.
    pub image_base: Option<u64>,
    /// `--section-start`, `-Ttext`, `-Tdata`, `-Tbss`: output section name and address.
    pub section_start: Vec<(String, u64)>,
    /// `-N`.
    pub omagic: bool,
    /// `-n`.
    pub nmagic: bool,
    /// `--no-rosegment`: read-only data shares the segment of code.
    pub no_rosegment: bool,
    /// `--package-metadata` text, decoded.
    pub package_metadata: Option<String>,

    /// The `-z` words.
    pub z: ZOptions,

    /// `--threads=N`; 0 for the machine's.
    pub threads: usize,
    /// `--memory-limit`, or the environment.
    pub memory_limit: MemoryLimit,
    /// `--fork`: the process ends while another still frees the memory of the link.
    pub fork: bool,
    /// `--[no-]demangle`.
    pub demangle: bool,
    /// Whether maps and cross references demangle too: only if `--demangle` is given. Half a
    /// million names take longer than the link.
    pub demangle_lists: bool,
    /// `--color-diagnostics`: `None` for when standard error is a terminal.
    pub color: Option<bool>,
    /// `--error-limit`.
    pub error_limit: usize,
    /// `--fatal-warnings`.
    pub fatal_warnings: bool,
    /// `-w`.
    pub no_warnings: bool,
    /// `--noinhibit-exec`.
    pub noinhibit_exec: bool,
    /// `--[no-]mmap-output-file`, `None` for the linker's own choice.
    pub mmap_output: Option<bool>,
    /// `--[no-]prefetch`, `None` for what is not in memory.
    pub prefetch: Option<bool>,
    /// `--atomic-output`.
    pub atomic_output: bool,
    /// `--time`.
    pub time: bool,
    /// `--dependency-file`.
    pub dependency_file: Option<PathBuf>,
    /// `-Map` path; `-` for standard output.
    pub map: Option<PathBuf>,

    /// Where sections go.
    pub arrangement: Arrangement,
    /// What is told.
    pub reports: Reports,
    /// What is meant for a compiler plugin.
    pub lto: Lto,
}

impl Options {
    /// Whether `__start_NAME` and `__stop_NAME` are for others to see: `-z start-stop-visibility`
    /// was given, and does not hide them.
    pub fn exports_section_bounds(&self) -> bool {
        matches!(self.start_stop_visibility, Some(STV_DEFAULT | STV_PROTECTED))
    }

    /// Whether options name symbols that others may replace although the rest binds to the output.
    pub fn lists_preemptible_symbols(&self) -> bool {
        !self.dynamic_lists.is_empty()
            || !self.export_dynamic_symbols.is_empty()
            || self.dynamic_list_data
            || self.dynamic_list_cpp_new
            || self.dynamic_list_cpp_typeinfo
    }

    /// `-z max-page-size`, or the machine's.
    pub fn max_page_size(&self) -> u64 {
        self.z.max_page_size.unwrap_or(self.target.max_page_size)
    }

    /// `-z common-page-size`, or the machine's.
    pub fn common_page_size(&self) -> u64 {
        self.z.common_page_size.unwrap_or(self.target.common_page_size)
    }

    /// All addresses that options give to parts of the output.
    pub fn fixed_addresses(&self) -> impl Iterator<Item = u64> {
        let segments = [self.arrangement.rodata_segment, self.arrangement.ldata_segment];
        let sections = self.section_start.iter().map(|section| section.1);
        sections.chain(self.image_base).chain(segments.into_iter().flatten())
    }

    /// Whether relative relocations go to `.relr.dyn`. It can only hold even addresses, which
    /// sections put at odd ones by option need not have.
    pub fn packs_relative_relocations(&self) -> bool {
        (self.pack_relative_relocs || self.pack_dyn_relocs_relr)
            && self.fixed_addresses().all(|address| address.is_multiple_of(2))
    }
}

/// What is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputKind {
    /// ET_EXEC.
    #[default]
    Executable,
    /// ET_DYN with an entry point (`-pie`), static-PIE included.
    PieExecutable,
    /// `-shared`.
    Shared,
    /// `-r`.
    Relocatable,
}

/// One input and the positional flags that stood before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// What to open.
    pub what: InputName,
    /// `--as-needed`.
    pub as_needed: bool,
    /// `--whole-archive`.
    pub whole_archive: bool,
    /// `-Bstatic` in force: `-l` looks for archives only.
    pub search_static: bool,
    /// Between `--start-lib` and `--end-lib`: taken only if needed, like an archive member.
    pub lazy: bool,
    /// `-b binary` in force.
    pub binary: bool,
    /// `--just-symbols`.
    pub just_symbols: bool,
    /// Inputs between `--start-group` and `--end-group`, or `--start-lib` and `--end-lib`, have
    /// one number, others one each; it grows from left to right.
    pub group: u32,
    /// `--copy-dt-needed-entries`: what it needs as a shared library resolves symbols too.
    pub copies_needed: bool,
}

impl Input {
    /// An input that no word of the command line names, so that no positional flag holds for it.
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
        }
    }
}

/// A script of `-c`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MriScript {
    /// Where it is.
    pub path: PathBuf,
    /// The flags in force for the inputs that it names.
    pub input: Input,
    /// Inputs of the command line before it.
    pub position: usize,
}

/// How an input was named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputName {
    /// A path.
    Path(PathBuf),
    /// `-lNAME`, or `-l:FILE` with the colon kept.
    Library(String),
}

/// A file of dynamic-list syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DynamicListFile {
    /// Where it is.
    pub path: PathBuf,
    /// From `--dynamic-list` (makes other symbols of a shared library bind locally, as
    /// `-Bsymbolic`) rather than `--export-dynamic-symbol-list`.
    pub binds_others: bool,
}

/// `-Bsymbolic` family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bsymbolic {
    /// `-Bno-symbolic`.
    #[default]
    None,
    /// `-Bsymbolic`.
    All,
    /// `-Bsymbolic-functions`.
    Functions,
    /// `-Bsymbolic-non-weak`.
    NonWeak,
    /// `-Bsymbolic-non-weak-functions`.
    NonWeakFunctions,
}

/// What is said of an undefined symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unresolved {
    /// Error in executables, nothing in shared libraries.
    #[default]
    Default,
    /// Error everywhere (`-z defs`).
    ReportAll,
    /// Warn instead of an error.
    Warn,
    /// Nothing (`--unresolved-symbols=ignore-all`).
    IgnoreAll,
    /// Nothing for references from objects (`ignore-in-object-files`).
    IgnoreInObjectFiles,
    /// Errors from objects, nothing from shared libraries (`ignore-in-shared-libs`).
    IgnoreInSharedLibs,
}

/// `--hash-style`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashStyle {
    /// `.hash`.
    pub sysv: bool,
    /// `.gnu.hash`.
    pub gnu: bool,
}

impl Default for HashStyle {
    fn default() -> Self {
        HashStyle { sysv: true, gnu: true }
    }
}

/// `--build-id`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BuildId {
    /// No note.
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
    /// `0x...`.
    Hex(Vec<u8>),
}

/// `--icf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Icf {
    /// Off.
    #[default]
    None,
    /// Functions whose address is not taken.
    Safe,
    /// All that are equal.
    All,
}

/// `--oformat`.
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

/// What debug sections are compressed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Nothing.
    #[default]
    None,
    /// ELFCOMPRESS_ZLIB at this level (0 to 9), `None` for the linker's choice.
    Zlib(Option<u8>),
    /// ELFCOMPRESS_ZSTD at this level (1 to 22), `None` for the linker's choice.
    Zstd(Option<u8>),
    /// zlib in sections `.zdebug_*`, for tools that know no SHF_COMPRESSED.
    Zdebug,
}

/// `-s`, `-S`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strip {
    /// Keep all.
    #[default]
    None,
    /// `-S`: drop debug sections.
    Debug,
    /// `-s`: drop debug sections and the symbol table.
    All,
}

/// Local symbols to drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discard {
    /// `.L` names of mergeable sections.
    #[default]
    Default,
    /// `-X`: all `.L` names.
    Locals,
    /// `-x`: all locals.
    All,
    /// `--discard-none`.
    None,
}

/// Values of `-z` words, at their effective value for x86-64 Linux.
#[derive(Debug, Clone, Default)]
pub struct ZOptions {
    /// `now`.
    pub now: bool,
    /// `relro` (default on).
    pub relro: bool,
    /// `text`: `Some(true)` makes text relocations errors, `Some(false)` (`notext`) allows them.
    pub text: Option<bool>,
    /// `origin`.
    pub origin: bool,
    /// `initfirst`.
    pub initfirst: bool,
    /// `interpose`.
    pub interpose: bool,
    /// `nodelete`.
    pub nodelete: bool,
    /// `nodlopen`.
    pub nodlopen: bool,
    /// `nodump`.
    pub nodump: bool,
    /// `nodefaultlib`.
    pub nodefaultlib: bool,
    /// `global`.
    pub global: bool,
    /// `loadfltr`.
    pub loadfltr: bool,
    /// `nocopyreloc`.
    pub no_copy_reloc: bool,
    /// `nocombreloc`.
    pub no_combreloc: bool,
    /// `execstack`; `Some(false)` for `noexecstack`, `None` where inputs decide.
    pub execstack: Option<bool>,
    /// `separate-code`, `separate-loadable-segments`, `noseparate-code`.
    pub separate: SeparateCode,
    /// `max-page-size`.
    pub max_page_size: Option<u64>,
    /// `common-page-size`.
    pub common_page_size: Option<u64>,
    /// `stack-size`.
    pub stack_size: u64,
    /// `ibt`.
    pub ibt: bool,
    /// `ibtplt`.
    pub ibtplt: bool,
    /// `shstk`.
    pub shstk: bool,
    /// `cet-report`, `force-ibt` style demands: report objects without the property.
    pub cet_report: Report,
    /// `x86-64-v2` and so on: ISA level needed, 0 for none.
    pub isa_level: u8,
    /// `lam-u48`, `lam-u57`.
    pub lam_u48: bool,
    /// See above.
    pub lam_u57: bool,
    /// `rewrite-endbr`.
    pub rewrite_endbr: bool,
    /// `retpolineplt`.
    pub retpoline_plt: bool,
    /// `nognustack`.
    pub no_gnu_stack: bool,
    /// `dynamic-undefined-weak`; `Some(false)` for `nodynamic-undefined-weak`.
    pub dynamic_undefined_weak: Option<bool>,
    /// `keep-text-section-prefix`.
    pub keep_text_section_prefix: bool,
    /// `keep-data-section-prefix`.
    pub keep_data_section_prefix: bool,
    /// `nosectionheader`.
    pub no_section_header: bool,
    /// `unique-symbol`.
    pub unique_symbol: bool,
    /// `lrodata-after-bss`.
    pub lrodata_after_bss: bool,
    /// `mark-plt`: DT_X86_64_PLT and its like.
    pub mark_plt: bool,
    /// `force-ibt`: `ibt` even where objects lack it, and say which do.
    pub force_ibt: bool,
    /// `lam-u48-report`: as `cet_report`.
    pub lam_u48_report: Report,
    /// `lam-u57-report`: as `cet_report`.
    pub lam_u57_report: Report,
    /// `isa-level-report`.
    pub isa_level_report: IsaLevelReport,
    /// `globalaudit`: DF_1_GLOBAUDIT.
    pub globalaudit: bool,
    /// `unique`: DF_GNU_1_UNIQUE.
    pub unique: bool,
    /// `rodynamic`: `.dynamic` is read-only.
    pub rodynamic: bool,
    /// `rel`: dynamic relocations without addends.
    pub rel: bool,
    /// `indirect-extern-access` and its negation; `None` when not given.
    pub indirect_extern_access: Option<bool>,
    /// `report-relative-reloc`.
    pub report_relative_reloc: bool,
    /// `noreloc-overflow`: 32-bit addresses may be left to the loader.
    pub no_reloc_overflow: bool,
    /// `common`: with `-r`, commons have type STT_COMMON.
    pub stt_common: bool,
    /// `call-nop`: how an indirect call turned direct is filled.
    pub call_nop: CallNop,
    /// `memory-seal`: GNU_PROPERTY_MEMORY_SEAL.
    pub memory_seal: bool,
    /// `wxneeded`: PT_OPENBSD_WXNEEDED.
    pub wxneeded: bool,
    /// `nobtcfi`: PT_OPENBSD_NOBTCFI.
    pub nobtcfi: bool,
    /// `dead-reloc-in-nonalloc=GLOB=VALUE`.
    pub dead_reloc_in_nonalloc: Vec<(String, u64)>,
}

/// `-z isa-level-report`: which ISA markers of inputs are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IsaLevelReport {
    /// None.
    #[default]
    None,
    /// Needed and used.
    All,
    /// Needed.
    Needed,
    /// Used.
    Used,
}

/// `-z call-nop`: what fills the sixth byte of `call *foo@GOTPCREL(%rip)` made `call foo`.
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

/// A demand that is only reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Report {
    /// Nothing.
    #[default]
    None,
    /// A warning.
    Warning,
    /// An error.
    Error,
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
