//! The list of jobs for a distributor: JSON, as described in LLVM's documentation of distributed
//! ThinLTO.

use super::compiler::Backend;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The compilation of a module.
pub struct Job {
    /// Path of the module.
    pub module: String,
    /// Path of its index.
    pub index: PathBuf,
    /// Paths of the modules that functions are imported from.
    pub imports: Vec<String>,
    /// Path of the object to be made.
    pub object: PathBuf,
    /// Its name in a cache; `None` if it must not be cached.
    pub key: Option<u128>,
}

/// The list, for the distributor.
///
/// # Errors
/// A message if a path is not UTF-8: JSON cannot hold it.
pub fn list(output: &Path, backend: &Backend, jobs: &[Job]) -> Result<String, String> {
    let mut text = String::from("{\n  \"common\": {\n    \"linker_output\": ");
    string(&mut text, utf8(output)?);
    text.push_str(",\n    \"args\": ");
    array(&mut text, &backend.arguments);
    text.push_str(",\n    \"inputs\": ");
    array(&mut text, &paths(&backend.inputs)?);
    text.push_str("\n  },\n  \"jobs\": [");
    for (at, job) in jobs.iter().enumerate() {
        let (index, object) = (utf8(&job.index)?, utf8(&job.object)?);
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        let arguments =
            [&*job.module, &format!("-fthinlto-index={index}"), "-o", object].map(str::to_owned);
        text.push_str("    {\"args\": ");
        array(&mut text, &arguments);
        text.push_str(",\n     \"inputs\": ");
        let inputs = [job.module.clone(), index.to_owned()].into_iter();
        array(&mut text, &inputs.chain(job.imports.iter().cloned()).collect::<Vec<_>>());
        text.push_str(",\n     \"outputs\": ");
        array(&mut text, &[object.to_owned()]);
        text.push('}');
    }
    text.push_str("\n  ]\n}\n");
    Ok(text)
}

fn utf8(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("{}: this path is not UTF-8", path.display()))
}

fn paths(all: &[PathBuf]) -> Result<Vec<String>, String> {
    all.iter().map(|path| utf8(path).map(str::to_owned)).collect()
}

fn array(text: &mut String, all: &[String]) {
    text.push('[');
    for (at, one) in all.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { ", " });
        string(text, one);
    }
    text.push(']');
}

/// A string of JSON (RFC 8259, section 7).
fn string(text: &mut String, string: &str) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\0'..' ' => _ = write!(text, "\\u{:04x}", c as u32),
            _ => text.push(c),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_are_those_of_json() {
        let mut text = String::new();
        super::array(&mut text, &["a\"\\\n".to_owned(), "\u{e9}".to_owned()]);
        assert_eq!(text, "[\"a\\\"\\\\\\u000a\", \"\u{e9}\"]");
    }
}
