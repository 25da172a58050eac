//! Pages of code that could be given back: none are known.

/// The code of programs and libraries that are loaded.
#[derive(Debug, Default, Clone)]
pub struct CodePages;

impl CodePages {
    /// Those that have at least `least` bytes of code.
    pub fn find(_least: usize) -> CodePages {
        CodePages
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// Gives them back while `has_time` says so.
    pub fn give_back(&mut self, _has_time: impl Fn() -> bool) {}
}
