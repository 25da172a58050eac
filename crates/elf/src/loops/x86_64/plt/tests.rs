//! The bytes of each style, at the addresses of links by lld (plain and retpoline) and GNU ld
//! (`.plt.got`), from which the tables are.

use super::*;
use proptest::prelude::*;

const STYLES: [PltStyle; 4] =
    [PltStyle::Plain, PltStyle::Ibt, PltStyle::Retpoline, PltStyle::RetpolineNow];

fn bytes(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn header(style: PltStyle, plt_address: u64, got_plt_address: u64) -> Vec<u8> {
    let mut buf = vec![0; style.header_size()];
    write_plt_header(style, &mut buf, plt_address, got_plt_address).unwrap();
    buf
}

fn entry(style: PltStyle, entry: PltEntry) -> Vec<u8> {
    let mut buf = vec![0; style.entry_size()];
    write_plt_entry(style, &mut buf, &entry).unwrap();
    buf
}

fn direct_entry(style: PltStyle, entry: PltEntry) -> Vec<u8> {
    let mut buf = vec![0; style.direct_entry_size()];
    write_direct_entry(style, &mut buf, &entry).unwrap();
    buf
}

#[test]
fn plain() {
    // push 0x3490(%rip); jmp *0x3498(%rip); nop
    let expected = bytes("ff 35 5a 21 00 00 ff 25 5c 21 00 00 0f 1f 40 00");
    assert_eq!(header(PltStyle::Plain, 0x1330, 0x3488), expected);
    // jmp *0x34a8(%rip); push $1; jmp 0x1330
    let second = PltEntry {
        plt_address: 0x1330,
        entry_address: 0x1350,
        got_entry_address: 0x34a8,
        got_base: 0,
        index: 1,
    };
    let expected = bytes("ff 25 52 21 00 00 68 01 00 00 00 e9 d0 ff ff ff");
    assert_eq!(entry(PltStyle::Plain, second), expected);
    assert_eq!(PltStyle::Plain.initial_got_entry(0x1330, 0x1350), 0x1356);
    // jmp *0x2fe0(%rip); xchg %ax, %ax
    let direct = PltEntry {
        plt_address: 0,
        entry_address: 0x1030,
        got_entry_address: 0x2fe0,
        got_base: 0,
        index: 0,
    };
    assert_eq!(direct_entry(PltStyle::Plain, direct), bytes("ff 25 aa 1f 00 00 66 90"));
}

#[test]
fn ibt() {
    // endbr64; push %r11; push 0x3490(%rip); jmp *0x3498(%rip); int3 to the end
    let expected = bytes(
        "f3 0f 1e fa 41 53 ff 35 54 21 00 00 ff 25 56 21 00 00 \
         cc cc cc cc cc cc cc cc cc cc cc cc cc cc",
    );
    assert_eq!(header(PltStyle::Ibt, 0x1330, 0x3488), expected);
    // endbr64; mov $3, %r11d; jmp *0x34a8(%rip)
    let third = PltEntry {
        plt_address: 0x1330,
        entry_address: 0x1380,
        got_entry_address: 0x34a8,
        got_base: 0,
        index: 3,
    };
    let expected = bytes("f3 0f 1e fa 41 bb 03 00 00 00 ff 25 18 21 00 00");
    assert_eq!(entry(PltStyle::Ibt, third), expected);
    assert_eq!(PltStyle::Ibt.initial_got_entry(0x1330, 0x1380), 0x1330);
    // endbr64; jmp *0x2fe0(%rip); nopw 0(%rax,%rax)
    let direct = PltEntry {
        plt_address: 0,
        entry_address: 0x1030,
        got_entry_address: 0x2fe0,
        got_base: 0,
        index: 0,
    };
    let expected = bytes("f3 0f 1e fa ff 25 a6 1f 00 00 66 0f 1f 44 00 00");
    assert_eq!(direct_entry(PltStyle::Ibt, direct), expected);
}

#[test]
fn retpoline() {
    let expected = bytes(
        "ff 35 aa 21 00 00 4c 8b 1d ab 21 00 00 e8 0e 00 00 00 f3 90 0f ae e8 eb f9 \
         cc cc cc cc cc cc cc 4c 89 1c 24 c3 cc cc cc cc cc cc cc cc cc cc cc",
    );
    assert_eq!(header(PltStyle::Retpoline, 0x1330, 0x34d8), expected);
    let second = PltEntry {
        plt_address: 0x1330,
        entry_address: 0x1380,
        got_entry_address: 0x34f8,
        got_base: 0,
        index: 1,
    };
    // mov 0x34f8(%rip), %r11; call 0x1350; jmp 0x1342; push $1; jmp 0x1330
    let lazy = bytes(
        "4c 8b 1d 71 21 00 00 e8 c4 ff ff ff e9 b1 ff ff ff 68 01 00 00 00 e9 95 ff ff ff \
         cc cc cc cc cc",
    );
    assert_eq!(entry(PltStyle::Retpoline, second), lazy);
    assert_eq!(PltStyle::Retpoline.initial_got_entry(0x1330, 0x1380), 0x1391);
    // As `lazy`, without the code behind the loop.
    let mut direct = lazy[..17].to_vec();
    direct.resize(32, 0xcc);
    assert_eq!(direct_entry(PltStyle::Retpoline, second), direct);
}

#[test]
fn retpoline_now() {
    let expected = bytes(
        "e8 0b 00 00 00 f3 90 0f ae e8 eb f9 cc cc cc cc 4c 89 1c 24 c3 \
         cc cc cc cc cc cc cc cc cc cc cc",
    );
    assert_eq!(header(PltStyle::RetpolineNow, 0x1330, 0x24a8), expected);
    let second = PltEntry {
        plt_address: 0x1330,
        entry_address: 0x1360,
        got_entry_address: 0x24c8,
        got_base: 0,
        index: 1,
    };
    // mov 0x24c8(%rip), %r11; jmp 0x1330
    let expected = bytes("4c 8b 1d 61 11 00 00 e9 c4 ff ff ff cc cc cc cc");
    assert_eq!(entry(PltStyle::RetpolineNow, second), expected);
    assert_eq!(direct_entry(PltStyle::RetpolineNow, second), expected);
    assert_eq!(PltStyle::RetpolineNow.initial_got_entry(0x1330, 0x1360), 0);
}

#[test]
fn internal_jumps_of_retpolines_land_on_their_labels() {
    let loop_at = RETPOLINE_LOOP as usize;
    let next_at = RETPOLINE_NEXT as usize;
    assert_eq!(RETPOLINE_HEADER[loop_at..loop_at + 2], [0xf3, 0x90]);
    assert_eq!(RETPOLINE_HEADER[next_at..next_at + 4], [0x4c, 0x89, 0x1c, 0x24]);
    assert_eq!(RETPOLINE_ENTRY[RETPOLINE_RESUME as usize], 0x68);
    assert_eq!(PLAIN_ENTRY[PLAIN_RESUME as usize], 0x68);
}

#[test]
fn a_distant_got_is_an_error() {
    for style in STYLES {
        let mut buf = vec![0; style.entry_size()];
        let far = PltEntry {
            plt_address: 0x1000,
            entry_address: 0x1040,
            got_entry_address: 0x9000_0000,
            got_base: 0,
            index: 0,
        };
        let error = PltOutOfReach { from: 0x1040, to: 0x9000_0000 };
        assert_eq!(write_plt_entry(style, &mut buf, &far), Err(error));
        let mut buf = vec![0; style.direct_entry_size()];
        assert_eq!(write_direct_entry(style, &mut buf, &far), Err(error));
    }
    let mut buf = vec![0; 16];
    let error = write_plt_header(PltStyle::Plain, &mut buf, 0x1000, 0x9000_0000).unwrap_err();
    assert_eq!(error.to_string(), "PLT at 0x1000 is more than 2 GiB away from 0x90000008");
}

proptest! {
    #[test]
    fn any_address_is_written_or_refused(
        style in prop::sample::select(STYLES.to_vec()),
        plt_address in any::<u64>(),
        entry_address in any::<u64>(),
        got_entry_address in any::<u64>(),
        index in any::<u32>(),
    ) {
        let entry = PltEntry { plt_address, entry_address, got_entry_address, got_base: 0, index };
        let mut header = vec![0; style.header_size()];
        let _ = write_plt_header(style, &mut header, plt_address, got_entry_address);
        let _ = write_plt_entry(style, &mut vec![0; style.entry_size()], &entry);
        let _ = write_direct_entry(style, &mut vec![0; style.direct_entry_size()], &entry);
        let _ = style.initial_got_entry(plt_address, entry_address);
    }
}
