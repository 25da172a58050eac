//! The command line, and the environment variables that replace its options.

use crate::manual;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// An option as `--help` and the manual page show it, and its description.
pub struct Row(pub &'static str, pub &'static str);

/// All options.
pub const ROWS: [Row; 21] = [
    Row("--remote=grpc://HOST:PORT", "the service; without one all jobs run here"),
    Row("--remote=grpcs://HOST:PORT", "the same, by a connection that is encrypted (TLS)"),
    Row("--tls-ca=FILE", "certificates (PEM) that may vouch for it, in place of the system's"),
    Row("--tls-cert=FILE", "the certificate (PEM) that is shown to it"),
    Row("--tls-key=FILE", "the private key of that certificate (PEM)"),
    Row("--tls-name=NAME", "its name in its certificate (default HOST)"),
    Row("--instance=NAME", "its instance (default none)"),
    Row("--jobs=N", "jobs at the service at a time (default 64)"),
    Row("--local-jobs=N", "jobs here at a time (default one for each processor)"),
    Row("--retries=N", "how often a job is given to the service anew (default 3)"),
    Row("--timeout=SECONDS", "how long a job may take there, waiting included (default 540)"),
    Row("--no-fallback", "what the service cannot do is an error, instead of being done here"),
    Row("--local", "all jobs run here"),
    Row("--no-cache", "the service neither looks for earlier results nor keeps any"),
    Row("--platform=KEY=VALUE", "a property that workers need to have; may be repeated"),
    Row("--header=KEY=VALUE", "metadata of all calls; may be repeated"),
    Row("--progress=WHEN", "a count of jobs: always, never, or auto, on a terminal (default)"),
    Row("--verbose", "a line for each job"),
    Row("--help", "print this"),
    Row("--print-manual", "print the manual page"),
    Row("--version", "print the version"),
];

/// Text about environment variables, which applies to all options.
pub const VARIABLES: &str = "\
Each option may be given as a variable, too: SKALD_DISTRIBUTE_REMOTE, SKALD_DISTRIBUTE_JOBS, ...;
several properties or headers in one are separated by spaces. The command line prevails.
";

fn help() -> String {
    let mut text =
        "Usage: skald-distribute [OPTIONS] LIST.json\n\nRuns the compilations that a linker \
                    has listed for distributed ThinLTO.\n\n"
            .to_owned();
    for Row(option, what) in &ROWS {
        let _ = writeln!(text, "  {option:<26} {what}");
    }
    text + "\n" + VARIABLES
}

/// The action that the command line requests.
pub enum Action {
    /// Run jobs.
    Run(Box<Options>),
    /// Print a text.
    Print(String),
}

/// When the line that counts jobs is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Auto,
    Always,
    Never,
}

/// The address of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// `HOST:PORT`.
    pub place: String,
    /// The connection is encrypted.
    pub is_encrypted: bool,
}

/// Certificates and names for encrypted connections to the service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tls {
    pub ca: Option<PathBuf>,
    pub cert: Option<PathBuf>,
    pub key: Option<PathBuf>,
    pub name: Option<String>,
}

/// The options of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The list of jobs.
    pub list: PathBuf,
    /// The service.
    pub remote: Option<Address>,
    /// How encrypted connections are made.
    pub tls: Tls,
    pub instance: String,
    pub jobs: usize,
    pub local_jobs: usize,
    pub retries: u32,
    pub timeout: Duration,
    pub fallback: bool,
    pub cache: bool,
    pub platform: Vec<(String, String)>,
    pub headers: Vec<(String, String)>,
    pub progress: Progress,
    pub verbose: bool,
}

impl Options {
    /// Reads the command line; `variable` looks up an environment variable.
    ///
    /// # Errors
    /// A message.
    pub fn parse(
        words: &[String],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Action, String> {
        let mut options = Options {
            list: PathBuf::new(),
            remote: None,
            tls: Tls::default(),
            instance: String::new(),
            jobs: 64,
            local_jobs: std::thread::available_parallelism().map_or(1, usize::from),
            retries: 3,
            timeout: Duration::from_secs(TIMEOUT),
            fallback: true,
            cache: true,
            platform: Vec::new(),
            headers: Vec::new(),
            progress: Progress::Auto,
            verbose: false,
        };
        for name in VALUES.iter().chain(&FLAGS) {
            let variable_name =
                format!("SKALD_DISTRIBUTE_{}", name.to_ascii_uppercase().replace('-', "_"));
            let Some(value) = variable(&variable_name) else { continue };
            let in_variable = |text| format!("{variable_name}: {text}");
            if FLAGS.contains(name) {
                if !matches!(&*value, "" | "0") {
                    options.flag(name);
                }
            } else if matches!(*name, "platform" | "header") {
                for part in value.split_whitespace() {
                    options.value(name, part).map_err(in_variable)?;
                }
            } else {
                options.value(name, &value).map_err(in_variable)?;
            }
        }
        let mut lists = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else {
                lists.push(word);
                continue;
            };
            match option.split_once('=') {
                Some((name, value)) if VALUES.contains(&name) => options.value(name, value)?,
                None if VALUES.contains(&option) => {
                    let value = words.next().ok_or_else(|| format!("--{option} needs a value"))?;
                    options.value(option, value)?;
                }
                None if FLAGS.contains(&option) => options.flag(option),
                None if option == "help" => return Ok(Action::Print(help())),
                None if option == "print-manual" => return Ok(Action::Print(manual::page())),
                None if option == "version" => {
                    let version = env!("CARGO_PKG_VERSION");
                    return Ok(Action::Print(format!("skald-distribute {version}\n")));
                }
                _ => return Err(format!("unknown option {word}")),
            }
        }
        let [list] = lists[..] else { return Err("one list of jobs is expected".to_owned()) };
        options.list = list.into();
        options.check_tls()?;
        Ok(Action::Run(Box::new(options)))
    }

    /// Fails if TLS options are incomplete, or are given for a connection without encryption.
    fn check_tls(&self) -> Result<(), String> {
        let Tls { ca, cert, key, name } = &self.tls;
        if cert.is_some() != key.is_some() {
            return Err("--tls-cert and --tls-key need each other".to_owned());
        }
        let is_asked = ca.is_some() || cert.is_some() || name.is_some();
        match &self.remote {
            Some(remote) if is_asked && !remote.is_encrypted => {
                Err(format!("--tls options need --remote=grpcs://{}", remote.place))
            }
            _ => Ok(()),
        }
    }

    fn flag(&mut self, name: &str) {
        match name {
            "no-fallback" => self.fallback = false,
            "local" => self.remote = None,
            "no-cache" => self.cache = false,
            _ => self.verbose = true,
        }
    }

    fn value(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || {
            let number = value.parse::<u32>().ok().filter(|&n| n > 0 || name == "retries");
            number.ok_or_else(|| format!("--{name}: {value} is no number that makes sense"))
        };
        let pair = || {
            let pair = value.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
            pair.ok_or_else(|| format!("--{name}: {value} is not KEY=VALUE"))
        };
        match name {
            "remote" if value.is_empty() => self.remote = None,
            "remote" => self.remote = Some(Address::parse(value)?),
            "tls-ca" => self.tls.ca = Some(value.into()),
            "tls-cert" => self.tls.cert = Some(value.into()),
            "tls-key" => self.tls.key = Some(value.into()),
            "tls-name" => self.tls.name = Some(value.to_owned()),
            "instance" => value.clone_into(&mut self.instance),
            "jobs" => self.jobs = number()? as usize,
            "local-jobs" => self.local_jobs = number()? as usize,
            "retries" => self.retries = number()?,
            "timeout" => self.timeout = Duration::from_secs(number()?.into()),
            "platform" => self.platform.push(pair()?),
            "header" => self.headers.push(pair()?),
            _ => {
                self.progress = match value {
                    "auto" => Progress::Auto,
                    "always" => Progress::Always,
                    "never" => Progress::Never,
                    _ => return Err(format!("--progress: {value} is none of auto, always, never")),
                }
            }
        }
        Ok(())
    }
}

impl Address {
    fn parse(value: &str) -> Result<Address, String> {
        let (scheme, place) = value.split_once("://").unwrap_or(("grpc", value));
        let is_encrypted = match scheme {
            "grpc" | "http" => false,
            "grpcs" | "https" => true,
            _ => return Err(format!("--remote: {scheme}:// is neither grpc:// nor grpcs://")),
        };
        Ok(Address { place: place.to_owned(), is_encrypted })
    }
}

/// Seconds that a job may take at the service. The linker ends a distributor that has done nothing
/// for 600 seconds; this timeout is shorter, because the message of this program is better.
const TIMEOUT: u64 = 540;

const VALUES: [&str; 13] = [
    "remote",
    "tls-ca",
    "tls-cert",
    "tls-key",
    "tls-name",
    "instance",
    "jobs",
    "local-jobs",
    "retries",
    "timeout",
    "platform",
    "header",
    "progress",
];
const FLAGS: [&str; 4] = ["no-fallback", "local", "no-cache", "verbose"];

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str, variables: &[(&str, &str)]) -> Result<Options, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let variable = |name: &str| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        match Options::parse(&words, variable)? {
            Action::Run(options) => Ok(*options),
            Action::Print(text) => Err(text),
        }
    }

    #[test]
    fn the_command_line_prevails_over_variables() {
        let variables = [
            ("SKALD_DISTRIBUTE_REMOTE", "grpc://there:1"),
            ("SKALD_DISTRIBUTE_JOBS", "7"),
            ("SKALD_DISTRIBUTE_PLATFORM", "OSFamily=linux ISA=x86-64"),
            ("SKALD_DISTRIBUTE_NO_FALLBACK", "1"),
            ("SKALD_DISTRIBUTE_VERBOSE", "0"),
        ];
        let options = parsed("--jobs 9 --header=a=b list", &variables).expect("options");
        let there = Address { place: "there:1".to_owned(), is_encrypted: false };
        assert_eq!(options.remote, Some(there));
        assert_eq!((options.jobs, options.platform.len(), options.fallback), (9, 2, false));
        assert_eq!(options.headers, [("a".to_owned(), "b".to_owned())]);
        assert!(!options.verbose);
        assert_eq!(parsed("--local list", &variables).expect("options").remote, None);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in [
            "",
            "a b",
            "--jobs=0 a",
            "--jobs=x a",
            "--remote=ftp://a:1 a",
            "--remote=grpc://a:1 --tls-ca=b a",
            "--remote=grpcs://a:1 --tls-cert=b a",
            "--remote=grpcs://a:1 --tls-key=b a",
            "--platform=x a",
            "--what a",
            "--progress=maybe a",
            "a --jobs",
        ] {
            assert!(parsed(line, &[]).is_err(), "{line}");
        }
        assert!(parsed("--help", &[]).unwrap_err().starts_with("Usage"));
        assert!(parsed("--retries=0 a", &[]).is_ok());
        assert!(parsed("--remote=grpcs://a:1 --tls-cert=b --tls-key=c a", &[]).is_ok());
        // Without a service there is no connection.
        assert!(parsed("--local a", &[("SKALD_DISTRIBUTE_TLS_CA", "b")]).is_ok());
    }

    #[test]
    fn all_options_are_described() {
        let described = |name: &&str| {
            let has = |word: &str| word == *name || word.starts_with(&format!("{name}="));
            ROWS.iter().any(|Row(option, _)| option.strip_prefix("--").is_some_and(has))
        };
        assert!(VALUES.iter().chain(&FLAGS).all(described));
        assert!(help().lines().all(|line| line.len() <= 100));
        let described = ROWS.iter().find(|row| row.0.starts_with("--timeout"));
        assert!(described.is_some_and(|row| row.1.contains(&format!("default {TIMEOUT}"))));
    }
}
