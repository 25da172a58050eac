//! `--scripts`: our linker runs again with the script that GNU ld has built in, and with two
//! thousand further rules in that script, which match nothing, so that the cost of matching shows.

use super::linkers::Linker;
use crate::corpus::tools;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Names of the variants, and how many rules are added.
const VARIANTS: [(&str, usize); 2] = [("skald-script", 0), ("skald-rules", 2000)];

/// Text in the script before which the rules are inserted.
const CODE: &str = "*(.text.unlikely";
const DATA: &str = "*(.data .data.";

/// The linker with each of the scripts, which are written to `directory`.
///
/// # Errors
/// When GNU ld is missing, or has another script than is expected.
pub fn variants(linker: &Linker, directory: &Path) -> Result<Vec<Linker>, String> {
    let printed = tools::run(Command::new("ld").arg("--verbose"))?;
    let script = printed.split("\n====").nth(1).and_then(|part| part.split_once('\n'));
    let script = script.map(|(_, script)| script).ok_or("ld --verbose prints no script")?;
    fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let variant = |(name, rules): (&str, usize)| {
        let path = directory.join(format!("{name}.ld"));
        fs::write(&path, with_rules(script, rules)?)
            .map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(linker.variant(name, &format!("--script={}", path.display())))
    };
    VARIANTS.into_iter().map(variant).collect()
}

/// The script with so many rules before those of code and of data: names of functions, their
/// beginnings, and data of files.
fn with_rules(script: &str, rules: usize) -> Result<String, String> {
    let (mut code, mut data) = (String::new(), String::new());
    for number in 0..rules {
        let _ = match number % 4 {
            0 | 1 => writeln!(code, "*(.text.hot_fn_{number})"),
            2 => writeln!(code, "*(.text.hot_fn_{number}.*)"),
            _ => writeln!(data, "*foo_{number}*.o(.data.x*)"),
        };
    }
    let mut text = script.to_owned();
    for (place, added) in [(CODE, code), (DATA, data)] {
        let at = text.find(place).ok_or_else(|| format!("ld's script has no {place}"))?;
        text.insert_str(at, &added);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::with_rules;

    #[test]
    fn rules_stand_before_those_of_the_script() {
        let script = ".text : { *(.text.unlikely .text.*) } .data : { *(.data .data.*) }";
        let text = with_rules(script, 8).unwrap();
        assert_eq!(text.matches("hot_fn_").count(), 6);
        assert!(text.contains(".data : { *foo_3*.o(.data.x*)\n*foo_7*.o(.data.x*)\n*(.data "));
        assert_eq!(with_rules(script, 0).unwrap(), script);
        assert!(with_rules("", 1).is_err());
    }
}
