//! Tells bitcode and text from other files by their first bytes; object formats have their own
//! checks.

/// Whether a file is LLVM bitcode, with or without a wrapper.
pub fn are_bitcode(data: &[u8]) -> bool {
    data.starts_with(b"BC\xc0\xde") || data.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

/// Whether a file is LLVM bitcode and begins as LLVM has written it since version 3.8: with a
/// wrapper, or with the block that says who made it.
pub fn are_module(data: &[u8]) -> bool {
    are_bitcode(data) && (!data.starts_with(b"BC") || data.get(4) == Some(&0x35))
}

/// Whether a file is not empty and begins like text.
pub fn are_text(data: &[u8]) -> bool {
    let head = &data[..data.len().min(256)];
    let is_plain = |&b: &u8| b.is_ascii_graphic() || b.is_ascii_whitespace() || b >= 0x80;
    !head.is_empty() && std::str::from_utf8(head).is_ok() && head.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_no_controls() {
        assert!(are_text(b"GROUP ( libc.so.6 )\n") && are_text("gr\u{fc}n".as_bytes()));
        assert!(
            !are_text(b"") && !are_text(b"a\0b") && !are_text(b"\x7fELF") && !are_text(b"\xff")
        );
        assert!(are_bitcode(b"BC\xc0\xde5\x14") && !are_bitcode(b"BC"));
        assert!(are_module(b"BC\xc0\xde5\x14") && !are_module(b"BC\xc0\xde\n"));
    }
}
