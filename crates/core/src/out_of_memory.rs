//! Ends a process that cannot get memory. Nothing here allocates.

use crate::memory_limit;
use skald_host::faults;

/// Ends the process because there is no memory for `size` bytes. It allocates nothing.
#[cold]
pub(crate) fn out_of_memory(size: usize) -> ! {
    let limit = skald_host::memory::most_addresses();
    let (mut wanted, mut allowed, mut needed) = ([0; 20], [0; 20], [0; 20]);
    let wanted = decimal(size as u64, &mut wanted);
    let allowed = decimal(limit.unwrap_or(0) / 1024, &mut allowed);
    let reason: [&[u8]; 3] = match limit {
        None => [b"", b"", b""],
        Some(_) => [b"; the address space is limited to ", allowed, b" KiB (ulimit -v)"],
    };
    // The estimate does not cover all memory, so it is printed only if it exceeds the limit.
    let foreseen = memory_limit::needed_addresses_mib()
        .filter(|mib| limit.is_some_and(|limit| mib.saturating_mul(1 << 20) > limit));
    let need: [&[u8]; 3] = match foreseen {
        None => [b"", b"", b""],
        Some(mib) => [b", this link needs about ", decimal(mib * 1024, &mut needed), b" KiB"],
    };
    let text: [&[u8]; 3] = [b": error: out of memory: ", wanted, b" bytes more are wanted"];
    faults::fail(&[
        text[0], text[1], text[2], reason[0], reason[1], reason[2], need[0], need[1], need[2],
        b"\n",
    ])
}

/// The decimal digits of `number`, in `buffer`.
fn decimal(mut number: u64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &buffer[at..];
        }
    }
}
