//! x86-64: the facts of its psABI.

mod fold;
pub mod howto;
mod loader;
pub mod property;

use super::class::Class;
use super::description::{Large, Machine, TlsVariant};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// x86-64 Linux, LP64.
pub static MACHINE: Machine = Machine {
    emulation: "elf_x86_64",
    format: "elf64-x86-64",
    // Solaris' files have no such value, because otherwise objects without one could not be read
    // (`ELF_OSABI` in BFD's elf64-x86-64.c).
    format_variants: &[("-freebsd", Some(ELFOSABI_FREEBSD)), ("-sol2", None)],
    emulation_variants: &[
        ("elf_x86_64_fbsd", Some(ELFOSABI_FREEBSD)),
        ("elf_amd64_fbsd", Some(ELFOSABI_FREEBSD)),
    ],
    own_layout: None,
    architecture: "i386",
    own_architectures: &["i386:x86-64", "i386:x86-64:intel"],
    e_machine: EM_X86_64,
    class: Class::Elf64,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: None,
    linking_flags: 0,
    foreign_hints: &[
        (Class::Elf32, EM_386, "\n>>> it was compiled with -m32, or for an i386 system"),
        (Class::Elf32, EM_X86_64, "\n>>> it was compiled with -mx32"),
    ],
    tool_prefix: "x86_64-",
    is_target: |triple| triple.starts_with("x86_64-") && !triple.ends_with("x32"),
    // As in GNU ld, Debian's multiarch directories come first.
    library_paths: &[
        "=/usr/local/lib/x86_64-linux-gnu",
        "=/lib/x86_64-linux-gnu",
        "=/usr/lib/x86_64-linux-gnu",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    small_bases: &[],
    far_code_models: |_| Some("-mcmodel=medium or -mcmodel=large"),
    image_base: 0x40_0000,
    // Below 2 GiB, with room for the sections that the linker adds.
    near_span: 0x7000_0000,
    separate_code: true,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1000,
    common_page_size: 0x1000,
    unmade_options: &[],
    keywords: &[
        "ibt",
        "ibtplt",
        "shstk",
        "force-ibt",
        "cet-report",
        "rewrite-endbr",
        "retpolineplt",
        "x86-64-baseline",
        "x86-64-v2",
        "x86-64-v3",
        "x86-64-v4",
        "isa-level-report",
        "lam-u48",
        "lam-u57",
        "lam-u48-report",
        "lam-u57-report",
        "lam-report",
        "lrodata-after-bss",
        "mark-plt",
        "call-nop",
    ],
    // SHF_X86_64_LARGE and SHN_X86_64_LCOMMON, for the medium and large code models.
    memory_tags: None,
    large: Some(Large { section: 1 << 28, common: 0xff02 }),
    pure_code: 0,
    unwind_type: Some(SHT_X86_64_UNWIND),
    // psABI 6.1: variant II, where the TLS block ends at the thread pointer.
    tls: TlsVariant::AtEnd,
    dtv_offset: 0,
    got_word: 8,
    got_header: 0,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 3,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    listed_got: None,
    pic_plt_is_own: false,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    variant_calls: None,
    properties: &property::PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    howtos: &howto::HOWTOS,
    more_howtos: &howto::MARKS,
    type_bits: u32::MAX,
    field_align: |_| 1,
    code_addend: None,
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    nop: Padding::bytes(0x90),
    trap: Padding::bytes(0xcc),
};

/// x86-64 Linux with addresses of 32 bits (x32). Words of `.got` have 64 bits all the same: code
/// jumps through them.
pub static X32: Machine = Machine {
    emulation: "elf32_x86_64",
    format: "elf32-x86-64",
    format_variants: &[],
    emulation_variants: &[],
    own_architectures: &["i386:x64-32", "i386:x64-32:intel"],
    class: Class::Elf32,
    foreign_hints: &[
        (Class::Elf64, EM_X86_64, "\n>>> it was compiled without -mx32"),
        (Class::Elf32, EM_386, "\n>>> it was compiled with -m32, or for an i386 system"),
    ],
    is_target: |triple| triple.starts_with("x86_64-") && triple.ends_with("x32"),
    // As GNU ld, Debian's multiarch directories first, then those of multilib.
    library_paths: &[
        "=/usr/local/lib/x86_64-linux-gnux32",
        "=/lib/x86_64-linux-gnux32",
        "=/usr/lib/x86_64-linux-gnux32",
        "=/usr/local/libx32",
        "=/libx32",
        "=/usr/libx32",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/x86_64-linux-gnux32/libx32",
        "=/usr/x86_64-linux-gnux32/lib",
    ],
    loader: &loader::X32,
    ..MACHINE
};
