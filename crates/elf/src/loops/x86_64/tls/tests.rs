//! Tables of sequences before and after each transition. The bytes of the forms without APX are
//! those that GNU ld writes for the same input (and lld, which lacks the large model); those with
//! APX are checked against a disassembler.

use super::*;
use object::elf::{R_X86_64_NONE, R_X86_64_TLSGD};
use proptest::prelude::*;

/// Bytes that are put around each sequence, to check that they stay.
const AROUND: [u8; 8] = [0xcc; 8];

/// Parses "48 8b 05 ..", where `..` is a byte of the field, `??` one of the call's.
fn section_of(text: &str) -> (Vec<u8>, usize) {
    let mut section = AROUND.to_vec();
    let mut field = None;
    for byte in text.split_whitespace() {
        if byte == ".." {
            field.get_or_insert(section.len());
        }
        section.push(u8::from_str_radix(byte, 16).unwrap_or(0));
    }
    section.extend(AROUND);
    (section, field.unwrap_or(usize::MAX))
}

/// The place of a call's relocation, marked by `??`.
fn next_of(text: &str, r_type: u32) -> Option<NextRelocation> {
    let at = text.split_whitespace().position(|byte| byte == "??")?;
    Some(NextRelocation { r_offset: (AROUND.len() + at) as u64, r_type })
}

const GD: &str = "66 48 8d 3d .. .. .. .. 66 66 48 e8 ?? ?? ?? ??";
const GD_ADDR32: &str = "66 48 8d 3d .. .. .. .. 66 48 67 e8 ?? ?? ?? ??";
const GD_INDIRECT: &str = "66 48 8d 3d .. .. .. .. 66 48 ff 15 ?? ?? ?? ??";
/// With %rbx, and with %r15, as the GOT pointer.
const GD_LARGE: &str = "48 8d 3d .. .. .. .. 48 b8 ?? ?? ?? ?? ?? ?? ?? ?? 48 01 d8 ff d0";
const GD_LARGE_15: &str = "48 8d 3d .. .. .. .. 48 b8 ?? ?? ?? ?? ?? ?? ?? ?? 4c 01 f8 ff d0";

const GENERAL: [(&str, TlsCall, u32); 8] = [
    (GD, TlsCall::Direct, R_X86_64_PLT32),
    (GD, TlsCall::Direct, R_X86_64_PC32),
    (GD_ADDR32, TlsCall::Addr32, R_X86_64_PLT32),
    (GD_INDIRECT, TlsCall::Indirect, R_X86_64_GOTPCREL),
    (GD_INDIRECT, TlsCall::Indirect, R_X86_64_GOTPCRELX),
    (GD_INDIRECT, TlsCall::Indirect, R_X86_64_REX_GOTPCRELX),
    (GD_LARGE, TlsCall::Large, R_X86_64_PLTOFF64),
    (GD_LARGE_15, TlsCall::Large, R_X86_64_PLTOFF64),
];

#[test]
fn general_dynamic_becomes_local_exec() {
    for (before, call, call_type) in GENERAL {
        // mov %fs:0, %rax; lea x@tpoff(%rax), %rax
        let mut after = "64 48 8b 04 25 00 00 00 00 48 8d 80 .. .. .. ..".to_string();
        if call == TlsCall::Large {
            // nopw 0(%rax,%rax)
            after += " 66 0f 1f 44 00 00";
        }
        let (mut section, r_offset) = section_of(before);
        let found = general_dynamic(&section, r_offset, -4, next_of(before, call_type));
        assert_eq!(found, Some(call), "{before}");
        let field = relax_gd_to_le(&mut section, r_offset, call);
        let (expected, field_offset) = section_of(&after);
        assert_eq!(section, expected, "{before}");
        assert_eq!(field, RelaxedField { field_offset, r_type: R_X86_64_TPOFF32, addend: 0 });
        assert_eq!(field.value(-24i64 as u64, 0x1000), -24);
    }
}

#[test]
fn general_dynamic_becomes_initial_exec() {
    for (before, call, call_type) in GENERAL {
        // mov %fs:0, %rax; add x@gottpoff(%rip), %rax
        let mut after = "64 48 8b 04 25 00 00 00 00 48 03 05 .. .. .. ..".to_string();
        if call == TlsCall::Large {
            after += " 66 0f 1f 44 00 00";
        }
        let (mut section, r_offset) = section_of(before);
        let found = general_dynamic(&section, r_offset, -4, next_of(before, call_type));
        assert_eq!(found, Some(call), "{before}");
        let field = relax_gd_to_ie(&mut section, r_offset, call);
        let (expected, field_offset) = section_of(&after);
        assert_eq!(section, expected, "{before}");
        assert_eq!(field, RelaxedField { field_offset, r_type: R_X86_64_GOTTPOFF, addend: -4 });
        // From the end of the add to the GOT entry.
        assert_eq!(field.value(0x3000, 0x1000), 0x3000 - (0x1000 + field_offset as i64 + 4));
    }
}

#[test]
fn local_dynamic_becomes_local_exec() {
    for (before, call_type, after) in [
        // lea x@tlsld(%rip), %rdi; call __tls_get_addr@PLT -> data16 x3 mov %fs:0, %rax
        (
            "48 8d 3d .. .. .. .. e8 ?? ?? ?? ??",
            R_X86_64_PLT32,
            "66 66 66 64 48 8b 04 25 00 00 00 00",
        ),
        // addr32 call __tls_get_addr
        (
            "48 8d 3d .. .. .. .. 67 e8 ?? ?? ?? ??",
            R_X86_64_PC32,
            "66 66 66 66 64 48 8b 04 25 00 00 00 00",
        ),
        // call *__tls_get_addr@GOTPCREL(%rip)
        (
            "48 8d 3d .. .. .. .. ff 15 ?? ?? ?? ??",
            R_X86_64_GOTPCRELX,
            "66 66 66 66 64 48 8b 04 25 00 00 00 00",
        ),
        (
            GD_LARGE,
            R_X86_64_PLTOFF64,
            "66 66 66 66 2e 0f 1f 84 00 00 00 00 00 64 48 8b 04 25 00 00 00 00",
        ),
        (
            GD_LARGE_15,
            R_X86_64_PLTOFF64,
            "66 66 66 66 2e 0f 1f 84 00 00 00 00 00 64 48 8b 04 25 00 00 00 00",
        ),
    ] {
        let (mut section, r_offset) = section_of(before);
        let call = local_dynamic(&section, r_offset, -4, next_of(before, call_type))
            .unwrap_or_else(|| panic!("{before}: not recognized"));
        relax_ld_to_le(&mut section, r_offset, call);
        assert_eq!(section, section_of(after).0, "{before}");
    }
}

#[test]
fn calls_must_be_whole_and_relocated_as_they_are_written() {
    let (section, r_offset) = section_of(GD);
    let next = next_of(GD, R_X86_64_PLT32).unwrap();
    assert!(general_dynamic(&section, r_offset, -4, Some(next)).is_some());
    assert_eq!(general_dynamic(&section, r_offset, -4, None), None);
    assert_eq!(general_dynamic(&section, r_offset, 0, Some(next)), None);
    for r_type in [R_X86_64_NONE, R_X86_64_GOTPCRELX, R_X86_64_PLTOFF64, R_X86_64_TLSGD] {
        let next = Some(NextRelocation { r_type, ..next });
        assert_eq!(general_dynamic(&section, r_offset, -4, next), None);
    }
    for r_offset_of_call in [next.r_offset - 1, next.r_offset + 1, u64::MAX] {
        let next = Some(NextRelocation { r_offset: r_offset_of_call, ..next });
        assert_eq!(general_dynamic(&section, r_offset, -4, next), None);
    }
    for (before, call_type) in
        [(GD, R_X86_64_PLT32), (GD_INDIRECT, R_X86_64_GOTPCRELX), (GD_LARGE, R_X86_64_PLTOFF64)]
    {
        let (section, r_offset) = section_of(before);
        let next = next_of(before, call_type);
        for end in 0..section.len() - AROUND.len() {
            assert_eq!(general_dynamic(&section[..end], r_offset, -4, next), None, "{before}");
        }
    }
    // Without the data16 before lea, 15 bytes; another register; a local call in a GD sequence.
    for before in [
        "90 48 8d 3d .. .. .. .. 66 66 48 e8 ?? ?? ?? ??",
        "66 48 8d 35 .. .. .. .. 66 66 48 e8 ?? ?? ?? ??",
        "66 48 8d 3d .. .. .. .. 90 90 90 e8 ?? ?? ?? ??",
        "48 8d 3d .. .. .. .. e8 ?? ?? ?? ??",
    ] {
        let (section, r_offset) = section_of(before);
        let next = next_of(before, R_X86_64_PLT32);
        assert_eq!(general_dynamic(&section, r_offset, -4, next), None, "{before}");
    }
    // The large call adds to a register other than %rax, or calls another one.
    for before in [
        "48 8d 3d .. .. .. .. 48 b8 ?? ?? ?? ?? ?? ?? ?? ?? 48 01 d9 ff d0",
        "48 8d 3d .. .. .. .. 48 b8 ?? ?? ?? ?? ?? ?? ?? ?? 48 01 d8 ff d1",
        "48 8d 3d .. .. .. .. 48 b9 ?? ?? ?? ?? ?? ?? ?? ?? 48 01 d8 ff d0",
    ] {
        let (section, r_offset) = section_of(before);
        let next = next_of(before, R_X86_64_PLTOFF64);
        assert_eq!(general_dynamic(&section, r_offset, -4, next), None, "{before}");
        assert_eq!(local_dynamic(&section, r_offset, -4, next), None, "{before}");
    }
}

#[test]
fn initial_exec_becomes_local_exec() {
    let (c4, c5, c6) =
        (R_X86_64_CODE_4_GOTTPOFF, R_X86_64_CODE_5_GOTTPOFF, R_X86_64_CODE_6_GOTTPOFF);
    for (r_type, before, after) in [
        // mov x@gottpoff(%rip), %reg -> mov $x@tpoff, %reg: %rax, %rsp, %r8, %r12
        (R_X86_64_GOTTPOFF, "48 8b 05 .. .. .. ..", "48 c7 c0 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "48 8b 25 .. .. .. ..", "48 c7 c4 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "4c 8b 05 .. .. .. ..", "49 c7 c0 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "4c 8b 25 .. .. .. ..", "49 c7 c4 .. .. .. .."),
        // add x@gottpoff(%rip), %reg -> lea x@tpoff(%reg), %reg: %rax, %rdi, %r8, %r13
        (R_X86_64_GOTTPOFF, "48 03 05 .. .. .. ..", "48 8d 80 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "48 03 3d .. .. .. ..", "48 8d bf .. .. .. .."),
        (R_X86_64_GOTTPOFF, "4c 03 05 .. .. .. ..", "4d 8d 80 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "4c 03 2d .. .. .. ..", "4d 8d ad .. .. .. .."),
        // add x@gottpoff(%rip), %reg -> add $x@tpoff, %reg: %rsp, %r12
        (R_X86_64_GOTTPOFF, "48 03 25 .. .. .. ..", "48 81 c4 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "4c 03 25 .. .. .. ..", "49 81 c4 .. .. .. .."),
        // mov %r16, mov %r31, add %r16, add %r31
        (c4, "d5 48 8b 05 .. .. .. ..", "d5 18 c7 c0 .. .. .. .."),
        (c4, "d5 4c 8b 3d .. .. .. ..", "d5 19 c7 c7 .. .. .. .."),
        (c4, "d5 48 03 05 .. .. .. ..", "d5 18 81 c0 .. .. .. .."),
        (c4, "d5 4c 03 3d .. .. .. ..", "d5 19 81 c7 .. .. .. .."),
        // movrs x@gottpoff(%rip), %r9
        (c5, "4c 0f 38 8b 0d .. .. .. ..", "2e 2e 49 c7 c1 .. .. .. .."),
        // movrs x@gottpoff(%rip), %r31
        (c6, "62 64 fc 08 8b 3d .. .. .. ..", "2e 2e d5 19 c7 c7 .. .. .. .."),
        // add x@gottpoff(%rip), %r9, %r31
        (c6, "62 74 84 10 03 0d .. .. .. ..", "62 d4 84 10 81 c1 .. .. .. .."),
        // add %r31, x@gottpoff(%rip), %rax
        (c6, "62 64 fc 18 01 3d .. .. .. ..", "62 dc fc 18 81 c7 .. .. .. .."),
        // {nf} add x@gottpoff(%rip), %r17
        (c6, "62 e4 fc 0c 03 0d .. .. .. ..", "62 fc fc 0c 81 c1 .. .. .. .."),
    ] {
        let (mut section, r_offset) = section_of(before);
        let load = initial_exec(&section, r_offset, r_type, -4)
            .unwrap_or_else(|| panic!("{before}: not recognized"));
        let field = relax_ie_to_le(&mut section, r_offset, &load);
        let (expected, field_offset) = section_of(after);
        assert_eq!(section, expected, "{before} became {section:02x?}");
        assert_eq!(field, RelaxedField { field_offset, r_type: R_X86_64_TPOFF32, addend: 0 });
    }
}

#[test]
fn every_initial_exec_register_keeps_its_number() {
    for register in 0..16u8 {
        let (r, b, low) = ((register >> 3) << 2, register >> 3, register & 7);
        let code = |opcode| [0x48 | r, opcode, low << 3 | 5, 0, 0, 0, 0];
        let relaxed = |mut section: [u8; 7]| {
            let load = initial_exec(&section, 3, R_X86_64_GOTTPOFF, -4).unwrap();
            relax_ie_to_le(&mut section, 3, &load);
            [section[0], section[1], section[2]]
        };
        assert_eq!(relaxed(code(0x8b)), [0x48 | b, 0xc7, 0xc0 | low]);
        let add = if low == 4 {
            [0x48 | b, 0x81, 0xc0 | low]
        } else {
            [0x48 | r | b, 0x8d, 0x80 | low << 3 | low]
        };
        assert_eq!(relaxed(code(0x03)), add);
    }
}

#[test]
fn other_initial_exec_instructions_keep_the_got() {
    for (r_type, before) in [
        // sub, cmp, 32-bit mov, mov 0(%rax), mov to memory, no prefix.
        (R_X86_64_GOTTPOFF, "48 2b 05 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "48 3b 05 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "44 8b 05 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "48 8b 80 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "48 89 05 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "90 8b 05 .. .. .. .."),
        (R_X86_64_CODE_4_GOTTPOFF, "90 48 8b 05 .. .. .. .."),
        (R_X86_64_CODE_4_GOTTPOFF, "d5 40 8b 05 .. .. .. .."),
        // add %rcx, x@gottpoff(%rip) without a new destination; sub with one.
        (R_X86_64_CODE_6_GOTTPOFF, "62 f4 fc 0c 01 0d .. .. .. .."),
        (R_X86_64_CODE_6_GOTTPOFF, "62 74 84 10 2b 0d .. .. .. .."),
        (R_X86_64_GOTPCRELX, "48 8b 05 .. .. .. .."),
    ] {
        let (section, r_offset) = section_of(before);
        assert_eq!(initial_exec(&section, r_offset, r_type, -4), None, "{before}");
    }
    let (section, r_offset) = section_of("48 8b 05 .. .. .. ..");
    assert_eq!(initial_exec(&section, r_offset, R_X86_64_GOTTPOFF, 4), None);
}

#[test]
fn descriptors_become_loads() {
    let c4 = R_X86_64_CODE_4_GOTPC32_TLSDESC;
    for (r_type, before, le, ie) in [
        // lea x@tlsdesc(%rip), %reg: %rax, %r8, %r15, %r16, %r31
        (
            R_X86_64_GOTPC32_TLSDESC,
            "48 8d 05 .. .. .. ..",
            "48 c7 c0 .. .. .. ..",
            "48 8b 05 .. .. .. ..",
        ),
        (
            R_X86_64_GOTPC32_TLSDESC,
            "4c 8d 05 .. .. .. ..",
            "49 c7 c0 .. .. .. ..",
            "4c 8b 05 .. .. .. ..",
        ),
        (
            R_X86_64_GOTPC32_TLSDESC,
            "4c 8d 3d .. .. .. ..",
            "49 c7 c7 .. .. .. ..",
            "4c 8b 3d .. .. .. ..",
        ),
        (c4, "d5 48 8d 05 .. .. .. ..", "d5 18 c7 c0 .. .. .. ..", "d5 48 8b 05 .. .. .. .."),
        (c4, "d5 4c 8d 3d .. .. .. ..", "d5 19 c7 c7 .. .. .. ..", "d5 4c 8b 3d .. .. .. .."),
    ] {
        let (original, r_offset) = section_of(before);
        let lea = descriptor_lea(&original, r_offset, r_type, -4, false)
            .unwrap_or_else(|| panic!("{before}: not recognized"));
        let mut section = original.clone();
        let field = relax_descriptor_to_le(&mut section, r_offset, &lea);
        assert_eq!(section, section_of(le).0, "{before}");
        assert_eq!((field.field_offset, field.r_type), (r_offset, R_X86_64_TPOFF32));
        assert_eq!(field.value(-8i64 as u64, 0x1000), -8);
        let mut section = original;
        let field = relax_descriptor_to_ie(&mut section, r_offset, &lea);
        assert_eq!(section, section_of(ie).0, "{before}");
        assert_eq!((field.field_offset, field.r_type), (r_offset, R_X86_64_GOTTPOFF));
        assert_eq!(field.addend, -4);
    }
    for (r_type, before) in [
        // mov, 32-bit lea, lea 0(%rax), no prefix.
        (R_X86_64_GOTPC32_TLSDESC, "48 8b 05 .. .. .. .."),
        (R_X86_64_GOTPC32_TLSDESC, "40 8d 05 .. .. .. .."),
        (R_X86_64_GOTPC32_TLSDESC, "48 8d 80 .. .. .. .."),
        (R_X86_64_GOTPC32_TLSDESC, "90 8d 05 .. .. .. .."),
        (c4, "90 48 8d 05 .. .. .. .."),
        (R_X86_64_TLSGD, "48 8d 05 .. .. .. .."),
    ] {
        let (section, r_offset) = section_of(before);
        assert_eq!(descriptor_lea(&section, r_offset, r_type, -4, false), None, "{before}");
    }
}

#[test]
fn descriptor_calls_become_nops() {
    for (before, after) in [
        // call *(%rax) -> xchg %ax, %ax
        ("ff 10", "66 90"),
        // call *(%rcx)
        ("ff 11", "66 90"),
        // addr32 call *(%eax) -> nopl (%rax)
        ("67 ff 10", "0f 1f 00"),
        // call *(%r8)
        ("41 ff 10", "0f 1f 00"),
    ] {
        let (mut section, _) = section_of(before);
        let call = descriptor_call(&section, AROUND.len())
            .unwrap_or_else(|| panic!("{before}: not recognized"));
        relax_descriptor_call(&mut section, AROUND.len(), call);
        assert_eq!(section, section_of(after).0, "{before}");
    }
    // call *%rax, call *8(%rax), call *(%rsp), call *0(%rip), jmp *(%rax), call rel32
    for before in ["ff d0", "ff 50", "ff 14", "ff 15", "ff 20", "e8 00", "67 e8"] {
        let (section, _) = section_of(before);
        assert_eq!(descriptor_call(&section, AROUND.len()), None, "{before}");
    }
    assert_eq!(descriptor_call(&[0xff, 0x10], 1), None);
    assert_eq!(descriptor_call(&[0x67, 0xff], 0), None);
    assert_eq!(descriptor_call(&[], usize::MAX), None);
}

/// Bytes of which sequences consist, so that random sections come near them.
fn code() -> impl Strategy<Value = Vec<u8>> {
    let known = [
        0x66, 0x48, 0x4c, 0x8d, 0x3d, 0xe8, 0xff, 0x15, 0x67, 0xb8, 0x01, 0xd8, 0xd0, 0x8b, 0x03,
        0x05, 0x10, 0xd5, 0x62, 0xfc, 0xf4, 0x18,
    ];
    let pieces = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        prop::sample::select(known.to_vec()).prop_map(|byte| vec![byte]),
        prop::sample::select(vec![GD, GD_ADDR32, GD_INDIRECT, GD_LARGE]).prop_map(|sequence| {
            let (section, _) = section_of(sequence);
            section[AROUND.len()..section.len() - AROUND.len()].to_vec()
        }),
        Just(vec![0x48, 0x8d, 0x3d, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0]),
    ];
    (prop::collection::vec(pieces, 0..12), 0usize..4).prop_map(|(pieces, cut)| {
        let mut code = pieces.concat();
        code.truncate(code.len().saturating_sub(cut));
        code
    })
}

proptest! {
    #[test]
    fn random_bytes_do_not_panic(
        section in code(),
        far in prop::option::weighted(0.1, any::<usize>()),
        near in 0usize..80,
        r_type in prop_oneof![0u32..52, any::<u32>()],
        distance in 0u64..8,
        call_type in prop::sample::select(vec![
            R_X86_64_PLT32, R_X86_64_PC32, R_X86_64_GOTPCRELX, R_X86_64_PLTOFF64, R_X86_64_NONE,
        ]),
    ) {
        let r_offset = far.unwrap_or(near);
        let r_offset_of_call = (r_offset as u64).wrapping_add(4 + distance);
        let next = Some(NextRelocation { r_offset: r_offset_of_call, r_type: call_type });
        let len = section.len();
        if let Some(call) = general_dynamic(&section, r_offset, -4, next) {
            let field = relax_gd_to_le(&mut section.clone(), r_offset, call);
            prop_assert!(field.field_offset + 4 <= len);
            let field = relax_gd_to_ie(&mut section.clone(), r_offset, call);
            prop_assert!(field.field_offset + 4 <= len);
        }
        if let Some(call) = local_dynamic(&section, r_offset, -4, next) {
            relax_ld_to_le(&mut section.clone(), r_offset, call);
        }
        if let Some(load) = initial_exec(&section, r_offset, r_type, -4) {
            relax_ie_to_le(&mut section.clone(), r_offset, &load);
        }
        if let Some(lea) = descriptor_lea(&section, r_offset, r_type, -4, false) {
            relax_descriptor_to_le(&mut section.clone(), r_offset, &lea);
            relax_descriptor_to_ie(&mut section.clone(), r_offset, &lea);
        }
        if let Some(call) = descriptor_call(&section, r_offset) {
            relax_descriptor_call(&mut section.clone(), r_offset, call);
        }
    }
}
