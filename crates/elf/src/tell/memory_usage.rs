//! `--print-memory-usage`: how full the regions of `MEMORY` are, in GNU ld's columns.

use super::listing::{self, Stream};
use crate::layout::walk::RegionUsage;
use skald_core::diag::Diag;
use std::fmt::Write as _;

/// Prints a line for each region.
pub fn print(regions: &[RegionUsage], diag: &Diag) {
    let mut text = "Memory region         Used Size  Region Size  %age Used\n".to_owned();
    for RegionUsage { name, used, length, .. } in regions {
        let name = String::from_utf8_lossy(name);
        let _ = write!(text, "{name:>16}: {}{}", size(*used), size(*length));
        if *length != 0 {
            let share = *used as f64 * 100.0 / *length as f64;
            let _ = write!(text, "    {share:6.2}%");
        }
        text.push('\n');
    }
    listing::write(None, Stream::Out, &text, diag);
}

/// A number in the greatest unit that it is a multiple of, in 13 columns.
fn size(bytes: u64) -> String {
    for (log2, unit) in [(30, "GB"), (20, "MB"), (10, "KB")] {
        if bytes.trailing_zeros() >= log2 && bytes != 0 {
            return format!("{:10} {unit}", bytes >> log2);
        }
    }
    format!(" {bytes:10} B")
}
