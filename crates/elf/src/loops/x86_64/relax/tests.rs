//! Tables of instructions before and after each rewrite. The bytes of the forms without APX are
//! those that GNU ld and lld write for the same input; those with APX are checked against a
//! disassembler.

use super::*;
use proptest::prelude::*;

/// Bytes that are put around each instruction, to check that they stay.
const AROUND: [u8; 8] = [0xcc; 8];

/// Parses "48 8b 05 ..": bytes in hexadecimal, `..` for those of the field.
fn pattern(text: &str) -> Vec<Option<u8>> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).ok()).collect()
}

/// Puts an instruction between other bytes, with its field zeroed, and returns the offset of the
/// field.
fn section_of(text: &str) -> (Vec<u8>, usize) {
    let pattern = pattern(text);
    let field = pattern.iter().position(Option::is_none).expect("a field");
    let mut section = AROUND.to_vec();
    section.extend(pattern.iter().map(|byte| byte.unwrap_or(0)));
    section.extend(AROUND);
    (section, AROUND.len() + field)
}

/// Checks the rewrite of `before` to `form` against `after`; "-" if there is none.
fn check(before: &str, r_type: u32, form: Form, after: &str, new_type: u32) {
    let (mut section, r_offset) = section_of(before);
    let relaxation = got_relaxation(&section, r_offset, r_type, -4)
        .unwrap_or_else(|| panic!("{before}: not recognized"));
    let original = section.clone();
    let field = apply_got_relaxation(&mut section, r_offset, &relaxation, form);
    assert_eq!(field, relaxation.field(r_offset, form), "{before}");
    if after == "-" {
        assert_eq!((field, &section), (None, &original), "{before}");
        return;
    }
    let (expected, field_offset) = section_of(after);
    let addend = if form == Form::Absolute { 0 } else { -4 };
    assert_eq!(field, Some(RelaxedField { field_offset, r_type: new_type, addend }), "{before}");
    section[field_offset..field_offset + 4].fill(0);
    assert_eq!(section, expected, "{before} became {section:02x?}");
}

const X: u32 = R_X86_64_GOTPCRELX;
const REX: u32 = R_X86_64_REX_GOTPCRELX;
const C4: u32 = R_X86_64_CODE_4_GOTPCRELX;
const C5: u32 = R_X86_64_CODE_5_GOTPCRELX;
const C6: u32 = R_X86_64_CODE_6_GOTPCRELX;
const S: u32 = R_X86_64_32S;
const U: u32 = R_X86_64_32;

#[test]
fn branches_become_direct() {
    for (r_type, before, after) in [
        // call *foo@GOTPCREL(%rip) -> addr32 call foo
        (X, "ff 15 .. .. .. ..", "67 e8 .. .. .. .."),
        // jmp *foo@GOTPCREL(%rip) -> jmp foo; nop
        (X, "ff 25 .. .. .. ..", "e9 .. .. .. .. 90"),
        // rex.W call *foo@GOTPCREL(%rip) -> rex.W addr32 call foo
        (REX, "48 ff 15 .. .. .. ..", "48 67 e8 .. .. .. .."),
        (REX, "48 ff 25 .. .. .. ..", "48 e9 .. .. .. .. 90"),
    ] {
        check(before, r_type, Form::PcRelative, after, R_X86_64_PC32);
        check(before, r_type, Form::Absolute, "-", 0);
    }
}

#[test]
fn mov_becomes_lea_or_an_immediate() {
    for (r_type, before, lea, mov, mov_type) in [
        // mov foo@GOTPCREL(%rip), %eax
        (X, "8b 05 .. .. .. ..", "8d 05 .. .. .. ..", "c7 c0 .. .. .. ..", U),
        // mov foo@GOTPCREL(%rip), %edi
        (X, "8b 3d .. .. .. ..", "8d 3d .. .. .. ..", "c7 c7 .. .. .. ..", U),
        // mov foo@GOTPCREL(%rip), %rax
        (REX, "48 8b 05 .. .. .. ..", "48 8d 05 .. .. .. ..", "48 c7 c0 .. .. .. ..", S),
        // mov foo@GOTPCREL(%rip), %rsp
        (REX, "48 8b 25 .. .. .. ..", "48 8d 25 .. .. .. ..", "48 c7 c4 .. .. .. ..", S),
        // mov foo@GOTPCREL(%rip), %r8
        (REX, "4c 8b 05 .. .. .. ..", "4c 8d 05 .. .. .. ..", "49 c7 c0 .. .. .. ..", S),
        // mov foo@GOTPCREL(%rip), %r12
        (REX, "4c 8b 25 .. .. .. ..", "4c 8d 25 .. .. .. ..", "49 c7 c4 .. .. .. ..", S),
        // mov foo@GOTPCREL(%rip), %r15d
        (REX, "44 8b 3d .. .. .. ..", "44 8d 3d .. .. .. ..", "41 c7 c7 .. .. .. ..", U),
        // REX.X and REX.B have no meaning with a RIP-relative operand, and must not be copied to
        // the register.
        (REX, "4b 8b 0d .. .. .. ..", "4b 8d 0d .. .. .. ..", "48 c7 c1 .. .. .. ..", S),
        // mov foo@GOTPCREL(%rip), %r16
        (C4, "d5 48 8b 05 .. .. .. ..", "d5 48 8d 05 .. .. .. ..", "d5 18 c7 c0 .. .. .. ..", S),
        // mov foo@GOTPCREL(%rip), %r31
        (C4, "d5 4c 8b 3d .. .. .. ..", "d5 4c 8d 3d .. .. .. ..", "d5 19 c7 c7 .. .. .. ..", S),
        // mov foo@GOTPCREL(%rip), %r25d
        (C4, "d5 44 8b 0d .. .. .. ..", "d5 44 8d 0d .. .. .. ..", "d5 11 c7 c1 .. .. .. ..", U),
        // movrs foo@GOTPCREL(%rip), %ecx
        (C4, "0f 38 8b 0d .. .. .. ..", "2e 2e 8d 0d .. .. .. ..", "2e 2e c7 c1 .. .. .. ..", U),
        // movrs foo@GOTPCREL(%rip), %r9
        (
            C5,
            "4c 0f 38 8b 0d .. .. .. ..",
            "2e 2e 4c 8d 0d .. .. .. ..",
            "2e 2e 49 c7 c1 .. .. .. ..",
            S,
        ),
        // movrs foo@GOTPCREL(%rip), %r31
        (
            C6,
            "62 64 fc 08 8b 3d .. .. .. ..",
            "2e 2e d5 4c 8d 3d .. .. .. ..",
            "2e 2e d5 19 c7 c7 .. .. .. ..",
            S,
        ),
        // movrs foo@GOTPCREL(%rip), %r18d
        (
            C6,
            "62 e4 7c 08 8b 15 .. .. .. ..",
            "2e 2e d5 40 8d 15 .. .. .. ..",
            "2e 2e d5 10 c7 c2 .. .. .. ..",
            U,
        ),
    ] {
        check(before, r_type, Form::PcRelative, lea, R_X86_64_PC32);
        check(before, r_type, Form::Absolute, mov, mov_type);
    }
}

#[test]
fn plain_gotpcrel_allows_only_lea() {
    // mov foo@GOTPCREL(%rip), %r8: the prefix is not read.
    let (before, after) = ("4c 8b 05 .. .. .. ..", "4c 8d 05 .. .. .. ..");
    check(before, R_X86_64_GOTPCREL, Form::PcRelative, after, R_X86_64_PC32);
    check(before, R_X86_64_GOTPCREL, Form::Absolute, "-", 0);
    // movrs, call, push and cmp stay.
    for kept in [
        "0f 38 8b 05 .. .. .. ..",
        "ff 15 .. .. .. ..",
        "ff 35 .. .. .. ..",
        "48 3b 05 .. .. .. ..",
    ] {
        let (section, r_offset) = section_of(kept);
        assert_eq!(got_relaxation(&section, r_offset, R_X86_64_GOTPCREL, -4), None, "{kept}");
    }
}

#[test]
fn operations_take_an_immediate() {
    for (r_type, before, after, new_type) in [
        // add, or, adc, sbb, and, sub, xor, cmp foo@GOTPCREL(%rip), %eax
        (X, "03 05 .. .. .. ..", "81 c0 .. .. .. ..", U),
        (X, "0b 05 .. .. .. ..", "81 c8 .. .. .. ..", U),
        (X, "13 05 .. .. .. ..", "81 d0 .. .. .. ..", U),
        (X, "1b 05 .. .. .. ..", "81 d8 .. .. .. ..", U),
        (X, "23 05 .. .. .. ..", "81 e0 .. .. .. ..", U),
        (X, "2b 05 .. .. .. ..", "81 e8 .. .. .. ..", U),
        (X, "33 05 .. .. .. ..", "81 f0 .. .. .. ..", U),
        (X, "3b 05 .. .. .. ..", "81 f8 .. .. .. ..", U),
        // test %eax, foo@GOTPCREL(%rip)
        (X, "85 05 .. .. .. ..", "f7 c0 .. .. .. ..", U),
        // add %rdi, or %rdi, adc %r8, sbb %r8, and %r12, sub %r12, xor %rdi
        (REX, "48 03 3d .. .. .. ..", "48 81 c7 .. .. .. ..", S),
        (REX, "48 0b 3d .. .. .. ..", "48 81 cf .. .. .. ..", S),
        (REX, "4c 13 05 .. .. .. ..", "49 81 d0 .. .. .. ..", S),
        (REX, "4c 1b 05 .. .. .. ..", "49 81 d8 .. .. .. ..", S),
        (REX, "4c 23 25 .. .. .. ..", "49 81 e4 .. .. .. ..", S),
        (REX, "4c 2b 25 .. .. .. ..", "49 81 ec .. .. .. ..", S),
        (REX, "48 33 3d .. .. .. ..", "48 81 f7 .. .. .. ..", S),
        // cmp foo@GOTPCREL(%rip), %r15d
        (REX, "44 3b 3d .. .. .. ..", "41 81 ff .. .. .. ..", U),
        // test %r8, foo@GOTPCREL(%rip)
        (REX, "4c 85 05 .. .. .. ..", "49 f7 c0 .. .. .. ..", S),
        // push foo@GOTPCREL(%rip) -> cs push $foo
        (X, "ff 35 .. .. .. ..", "2e 68 .. .. .. ..", S),
        (REX, "48 ff 35 .. .. .. ..", "2e 2e 68 .. .. .. ..", S),
        // add %r16, cmp %r24, test %r31
        (C4, "d5 48 03 05 .. .. .. ..", "d5 18 81 c0 .. .. .. ..", S),
        (C4, "d5 4c 3b 05 .. .. .. ..", "d5 19 81 f8 .. .. .. ..", S),
        (C4, "d5 4c 85 3d .. .. .. ..", "d5 19 f7 c7 .. .. .. ..", S),
        // imul foo@GOTPCREL(%rip), %r20 and %r31
        (C4, "d5 c8 af 25 .. .. .. ..", "d5 58 69 e4 .. .. .. ..", S),
        (C4, "d5 cc af 3d .. .. .. ..", "d5 5d 69 ff .. .. .. ..", S),
    ] {
        check(before, r_type, Form::Absolute, after, new_type);
        check(before, r_type, Form::PcRelative, "-", 0);
    }
}

#[test]
fn evex_operations_take_an_immediate() {
    for (before, after, new_type) in [
        // add foo@GOTPCREL(%rip), %rcx, %r16
        ("62 f4 fc 10 03 0d .. .. .. ..", "62 f4 fc 10 81 c1 .. .. .. ..", S),
        // add foo@GOTPCREL(%rip), %r25, %r9
        ("62 64 b4 18 03 0d .. .. .. ..", "62 dc b4 18 81 c1 .. .. .. ..", S),
        // add %r25, foo@GOTPCREL(%rip), %r9
        ("62 64 b4 18 01 0d .. .. .. ..", "62 dc b4 18 81 c1 .. .. .. ..", S),
        // sub foo@GOTPCREL(%rip), %r31d, %eax
        ("62 64 7c 18 2b 3d .. .. .. ..", "62 dc 7c 18 81 ef .. .. .. ..", U),
        // {nf} add foo@GOTPCREL(%rip), %r17
        ("62 e4 fc 0c 03 0d .. .. .. ..", "62 fc fc 0c 81 c1 .. .. .. ..", S),
        // {nf} xor foo@GOTPCREL(%rip), %r9, %r17
        ("62 74 f4 14 33 0d .. .. .. ..", "62 d4 f4 14 81 f1 .. .. .. ..", S),
        // imul foo@GOTPCREL(%rip), %r17, %rdx
        ("62 e4 ec 18 af 0d .. .. .. ..", "62 fc fc 08 69 d1 .. .. .. ..", S),
        // imul foo@GOTPCREL(%rip), %rdx, %r31
        ("62 f4 84 10 af 15 .. .. .. ..", "62 64 fc 08 69 fa .. .. .. ..", S),
        // {nf} imul foo@GOTPCREL(%rip), %r9
        ("62 74 fc 0c af 0d .. .. .. ..", "62 54 fc 0c 69 c9 .. .. .. ..", S),
        // {nf} imul foo@GOTPCREL(%rip), %r25, %r12
        ("62 64 9c 1c af 0d .. .. .. ..", "62 5c fc 0c 69 e1 .. .. .. ..", S),
        // ccmpb {dfv=zf} foo@GOTPCREL(%rip), %r25
        ("62 64 94 02 3b 0d .. .. .. ..", "62 dc 94 02 81 f9 .. .. .. ..", S),
        // ctestb {dfv=of} %r31, foo@GOTPCREL(%rip)
        ("62 64 c4 02 85 3d .. .. .. ..", "62 dc c4 02 f7 c7 .. .. .. ..", S),
    ] {
        check(before, C6, Form::Absolute, after, new_type);
        check(before, C6, Form::PcRelative, "-", 0);
    }
}

#[test]
fn other_instructions_keep_their_got_entry() {
    for (r_type, before) in [
        // lea and mov to memory.
        (X, "8d 05 .. .. .. .."),
        (X, "89 05 .. .. .. .."),
        // Not RIP-relative: mov 0(%rax), call *0(%rax).
        (X, "8b 80 .. .. .. .."),
        (X, "ff 90 .. .. .. .."),
        // inc and dec.
        (X, "ff 05 .. .. .. .."),
        (X, "ff 0d .. .. .. .."),
        // The type says REX where there is none.
        (REX, "66 8b 05 .. .. .. .."),
        // REX2 call and jmp, REX2 with the 0f map (movzx).
        (C4, "d5 08 ff 15 .. .. .. .."),
        (C4, "d5 08 ff 25 .. .. .. .."),
        (C4, "d5 88 b6 05 .. .. .. .."),
        // rex.W imul, whose length is that of REX2.
        (C4, "48 0f af 05 .. .. .. .."),
        (C5, "4c 0f 38 f0 05 .. .. .. .."),
        // sub %r31, foo@GOTPCREL(%rip), %rax: foo is on the left.
        (C6, "62 64 fc 18 29 3d .. .. .. .."),
        // 16-bit operands; another map; vector length.
        (C6, "62 f4 fd 18 03 0d .. .. .. .."),
        (C6, "62 f2 fc 18 03 0d .. .. .. .."),
        (C6, "62 f4 fc 38 03 0d .. .. .. .."),
        // add %rcx, foo@GOTPCREL(%rip) without a new destination writes to memory.
        (C6, "62 f4 fc 0c 01 0d .. .. .. .."),
        // Not relocations of a GOT load.
        (R_X86_64_PC32, "48 8b 05 .. .. .. .."),
        (R_X86_64_GOTTPOFF, "48 8b 05 .. .. .. .."),
        (u32::MAX, "48 8b 05 .. .. .. .."),
    ] {
        let (section, r_offset) = section_of(before);
        assert_eq!(got_relaxation(&section, r_offset, r_type, -4), None, "{before}");
    }
    // movl foo@GOTPCREL+4(%rip), %eax loads the high half of the address.
    let (section, r_offset) = section_of("8b 05 .. .. .. ..");
    for addend in [0, 4, -5, i64::MIN, i64::MAX] {
        assert_eq!(got_relaxation(&section, r_offset, X, addend), None);
    }
}

#[test]
fn sections_end_where_they_end() {
    let code = [0x48, 0x8b, 0x05, 0, 0, 0, 0];
    assert!(got_relaxation(&code, 3, REX, -4).is_some());
    for cut in 0..code.len() {
        assert_eq!(got_relaxation(&code[..cut], 3, REX, -4), None);
    }
    // The prefix would be before the section.
    assert_eq!(got_relaxation(&code[1..], 2, REX, -4), None);
    for r_offset in [0, 1, 2, 4, 6, 7, 8, usize::MAX - 3, usize::MAX] {
        assert_eq!(got_relaxation(&code, r_offset, REX, -4), None);
    }
}

#[test]
fn fields_are_those_of_the_new_relocation() {
    let reaches =
        |field: &RelaxedField, target, start| field.range().contains(field.value(target, start));
    // addr32 call from 0x1002 (its field) to 0x3000: 0x3000 - 0x1006.
    let call = RelaxedField { field_offset: 2, r_type: R_X86_64_PC32, addend: -4 };
    assert_eq!(call.value(0x3000, 0x1000), 0x1ffa);
    assert_eq!(call.value(0x800, 0x1000), -0x806);
    assert!(reaches(&call, 0x8000_1005, 0x1000));
    assert!(!reaches(&call, 0x8000_1006, 0x1000));
    let mov = RelaxedField { field_offset: 1, r_type: R_X86_64_32S, addend: 0 };
    assert!(reaches(&mov, 0x7fff_ffff, 0) && !reaches(&mov, 0x8000_0000, 0));
    assert!(reaches(&mov, 0xffff_ffff_8000_0000, 0));
    let narrow = RelaxedField { field_offset: 1, r_type: R_X86_64_32, addend: 0 };
    assert!(reaches(&narrow, 0xffff_ffff, 0) && !reaches(&narrow, 0x1_0000_0000, 0));

    let mut section = [0xaa; 6];
    assert_eq!(mov.write(&mut section, 0x12345678, 0x9999), Ok(()));
    assert_eq!(section, [0xaa, 0x78, 0x56, 0x34, 0x12, 0xaa]);
    assert_eq!(mov.write(&mut section, 0x8000_0000, 0), Err(0x8000_0000));
    assert_eq!(section, [0xaa, 0x78, 0x56, 0x34, 0x12, 0xaa]);
    assert_eq!(mov.write(&mut section[..4], 1, 0), Err(1));
}

proptest! {
    #[test]
    fn random_bytes_do_not_panic_and_others_stay(
        mut section in prop::collection::vec(
            prop_oneof![
                any::<u8>(),
                prop::sample::select(vec![
                    0x48, 0x4c, 0x8b, 0x05, 0x0d, 0xff, 0x15, 0x25, 0x35, 0xd5, 0x62, 0x0f, 0x38,
                    0xaf, 0x85, 0x03, 0x3b, 0xfc, 0xf4, 0x18, 0x08,
                ]),
            ],
            0..24,
        ),
        r_offset in prop_oneof![0usize..26, any::<usize>()],
        r_type in prop_oneof![
            Just(R_X86_64_GOTPCREL), Just(X), Just(REX), Just(C4), Just(C5), Just(C6), any::<u32>()
        ],
        absolute in any::<bool>(),
        target in any::<u64>(),
        address in any::<u64>(),
    ) {
        let form = if absolute { Form::Absolute } else { Form::PcRelative };
        let original = section.clone();
        if let Some(relaxation) = got_relaxation(&section, r_offset, r_type, -4) {
            if let Some(field) = apply_got_relaxation(&mut section, r_offset, &relaxation, form) {
                let _ = field.write(&mut section, target, address);
            }
            let start = r_offset - usize::from(relaxation.instruction.length);
            prop_assert_eq!(&section[..start], &original[..start]);
            prop_assert_eq!(&section[r_offset + 4..], &original[r_offset + 4..]);
        }
    }
}
