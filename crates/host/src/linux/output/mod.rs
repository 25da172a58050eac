//! Outputs: their destination, and their memory.

mod destination;
mod file_identity;
mod mapping;

mod temporary;
mod temporary_names;
mod transfer;
mod written;

pub use destination::{Destination, Replaced, check, is_stream};
pub use file_identity::Place;
pub use mapping::Mapping;
pub use written::{MappedRange, Written};

use std::fs::File;
use std::io::Read;

/// 0777 or 0666 without the bits of the process's umask.
pub fn permission_bits(executable: bool) -> u32 {
    let wanted = if executable { 0o777 } else { 0o666 };
    wanted & !umask()
}

/// The umask, which Linux shows without changing it; changing it would race with other threads.
fn umask() -> u32 {
    // The umask is in the second line of `/proc/self/status`.
    let mut head = [0; 128];
    let read = File::open("/proc/self/status").and_then(|mut file| file.read(&mut head));
    let status = String::from_utf8_lossy(&head[..read.unwrap_or(0)]);
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or_else(|| {
        let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
        rustix::process::umask(mask);
        mask.as_raw_mode()
    })
}
