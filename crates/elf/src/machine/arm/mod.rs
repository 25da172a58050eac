//! ARM with 32 bits: the facts of its ABI ("ELF for the Arm Architecture"), for little-endian and
//! for big-endian data. Code of objects has the order of their data; that of big-endian programs is
//! little-endian with `--be8`.

mod attributes;
pub mod code_addend;
mod flags;
mod fold;
pub mod howto;
mod loader;
pub mod processor;

use super::class::Class;
use super::description::{Machine, TlsVariant, UnwindIndex};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// ARM Linux with the EABI.
pub static MACHINE: Machine = Machine {
    emulation: "armelf_linux_eabi",
    format: "elf32-littlearm",
    format_variants: &[],
    emulation_variants: &[("armelf", None), ("armelf_linux", None), ("armelf_fbsd", None)],
    own_layout: None,
    architecture: "arm",
    own_architectures: &["arm"],
    e_machine: EM_ARM,
    class: Class::Elf32,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rel,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[],
    tool_prefix: "arm-",
    is_target: |triple| {
        let names = ["arm-", "armv", "thumb-", "thumbv"];
        !is_big(triple) && names.iter().any(|name| triple.starts_with(name))
    },
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/arm-linux-gnueabihf",
        "=/lib/arm-linux-gnueabihf",
        "=/usr/lib/arm-linux-gnueabihf",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/arm-linux-gnueabihf/lib",
    ],
    entry: "_start",
    // As in GNU ld's scripts for Arm's machines.
    bss_start_names: &["__bss_start__"],
    end_names: &["_bss_end__", "__bss_end__", "__end__"],
    small_data: None,
    small_bases: &[],
    far_code_models: |_| None,
    image_base: 0x1_0000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: false,
    max_page_size: 0x1000,
    common_page_size: 0x1000,
    unmade_options: &[
        "--cmse-implib",
        "--fix-cortex-a8",
        "--fix-stm32l4xx-629360",
        "--fix-v4bx-interworking",
        "--in-implib",
        "--vfp11-denorm-fix",
    ],
    keywords: &[],
    memory_tags: None,
    large: None,
    // SHF_ARM_PURECODE
    pure_code: 1 << 29,
    unwind_type: None,
    // Variant I: the block begins behind the two words that the thread pointer leads to.
    tls: TlsVariant::Before(8),
    dtv_offset: 0,
    got_word: 4,
    got_header: 0,
    got_names: &[],
    got_bias: 0,
    got_plt_reserved: 3,
    got_plt_words: 1,
    pic_plt_is_own: false,
    plt_in_place: None,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    implied_call: None,
    register_symbols: None,
    listed_got: None,
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: Some(&attributes::SECTION),
    function_bit: 1,
    loaded_attributes: &[],
    unwind_index: Some(UnwindIndex {
        name: ".ARM.exidx",
        sh_type: SHT_ARM_EXIDX,
        p_type: PT_ARM_EXIDX,
        bounds: ["__exidx_start", "__exidx_end"],
    }),
    howtos: &howto::HOWTOS,
    more_howtos: &howto::MORE,
    type_bits: u32::MAX,
    field_align: |r_type| howto::field(r_type).map_or(1, howto::Field::align),
    code_addend: Some(code_addend::LITTLE_ENDIAN),
    low_part: None,
    is_got2_offset: |_, _| false,
    sum_part: |_| None,
    is_thread_local: howto::is_thread_local,
    required_tls_sequence: howto::required_tls_sequence,
    fold: &fold::TYPES,
    loader: &loader::TYPES,
    // Code of the two kinds of instructions stands together; zeros are a no-op in both.
    nop: Padding::ZERO,
    trap: Padding::ZERO,
};

/// ARM with big-endian data.
pub static BIG_ENDIAN: Machine = Machine {
    emulation: "armelfb_linux_eabi",
    format: "elf32-bigarm",
    emulation_variants: &[("armelfb", None), ("armelfb_linux", None), ("armelfb_fbsd", None)],
    byte_order: ByteOrder::Big,
    tool_prefix: "armeb-",
    is_target: is_big,
    code_addend: Some(code_addend::BIG_ENDIAN),
    ..MACHINE
};

fn is_big(triple: &str) -> bool {
    let processor = triple.split('-').next().unwrap_or_default();
    let is_arm = processor.starts_with("arm") || processor.starts_with("thumb");
    is_arm && (processor.ends_with("eb") || processor.starts_with("armeb"))
}

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
