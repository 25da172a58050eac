//! Releasing pages of code is not supported on this host.

/// The code of programs and libraries that are loaded.
#[derive(Debug, Default, Clone)]
pub struct CodePages;

impl CodePages {
    /// Programs and libraries with at least `least` bytes of code: none are known.
    pub fn find(_least: usize) -> CodePages {
        CodePages
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// Releases pieces while `has_time` returns true: there are none.
    pub fn give_back(&mut self, _has_time: impl Fn() -> bool) {}
}
