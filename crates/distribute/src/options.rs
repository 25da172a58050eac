//! The command line, and the variables of the environment that stand for it.

use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
Usage: skald-distribute [OPTIONS] LIST.json

Runs the compilations that a linker has listed for distributed ThinLTO.

  --remote=grpc://HOST:PORT  the service; without one all jobs run here
  --instance=NAME            its instance (default none)
  --jobs=N                   jobs at the service at a time (default 64)
  --local-jobs=N             jobs here at a time (default one for each processor)
  --retries=N                how often a job is given to the service anew (default 3)
  --timeout=SECONDS          how long a job may take there, waiting included (default 600)
  --no-fallback              what the service cannot do is an error, instead of being done here
  --local                    all jobs run here
  --no-cache                 the service neither looks for earlier results nor keeps any
  --platform=KEY=VALUE       a property that workers need to have; may be repeated
  --header=KEY=VALUE         metadata of all calls; may be repeated
  --progress=auto|always|never
                             a line that counts jobs (default: on a terminal)
  --verbose                  a line for each job
  --help, --version

Each option may be given as a variable, too: SKALD_DISTRIBUTE_REMOTE, SKALD_DISTRIBUTE_JOBS, ...;
several properties or headers in one are separated by spaces. The command line prevails.
";

/// What is to be done.
pub enum Wish {
    /// Run jobs.
    Run(Options),
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

/// What the command line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The list of jobs.
    pub list: PathBuf,
    /// `HOST:PORT` of the service.
    pub remote: Option<String>,
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
    /// Reads the command line; `variable` looks a variable of the environment up.
    ///
    /// # Errors
    /// A message.
    pub fn parse(
        words: &[String],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Wish, String> {
        let mut options = Options {
            list: PathBuf::new(),
            remote: None,
            instance: String::new(),
            jobs: 64,
            local_jobs: std::thread::available_parallelism().map_or(1, usize::from),
            retries: 3,
            timeout: Duration::from_secs(600),
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
                None if option == "help" => return Ok(Wish::Print(HELP.to_owned())),
                None if option == "version" => {
                    let version = env!("CARGO_PKG_VERSION");
                    return Ok(Wish::Print(format!("skald-distribute {version}\n")));
                }
                _ => return Err(format!("unknown option {word}")),
            }
        }
        let [list] = lists[..] else { return Err("one list of jobs is expected".to_owned()) };
        options.list = list.into();
        Ok(Wish::Run(options))
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
            "remote" => match value.split_once("://") {
                Some(("grpc" | "http", rest)) => self.remote = Some(rest.to_owned()),
                None => self.remote = Some(value.to_owned()),
                Some((scheme, _)) => {
                    return Err(format!(
                        "--remote: {scheme}:// is not supported, only grpc://; for an encrypted \
                         connection use a proxy on this machine"
                    ));
                }
            },
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

const VALUES: [&str; 9] = [
    "remote",
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
            Wish::Run(options) => Ok(options),
            Wish::Print(text) => Err(text),
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
        assert_eq!(options.remote.as_deref(), Some("there:1"));
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
            "--remote=grpcs://a:1 a",
            "--platform=x a",
            "--what a",
            "--progress=maybe a",
            "a --jobs",
        ] {
            assert!(parsed(line, &[]).is_err(), "{line}");
        }
        assert!(parsed("--help", &[]).unwrap_err().starts_with("Usage"));
        assert!(parsed("--retries=0 a", &[]).is_ok());
    }
}
