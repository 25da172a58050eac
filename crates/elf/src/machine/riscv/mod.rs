//! RISC-V, with 64 and with 32 bits: the facts of its psABI ("RISC-V ABIs Specification"). Data has
//! either byte order; instructions are little-endian always.

mod attributes;
mod extensions;
mod flags;
mod fold;
pub mod howto;
mod loader;
pub mod property;

use super::class::Class;
use super::description::{Machine, SmallData, TlsVariant, VariantCalls};
use super::info_layout::InfoLayout;
use super::padding::Padding;
use super::reloc_kind::RelocKind;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// RISC-V Linux, 64 bits.
pub static MACHINE: Machine = Machine {
    emulation: "elf64lriscv",
    format: "elf64-littleriscv",
    format_variants: &[],
    emulation_variants: &[("elf64lriscv_lp64f", None), ("elf64lriscv_lp64", None)],
    own_layout: None,
    architecture: "riscv",
    own_architectures: &["riscv", "riscv:rv64"],
    e_machine: EM_RISCV,
    class: Class::Elf64,
    byte_order: ByteOrder::Little,
    reloc_kind: RelocKind::Rela,
    info_layout: InfoLayout::Number,
    hash_word: 4,
    own_flags: None,
    header_flags: Some(flags::join),
    linking_flags: 0,
    foreign_hints: &[(Class::Elf32, EM_RISCV, "\n>>> it was compiled for 32 bits")],
    tool_prefix: "riscv64-",
    is_target: |triple| triple.starts_with("riscv64"),
    // As GNU ld, Debian's multiarch directories first.
    library_paths: &[
        "=/usr/local/lib/riscv64-linux-gnu",
        "=/lib/riscv64-linux-gnu",
        "=/usr/lib/riscv64-linux-gnu",
        "=/usr/local/lib64/lp64d",
        "=/usr/local/lib64",
        "=/lib64/lp64d",
        "=/lib64",
        "=/usr/lib64/lp64d",
        "=/usr/lib64",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/riscv64-linux-gnu/lib64/lp64d",
        "=/usr/riscv64-linux-gnu/lib64",
        "=/usr/riscv64-linux-gnu/lib",
    ],
    entry: "_start",
    bss_start_names: &[],
    end_names: &["__BSS_END__"],
    got_names: &[],
    small_data: Some(SmallData {
        pointer: "__global_pointer$",
        starts: &[("__DATA_BEGIN__", ".data"), ("__SDATA_BEGIN__", ".sdata")],
        reach: 0x800,
        is_for_loader: true,
    }),
    small_bases: &[],
    far_code_models: |r_type| {
        matches!(r_type, R_RISCV_HI20 | R_RISCV_LO12_I | R_RISCV_LO12_S)
            .then_some("-mcmodel=medany")
    },
    image_base: 0x1_0000,
    // AUIPC reaches 2 GiB; with room for what the linker adds.
    near_span: 0x7000_0000,
    separate_code: false,
    usual_executable_stacks: false,
    relative_frames: false,
    drops_labels: true,
    max_page_size: 0x1000,
    common_page_size: 0x1000,
    unmade_options: &[],
    keywords: &[
        "zicfilp",
        "zicfilp-unlabeled-report",
        "zicfilp-func-sig-report",
        "zicfiss",
        "zicfiss-report",
    ],
    memory_tags: None,
    large: None,
    pure_code: 0,
    unwind_type: None,
    // Variant I: the thread pointer is where the block begins.
    tls: TlsVariant::Before(0),
    dtv_offset: 0x800,
    got_word: 8,
    got_header: 1,
    got_bias: 0,
    got_plt_words: 1,
    got_plt_reserved: 2,
    plt_in_place: None,
    implied_call: None,
    register_symbols: None,
    listed_got: None,
    pic_plt_is_own: false,
    lazy_entries: None,
    descriptors: None,
    own_functions: None,
    // STO_RISCV_VARIANT_CC and DT_RISCV_VARIANT_CC.
    variant_calls: Some(VariantCalls { mark: 0x80, tag: 0x7000_0001 }),
    properties: &property::PROPERTIES,
    attribute_section: Some(&attributes::SECTION),
    function_bit: 0,
    unwind_index: None,
    loaded_attributes: &[],
    howtos: &howto::HOWTOS,
    more_howtos: &[],
    type_bits: u32::MAX,
    field_align: |r_type| match howto::field(r_type) {
        howto::Field::Branch
        | howto::Field::Jump
        | howto::Field::Call
        | howto::Field::ShortBranch
        | howto::Field::ShortJump => 2,
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
    // nop
    nop: Padding::instruction([0x13, 0, 0, 0]),
    // As GNU ld; zeros are no instruction.
    trap: Padding::ZERO,
};

/// RISC-V with 64 bits and big-endian data.
pub static BIG_ENDIAN: Machine = Machine {
    emulation: "elf64briscv",
    format: "elf64-bigriscv",
    emulation_variants: &[("elf64briscv_lp64f", None), ("elf64briscv_lp64", None)],
    byte_order: ByteOrder::Big,
    tool_prefix: "riscv64be-",
    is_target: |triple| triple.starts_with("riscv64be"),
    ..MACHINE
};

/// RISC-V with 32 bits.
pub static RV32: Machine = Machine {
    emulation: "elf32lriscv",
    format: "elf32-littleriscv",
    emulation_variants: &[("elf32lriscv_ilp32f", None), ("elf32lriscv_ilp32", None)],
    own_architectures: &["riscv:rv32"],
    class: Class::Elf32,
    foreign_hints: &[(Class::Elf64, EM_RISCV, "\n>>> it was compiled for 64 bits")],
    tool_prefix: "riscv32-",
    is_target: |triple| triple.starts_with("riscv32"),
    library_paths: &[
        "=/usr/local/lib/riscv64-linux-gnu",
        "=/lib/riscv64-linux-gnu",
        "=/usr/lib/riscv64-linux-gnu",
        "=/usr/local/lib",
        "=/lib",
        "=/usr/lib",
        "=/usr/riscv64-linux-gnu/lib",
    ],
    // All of an address space of 4 GiB.
    near_span: 1 << 32,
    got_word: 4,
    loader: &loader::TYPES_32,
    ..MACHINE
};

/// RISC-V with 32 bits and big-endian data.
pub static RV32_BIG_ENDIAN: Machine = Machine {
    emulation: "elf32briscv",
    format: "elf32-bigriscv",
    emulation_variants: &[("elf32briscv_ilp32f", None), ("elf32briscv_ilp32", None)],
    byte_order: ByteOrder::Big,
    tool_prefix: "riscv32be-",
    is_target: |triple| triple.starts_with("riscv32be"),
    ..RV32
};
