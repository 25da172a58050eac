//! The sequences of Drepper's document and of compilers, byte by byte.

use super::*;
use object::elf::{R_386_TLS_DESC_CALL, R_386_TLS_GD, R_386_TLS_GOTDESC, R_386_TLS_LDM};

fn reloc(r_offset: u64, r_type: u32) -> Rela {
    Rela::new(r_offset, r_type, 1, 0)
}

fn bytes(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// The three general-dynamic sequences, with the place of the field, and place and type of the
/// call's relocation.
fn general() -> [(Vec<u8>, u64, Rela); 4] {
    [
        (bytes("8d 04 1d 0 0 0 0 e8 fc ff ff ff"), 3, reloc(8, R_386_PLT32)),
        (bytes("8d 83 0 0 0 0 e8 fc ff ff ff 90"), 2, reloc(7, R_386_PLT32)),
        (bytes("8d 86 0 0 0 0 ff 96 0 0 0 0"), 2, reloc(8, R_386_GOT32X)),
        (bytes("8d 81 0 0 0 0 67 e8 fc ff ff ff"), 2, reloc(8, R_386_PC32)),
    ]
}

#[test]
fn general_dynamic_to_local_and_initial_exec() {
    for ((code, at, call), base) in general().into_iter().zip([3, 3, 6, 1]) {
        let own = reloc(at, R_386_TLS_GD);
        let found = general_dynamic(&code, &own, Some(&call)).expect("a known sequence");
        let mut out = code.clone();
        found.to_local_exec(&mut out, at as usize, 0x1234).expect("it is inside");
        assert_eq!(out, bytes("65 a1 0 0 0 0 81 e8 34 12 0 0"));
        let mut out = code.clone();
        found.to_initial_exec(&mut out, at as usize, 0xffff_fff0).expect("it is inside");
        let expected = [&bytes("65 a1 0 0 0 0 03")[..], &[0x80 | base], &bytes("f0 ff ff ff")];
        assert_eq!(out, expected.concat());
    }
}

#[test]
fn other_general_dynamic_sequences_are_not_known() {
    for (code, at, call) in general() {
        let own = reloc(at, R_386_TLS_GD);
        for end in 0..code.len() {
            assert_eq!(general_dynamic(&code[..end], &own, Some(&call)), None, "{end}");
        }
        assert_eq!(general_dynamic(&code, &own, None), None);
        let behind = Rela::new(call.r_offset() + 1, call.r_type(), 1, 0);
        assert_eq!(general_dynamic(&code, &own, Some(&behind)), None);
        let other = Rela::new(call.r_offset(), R_386_TLS_IE, 1, 0);
        assert_eq!(general_dynamic(&code, &own, Some(&other)), None);
        let with_addend = Rela::new(at, R_386_TLS_GD, 1, 4);
        assert_eq!(general_dynamic(&code, &with_addend, Some(&call)), None);
    }
    // The argument's register is no base; nor is another one than that of the call.
    for code in ["8d 80 0 0 0 0 ff 90 0 0 0 0", "8d 83 0 0 0 0 ff 96 0 0 0 0"] {
        let call = reloc(8, R_386_GOT32X);
        assert_eq!(general_dynamic(&bytes(code), &reloc(2, R_386_TLS_GD), Some(&call)), None);
    }
    let far = Rela::new(u64::MAX, R_386_TLS_GD, 1, 0);
    assert_eq!(general_dynamic(&[0x8d, 0x83], &far, None), None);
}

#[test]
fn local_dynamic_to_local_exec() {
    let own = reloc(2, R_386_TLS_LDM);
    for (code, call, expected) in [
        ("8d 83 0 0 0 0 e8 fc ff ff ff", reloc(7, R_386_PLT32), "65 a1 0 0 0 0 90 8d 74 26 0"),
        ("8d 87 0 0 0 0 ff 97 0 0 0 0", reloc(8, R_386_GOT32X), "65 a1 0 0 0 0 8d b6 0 0 0 0"),
        ("8d 83 0 0 0 0 67 e8 fc ff ff ff", reloc(8, R_386_PC32), "65 a1 0 0 0 0 8d b6 0 0 0 0"),
    ] {
        let mut code = bytes(code);
        let found = local_dynamic(&code, &own, Some(&call)).expect("a known sequence");
        assert_eq!(local_dynamic(&code[..code.len() - 1], &own, Some(&call)), None);
        found.without_module(&mut code, 2).expect("it is inside");
        assert_eq!(code, bytes(expected));
    }
}

#[test]
fn initial_exec_to_local_exec() {
    for (r_type, code, expected) in [
        (R_386_TLS_IE, "a1 0 0 0 0", "b8 f0 ff ff ff"),
        (R_386_TLS_IE, "8b 0d 0 0 0 0", "c7 c1 f0 ff ff ff"),
        (R_386_TLS_IE, "03 15 0 0 0 0", "81 c2 f0 ff ff ff"),
        (R_386_TLS_GOTIE, "8b 83 0 0 0 0", "c7 c0 f0 ff ff ff"),
        (R_386_TLS_GOTIE, "03 8e 0 0 0 0", "81 c1 f0 ff ff ff"),
        (R_386_TLS_GOTIE, "2b 93 0 0 0 0", "81 ea f0 ff ff ff"),
        (R_386_TLS_IE_32, "2b 83 0 0 0 0", "81 e8 f0 ff ff ff"),
        (R_386_TLS_IE_32, "8b b3 0 0 0 0", "c7 c6 f0 ff ff ff"),
    ] {
        let mut code = bytes(code);
        let at = code.len() - 4;
        let own = reloc(at as u64, r_type);
        let found = initial_exec(&code, &own).expect("a known instruction");
        found.to_local_exec(&mut code, at, 0xffff_fff0).expect("it is inside");
        assert_eq!(code, bytes(expected));
    }
    for (r_type, code) in [
        (R_386_TLS_IE, "2b 05 0 0 0 0"),
        (R_386_TLS_IE, "8b 83 0 0 0 0"),
        (R_386_TLS_GOTIE, "8b 05 0 0 0 0"),
        (R_386_TLS_GOTIE, "8b 84 0 0 0 0"),
        (R_386_TLS_GOTIE, "8d 83 0 0 0 0"),
        (R_386_TLS_GOTIE, "8b 83 0 0 0"),
    ] {
        assert_eq!(initial_exec(&bytes(code), &reloc(2, r_type)), None, "{code}");
    }
    assert_eq!(initial_exec(&[0, 0, 0, 0], &reloc(0, R_386_TLS_IE)), None);
}

#[test]
fn descriptors_to_local_and_initial_exec() {
    for (lea, local, initial) in [
        ("8d 83 0 0 0 0", "8d 05 f0 ff ff ff", "8b 83 f0 ff ff ff"),
        ("8d 8e 0 0 0 0", "8d 0d f0 ff ff ff", "8b 8e f0 ff ff ff"),
    ] {
        let code = bytes(lea);
        assert!(is_descriptor_lea(&code, &reloc(2, R_386_TLS_GOTDESC)));
        let mut out = code.clone();
        descriptor_to_local_exec(&mut out, 2, 0xffff_fff0).expect("it is inside");
        assert_eq!(out, bytes(local));
        let mut out = code;
        descriptor_to_initial_exec(&mut out, 2, 0xffff_fff0).expect("it is inside");
        assert_eq!(out, bytes(initial));
    }
    assert!(!is_descriptor_lea(&bytes("8b 83 0 0 0 0"), &reloc(2, R_386_TLS_GOTDESC)));
    assert!(!is_descriptor_lea(&bytes("8d 83 0 0 0"), &reloc(2, R_386_TLS_GOTDESC)));
    assert!(is_descriptor_call(&bytes("ff 10"), 0));
    assert!(!is_descriptor_call(&bytes("ff d0"), 0) && !is_descriptor_call(&bytes("ff"), 0));
    assert!(!is_descriptor_call(&[], R_386_TLS_DESC_CALL as usize));
    let mut call = bytes("ff 10");
    without_descriptor_call(&mut call, 0).expect("it is inside");
    assert_eq!(call, bytes("66 90"));
}
