//! Programs from crates.io, which show that the linker works for real programs.

/// The version of ripgrep that is built.
pub const RIPGREP_VERSION: &str = "14.1.1";

/// Whether what cargo printed means that it could not download something.
pub fn is_offline(message: &str) -> bool {
    let signs = ["failed to download", "Could not resolve", "failed to fetch", "Couldn't connect"];
    signs.iter().any(|sign| message.contains(sign))
}
