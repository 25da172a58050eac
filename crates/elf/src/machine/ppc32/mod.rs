//! PowerPC with 32 bits: the facts of its psABI ("Power Architecture 32-bit Application Binary
//! Interface Supplement 1.0", Linux and embedded), with the secure PLT.

mod attributes;
mod flags;
mod fold;
pub mod howto;
mod loader;

use super::class::Class;
use super::description::{LazyEntries, LazyPlace, Machine, SmallBase, TlsVariant};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// DT_PPC_GOT: the address of the GOT. With it the loader knows that there is a secure PLT.
const DT_GOT: u32 = 0x7000_0000;

/// PowerPC Linux, 32 bits, big-endian.
pub static MACHINE: Machine = Machine {
    emulation: "elf32ppc",
    format: "elf32-powerpc",
    format_variants: &[("-freebsd", Some(ELFOSABI_FREEBSD))],
    emulation_variants: &[("elf32ppclinux", None), ("elf32ppc_fbsd", Some(ELFOSABI_FREEBSD))],
    architecture: "powerpc",
    own_architectures: &["powerpc:common", "powerpc:403", "powerpc:603", "powerpc:750"],
    e_machine: EM_PPC,
    class: Class::Elf32,
    byte_order: ByteOrder::Big,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    foreign_hints: &[(Class::Elf64, EM_PPC64, "\n>>> it was compiled for 64 bits")],
    tool_prefix: "powerpc-",
    is_target: |triple| triple.starts_with("powerpc-") || triple.starts_with("ppc-"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/powerpc-linux-gnu",
        "=/lib/powerpc-linux-gnu",
        "=/usr/lib/powerpc-linux-gnu",
        "=/usr/local/lib32",
        "=/lib32",
        "=/usr/lib32",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/powerpc-linux-gnu/lib32",
        "=/usr/powerpc-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    small_bases: &[
        SmallBase { symbol: "_SDA_BASE_", sections: [".sdata", ".sbss"] },
        SmallBase { symbol: "_SDA2_BASE_", sections: [".sdata2", ".sbss2"] },
    ],
    far_code_models: |r_type| {
        let base = howto::of(r_type).map(|row| (row.base, row.part));
        matches!(base, Some((howto::Base::Got, howto::Part::All))).then_some("-fPIC")
    },
    image_base: 0x1000_0000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1_0000,
    common_page_size: 0x1000,
    linking_flags: 0,
    own_layout: None,
    unmade_options: &["--bss-plt"],
    keywords: &["--no-toc-optimize"],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    tls: TlsVariant::Behind(0x7000),
    dtv_offset: 0x8000,
    got_word: 4,
    got_header: 3,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 0,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    listed_got: None,
    pic_plt_is_own: false,
    lazy_entries: Some(LazyEntries { tag: DT_GOT, place: LazyPlace::Got, have_addresses: true }),
    descriptors: None,
    own_functions: None,
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: Some(&attributes::SECTION),
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    howtos: &howto::HOWTOS,
    more_howtos: &[],
    type_bits: u32::MAX,
    field_align: howto::field_align,
    code_addend: None,
    low_part: None,
    is_got2_offset: howto::is_got2_offset,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // nop
    nop: Padding::instruction([0x60, 0, 0, 0]),
    // As GNU ld; zeros are no instruction.
    trap: Padding::ZERO,
};

/// PowerPC Linux, 32 bits, little-endian.
pub static LITTLE_ENDIAN: Machine = Machine {
    emulation: "elf32lppc",
    format: "elf32-powerpcle",
    format_variants: &[],
    emulation_variants: &[("elf32lppclinux", None)],
    own_architectures: &[],
    byte_order: ByteOrder::Little,
    tool_prefix: "powerpcle-",
    is_target: |triple| triple.starts_with("powerpcle-") || triple.starts_with("ppcle-"),
    library_paths: &[
        "=/usr/local/lib/powerpcle-linux-gnu",
        "=/lib/powerpcle-linux-gnu",
        "=/usr/lib/powerpcle-linux-gnu",
        "=/usr/local/lib32",
        "=/lib32",
        "=/usr/lib32",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/powerpcle-linux-gnu/lib32",
        "=/usr/powerpcle-linux-gnu/lib",
    ],
    nop: Padding::instruction([0, 0, 0, 0x60]),
    ..MACHINE
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
