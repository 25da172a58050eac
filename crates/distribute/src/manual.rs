//! The manual page, generated from the table of options.

use crate::options::{ROWS, Row, VARIABLES};
use std::fmt::Write;

/// The page, in the format of `man`.
pub fn page() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut page = format!(
        ".TH SKALD\\-DISTRIBUTE 1 \"\" \"skald {version}\" \"User Commands\"\n\
         .SH NAME\n\
         skald\\-distribute \\- run the compilations of distributed ThinLTO on a remote\\-execution \
         service\n\
         .SH SYNOPSIS\n\
         .B skald\\-distribute\n\
         .RI [ OPTION ]...\n\
         .I LIST.json\n\
         .SH DESCRIPTION\n"
    );
    for paragraph in DESCRIPTION {
        let _ = write!(page, ".PP\n{}\n", escaped(paragraph));
    }
    page += ".SH OPTIONS\n";
    for Row(option, what) in &ROWS {
        let (option, value) = match option.split_once('=') {
            Some((option, value)) => (option, format!("=\\fI{}\\fR", escaped(value))),
            None => (*option, String::new()),
        };
        let _ = write!(page, ".TP\n\\fB{}\\fR{value}\n{}.\n", escaped(option), capital(what));
    }
    let _ = write!(page, ".SH ENVIRONMENT\n{}", escaped(VARIABLES));
    let _ = write!(page, ".SH EXAMPLES\n.nf\n{}\n.fi\n", escaped(EXAMPLE));
    page + ".SH EXIT STATUS\n0 if all objects are there, 1 if not, and 2 if the command line is wrong.\n\
            .SH SEE ALSO\n.BR skald (1)\n"
}

const DESCRIPTION: [&str; 3] = [
    "A linker that distributes the modules of ThinLTO writes a list of compilations, and runs \
     this program with it (--thinlto-distributor). It has them run by a service that speaks the \
     Remote Execution API, such as BuildGrid, Buildbarn or Buildfarm.",
    "Results that the service knows are taken from its cache; what it lacks is uploaded once; \
     then the jobs run there. A job whose worker is lost is given to the service again. What the \
     service cannot do is done here, with a warning. A compiler that fails is an error at once.",
    "Jobs run in a directory with the files that they name, below the working directory. The \
     compiler is a path at the workers, or a name in their /usr/local/bin, /usr/bin or /bin.",
];

const EXAMPLE: &str = "\
clang -flto=thin -O2 ... -fuse-ld=skald \\
  -Wl,--thinlto-distributor=skald-distribute \\
  -Wl,--thinlto-distributor-arg=--remote=grpcs://build.example:8980";

/// `text`, escaped for `man`.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace("\n.", "\n\\&.")
}

fn capital(text: &str) -> String {
    let text = escaped(text);
    text[..1].to_uppercase() + &text[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_those_of_man() {
        let known = [".TH", ".SH", ".PP", ".TP", ".B", ".RI", ".I", ".BR", ".nf", ".fi"];
        let page = page();
        for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
            let request = line.split(' ').next().unwrap_or_default();
            assert!(known.contains(&request), "{line}");
        }
        assert!(page.contains("\\fB\\-\\-tls\\-ca\\fR=\\fIFILE\\fR"));
    }
}
