//! `--memory-limit`, and the environment variable that replaces it. Part of [`Options`].
//!
//! [`Options`]: super::Options

use super::settle::Environment;
use skald_core::diag::Result;
use skald_core::memory_limit::Source;
use skald_linking::option_row::Value;

/// The variable that counts if there is no `--memory-limit`.
pub const VARIABLE: &str = "SKALD_MEMORY_LIMIT";
/// The argument of `--memory-limit` in the help text; [`VARIABLE`] takes the same values.
pub const META: &str = "SIZE|PERCENT%|none";

/// How much memory the link may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MemoryLimit {
    /// The limit of the process's control group, if there is one.
    #[default]
    System,
    /// The link has no limit.
    None,
    /// The limit in bytes, and where it comes from.
    Bytes(u64, Source),
    /// A percentage of the control group's limit or, without one, of the machine's memory.
    Percent(u64, Source),
}

/// The limit for `value`; messages about it name `source`.
pub(super) fn read(value: &Value<'_>, source: Source) -> Result<MemoryLimit> {
    let bad = || value.bad("a size such as 800M, a percentage of the memory or none");
    let text = value.text()?;
    if text == "none" {
        return Ok(MemoryLimit::None);
    }
    if let Some(percent) = text.strip_suffix('%') {
        let is_number = percent.bytes().all(|digit| digit.is_ascii_digit());
        let percent =
            percent.parse().ok().filter(|percent| is_number && (1..=100).contains(percent));
        return Ok(MemoryLimit::Percent(percent.ok_or_else(bad)?, source));
    }
    match value.number() {
        Ok(bytes) if bytes > 0 => Ok(MemoryLimit::Bytes(bytes, source)),
        _ => Err(bad()),
    }
}

/// The limit of [`VARIABLE`], or of the system.
pub(super) fn of(environment: Environment<'_>) -> Result<MemoryLimit> {
    match environment(VARIABLE).filter(|text| !text.is_empty()) {
        Some(text) => {
            let value = Value { option: VARIABLE, text: &text, joined: true, meta: META };
            read(&value, Source::Variable(VARIABLE))
        }
        None => Ok(MemoryLimit::System),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse_in;
    use super::*;
    use std::ffi::OsString;

    fn limit(words: &[&str], variable: &str) -> std::result::Result<MemoryLimit, String> {
        let argv: Vec<OsString> = ["ld", "a.o"].iter().chain(words).map(OsString::from).collect();
        let environment = |name: &str| (name == VARIABLE).then(|| OsString::from(variable));
        let parsed = parse_in(&argv, &environment).map_err(|error| error.0)?;
        Ok(parsed.options.memory_limit)
    }

    #[test]
    fn the_option_counts_before_the_environment() {
        let of_variable = Source::Variable(VARIABLE);
        assert_eq!(limit(&[], ""), Ok(MemoryLimit::System));
        assert_eq!(limit(&[], "2G"), Ok(MemoryLimit::Bytes(2 << 30, of_variable)));
        assert_eq!(limit(&[], "50%"), Ok(MemoryLimit::Percent(50, of_variable)));
        assert_eq!(limit(&[], "none"), Ok(MemoryLimit::None));
        let option = |size| limit(&["--memory-limit=1M", size], "2G");
        assert_eq!(
            option("--memory-limit=300K"),
            Ok(MemoryLimit::Bytes(300 << 10, Source::Option))
        );
        assert_eq!(option("--memory-limit=none"), Ok(MemoryLimit::None));
        assert_eq!(option("--memory-limit=100%"), Ok(MemoryLimit::Percent(100, Source::Option)));
    }

    #[test]
    fn what_is_no_size_is_refused_with_its_place() {
        for size in ["0", "1T", "-1", "1.5G", "0%", "101%", "+5%", "%", "much", "5 %"] {
            let expected = format!(
                "bad value '{size}': expected a size such as 800M, a percentage of the memory or \
                 none"
            );
            assert_eq!(limit(&[], size), Err(format!("SKALD_MEMORY_LIMIT: {expected}")));
            let word = format!("--memory-limit={size}");
            assert_eq!(limit(&[&word], "x"), Err(format!("--memory-limit: {expected}")));
        }
    }
}
