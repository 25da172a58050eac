//! AArch64, LP64: the facts of its ABI ("ELF for the Arm 64-bit Architecture (AArch64)"), for
//! little-endian and for big-endian data. Instructions are little-endian in both.

mod attributes;
mod code_addend;
mod fold;
pub mod howto;
mod loader;
pub mod property;

use super::class::Class;
use super::description::{CodeAddend, Machine, MemoryTags, TlsVariant, VariantCalls};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// AArch64 Linux, little-endian.
pub static MACHINE: Machine = Machine {
    emulation: "aarch64linux",
    format: "elf64-littleaarch64",
    format_variants: &[],
    emulation_variants: &[("aarch64elf", None), ("aarch64fbsd", Some(ELFOSABI_FREEBSD))],
    own_layout: None,
    architecture: "aarch64",
    own_architectures: &["aarch64"],
    e_machine: EM_AARCH64,
    class: Class::Elf64,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: None,
    linking_flags: 0,
    foreign_hints: &[(Class::Elf32, EM_AARCH64, "\n>>> it was compiled with -mabi=ilp32")],
    tool_prefix: "aarch64-",
    is_target: |triple| triple.starts_with("aarch64-"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/aarch64-linux-gnu",
        "=/lib/aarch64-linux-gnu",
        "=/usr/lib/aarch64-linux-gnu",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/aarch64-linux-gnu/lib",
    ],
    entry: "_start",
    // As in GNU ld's scripts for Arm's machines.
    bss_start_names: &["__bss_start__"],
    end_names: &["_bss_end__", "__bss_end__", "__end__"],
    got_names: &[],
    // Words in data have the size that the program wants.
    small_data: None,
    small_bases: &[],
    far_code_models: |r_type| {
        (howto::field(r_type) == Some(howto::Field::Page)).then_some("-mcmodel=large")
    },
    image_base: 0x40_0000,
    // ADRP reaches 4 GiB; with room for what the linker adds.
    near_span: 0xf000_0000,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1_0000,
    common_page_size: 0x1000,
    unmade_options: &[],
    keywords: &[
        "force-bti",
        "bti-report",
        "pac-plt",
        "memtag-mode",
        "memtag-heap",
        "memtag-stack",
        "gcs",
        "gcs-report",
        "gcs-report-dynamic",
        "pauth-report",
    ],
    memory_tags: Some(MemoryTags {
        // DT_AARCH64_MEMTAG_MODE, _HEAP, _STACK.
        entries: [0x7000_0009, 0x7000_000b, 0x7000_000c],
        // DT_AARCH64_MEMTAG_GLOBALS, _GLOBALSSZ.
        globals: [0x7000_000d, 0x7000_000f],
        // SHT_AARCH64_MEMTAG_GLOBALS_STATIC, _DYNAMIC.
        list: 0x7000_0007,
        table: 0x7000_0008,
        granule: 16,
    }),
    large: None,
    // SHF_AARCH64_PURECODE
    pure_code: 1 << 29,
    unwind_type: None,
    // Variant I: the block begins behind the two words that the thread pointer leads to.
    tls: TlsVariant::Before(16),
    dtv_offset: 0,
    got_word: 8,
    got_header: 1,
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
    // STO_AARCH64_VARIANT_PCS and DT_AARCH64_VARIANT_PCS.
    variant_calls: Some(VariantCalls { mark: 0x80, tag: 0x7000_0005 }),
    properties: &property::PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    howtos: &[],
    more_howtos: &howto::ROWS,
    type_bits: u32::MAX,
    field_align: |r_type| howto::field(r_type).map_or(1, howto::Field::align),
    code_addend: Some(CodeAddend { get: code_addend::of_instruction, put: |_, _, _, _| None }),
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // nop
    nop: Padding::instruction([0x1f, 0x20, 0x03, 0xd5]),
    // brk #1
    trap: Padding::instruction([0x20, 0x00, 0x20, 0xd4]),
};

/// AArch64 Linux, big-endian.
pub static BIG_ENDIAN: Machine = Machine {
    emulation: "aarch64linuxb",
    format: "elf64-bigaarch64",
    emulation_variants: &[("aarch64elfb", None), ("aarch64fbsdb", Some(ELFOSABI_FREEBSD))],
    byte_order: ByteOrder::Big,
    loader: &loader::BIG_ENDIAN_TYPES,
    tool_prefix: "aarch64_be-",
    is_target: |triple| triple.starts_with("aarch64_be-"),
    ..MACHINE
};
