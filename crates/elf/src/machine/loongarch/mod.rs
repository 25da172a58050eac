//! LoongArch, with 64 and with 32 bits: the facts of its psABI ("ELF for the LoongArch
//! Architecture", "laelf"). All of it is little-endian.

mod flags;
mod fold;
pub mod howto;
mod loader;

use super::class::Class;
use super::description::{Machine, TlsVariant};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// LoongArch Linux, 64 bits.
pub static MACHINE: Machine = Machine {
    emulation: "elf64loongarch",
    format: "elf64-loongarch",
    format_variants: &[],
    emulation_variants: &[],
    own_layout: None,
    architecture: "loongarch",
    own_architectures: &["loongarch", "Loongarch64"],
    e_machine: EM_LOONGARCH,
    class: Class::Elf64,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[(Class::Elf32, EM_LOONGARCH, "\n>>> it was compiled for 32 bits")],
    tool_prefix: "loongarch64-",
    is_target: |triple| triple.starts_with("loongarch64"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/loongarch64-linux-gnu",
        "=/lib/loongarch64-linux-gnu",
        "=/usr/lib/loongarch64-linux-gnu",
        "=/usr/local/lib64",
        "=/lib64",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/loongarch64-linux-gnu/lib64",
        "=/usr/loongarch64-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    small_data: None,
    small_bases: &[],
    far_code_models: |r_type| {
        matches!(r_type, R_LARCH_B26 | R_LARCH_PCREL20_S2).then_some("-mcmodel=medium")
    },
    // As GNU ld, above what 32 bits reach.
    image_base: 0x1_2000_0000,
    // PCALAU12I reaches 2 GiB; with room for what the linker adds.
    near_span: 0x7000_0000,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: true,
    // The largest page that Linux has, and the usual one.
    max_page_size: 0x1_0000,
    common_page_size: 0x4000,
    unmade_options: &[],
    keywords: &[],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    // Variant I: the thread pointer is where the block begins.
    tls: TlsVariant::Before(0),
    dtv_offset: 0,
    got_word: 8,
    got_header: 1,
    got_names: &[],
    got_bias: 0,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    listed_got: None,
    got_plt_reserved: 2,
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    got_plt_words: 1,
    pic_plt_is_own: false,
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: None,
    type_bits: u32::MAX,
    howtos: &howto::HOWTOS,
    more_howtos: &[],
    field_align: |r_type| match howto::field(r_type) {
        howto::Field::Branch16
        | howto::Field::Branch21
        | howto::Field::Branch26
        | howto::Field::Near
        | howto::Field::Call36
        | howto::Field::Call30 => 4,
        _ => 1,
    },
    code_addend: None,
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: howto::sum_part,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // andi $zero, $zero, 0
    nop: Padding::instruction([0, 0, 0x40, 3]),
    // break 0
    trap: Padding::instruction([0, 0, 0x2a, 0]),
};

/// LoongArch with 32 bits.
pub static LA32: Machine = Machine {
    emulation: "elf32loongarch",
    format: "elf32-loongarch",
    own_architectures: &["Loongarch32"],
    class: Class::Elf32,
    foreign_hints: &[(Class::Elf64, EM_LOONGARCH, "\n>>> it was compiled for 64 bits")],
    tool_prefix: "loongarch32-",
    is_target: |triple| triple.starts_with("loongarch32"),
    library_paths: &[
        "=/usr/local/lib/loongarch32-linux-gnu",
        "=/lib/loongarch32-linux-gnu",
        "=/usr/lib/loongarch32-linux-gnu",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/loongarch32-linux-gnu/lib",
    ],
    image_base: 0x1_0000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    got_word: 4,
    loader: &loader::TYPES_32,
    ..MACHINE
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
