//! MSP430, microcontrollers of 16 bits, as far as LLVM has them: the facts. Programs have no
//! system, and their scripts say where memory is.

mod fold;
pub mod howto;

use super::class::Class;
use super::description::{Machine, TlsVariant};
use super::info_layout::InfoLayout;
use super::loader::LoaderTypes;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// MSP430, without the instructions for addresses of 20 bits.
pub static MACHINE: Machine = Machine {
    emulation: "msp430elf",
    format: "elf32-msp430",
    format_variants: &[],
    emulation_variants: &[],
    own_layout: None,
    architecture: "msp430",
    own_architectures: &["msp430"],
    e_machine: EM_MSP430,
    class: Class::Elf32,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    hash_word: 4,
    header_flags: None,
    linking_flags: 0,
    foreign_hints: &[],
    info_layout: InfoLayout::Number,
    own_flags: None,
    usual_executable_stacks: false,
    relative_frames: false,
    listed_got: None,
    loaded_attributes: &[],
    low_part: None,
    drops_labels: false,
    tool_prefix: "msp430-",
    is_target: |triple| triple.starts_with("msp430"),
    library_paths: &["=/usr/msp430-elf/lib"],
    entry: "_start",
    bss_start_names: &[],
    end_names: &[],
    got_names: &[],
    small_data: None,
    far_code_models: |_| None,
    // As lld.
    image_base: 0x1_0000,
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    separate_code: false,
    // There are no pages; the headers of a program without a script are kept apart, as with lld.
    max_page_size: 0x1000,
    common_page_size: 0x1000,
    is_got2_offset: |_, _| false,
    small_bases: &[],
    unmade_options: &[],
    keywords: &[],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    // There are no threads.
    tls: TlsVariant::AtEnd,
    dtv_offset: 0,
    got_word: 4,
    got_header: 0,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 0,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    pic_plt_is_own: false,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    variant_calls: None,
    properties: &PROPERTIES,
    attribute_section: None,
    function_bit: 0,
    unwind_index: None,
    howtos: &howto::HOWTOS,
    more_howtos: &[],
    type_bits: u32::MAX,
    field_align: |r_type| if r_type == howto::R_MSP430_10_PCREL { 2 } else { 1 },
    code_addend: None,
    sum_part: |_| None,
    is_thread_local: |_| false,
    required_tls_sequence: |_| "is not rewritten",
    fold: &fold::TYPES,
    loader: &LoaderTypes::none(R_MSP430_32),
    // nop: mov r3, r3
    nop: Padding::instruction([0x03, 0x43, 0x03, 0x43]),
    // As lld.
    trap: Padding::bytes(0x43),
};

/// No property has a meaning that is the machine's.
static PROPERTIES: MachineProperties =
    MachineProperties { rules: &[], features: None, levels: None, signing: None, attributes: None };
