//! `-c`: adds the commands of MRI scripts to the options of the command line, which takes
//! precedence, as in GNU ld.

use crate::args::options::{MriScript, OutputFormat};
use crate::args::{Input, InputName, Options};
use crate::read::mri_layout::MriLayout;
use crate::read::mri_script::{self, MriCommand};
use skald_core::diag::{Diag, Error, Failed, Result};
use skald_core::input;
use skald_linking::expr::Expr;
use std::path::{Path, PathBuf};

/// How deep scripts may include each other.
const MAX_DEPTH: usize = 16;
/// How many scripts a link may read.
const MAX_SCRIPTS: usize = 1000;

/// `options` with those of its MRI scripts; `None` without scripts.
pub fn options(options: &Options, diag: &Diag) -> std::result::Result<Option<Options>, Failed> {
    if options.mri_scripts.is_empty() {
        return Ok(None);
    }
    let mut script = Joined {
        options: options.clone(),
        inputs: Vec::new(),
        layout: MriLayout::default(),
        read: 0,
    };
    let mut given = options.inputs.iter().cloned();
    let mut taken = 0;
    for (at, named) in (0..).zip(&options.mri_scripts) {
        script.inputs.extend(given.by_ref().take(named.position - taken));
        taken = named.position;
        if let Err(error) = script.add(named, &named.path, 0) {
            diag.error((0, at), error.0);
        }
    }
    script.inputs.extend(given);
    if script.inputs.is_empty() {
        diag.error((1, 0), "no input files");
    }
    diag.checkpoint()?;
    let text = script.layout.script();
    script.options.mri_layout = text.map(|text| &*text.into_bytes().leak());
    Ok(Some(Options { inputs: script.inputs, ..script.options }))
}

/// The options joined so far.
struct Joined {
    options: Options,
    inputs: Vec<Input>,
    layout: MriLayout,
    read: usize,
}

impl Joined {
    /// Applies the script in the file `path`; `named` is the command that names it.
    fn add(&mut self, named: &MriScript, path: &Path, depth: usize) -> Result<()> {
        self.read += 1;
        let origin = path.display().to_string();
        if depth > MAX_DEPTH || self.read > MAX_SCRIPTS {
            return Err(Error(format!("{origin}: scripts include too many others")));
        }
        let file = input::open_text(&self.find(path))?;
        for (line, command) in mri_script::parse(&origin, file.data)? {
            let carried_out = match command {
                MriCommand::Include(other) => self.add(named, Path::new(&other), depth + 1),
                command => self.carry_out(named, command),
            };
            carried_out.map_err(|error| Error(format!("{origin}:{line}: {}", error.0)))?;
        }
        Ok(())
    }

    fn carry_out(&mut self, named: &MriScript, command: MriCommand) -> Result<()> {
        let options = &mut self.options;
        match command {
            MriCommand::Layout(command) => {
                if let Some(value) = command.expression() {
                    // A bad expression is reported here, where its line is known.
                    Expr::parse_text("expression", value.as_bytes())?;
                }
                self.layout.add(command);
            }
            MriCommand::Load(files) => {
                self.layout.forget_base();
                for file in files {
                    let what = InputName::Path(self.find(Path::new(&file)));
                    self.inputs.push(Input { what, ..named.input.clone() });
                }
            }
            MriCommand::Name(name) if !options.output_is_given => {
                options.name_output(name.into());
            }
            MriCommand::SRecords if options.output_format == OutputFormat::Elf => {
                if let Some(other) = options.needs_elf() {
                    let text = format!("FORMAT S and {other} may not be used together");
                    return Err(Error(text));
                }
                options.output_format = OutputFormat::Srec;
            }
            MriCommand::List => {
                options.map.get_or_insert_with(|| PathBuf::from("-"));
            }
            MriCommand::Start(name) => {
                options.entry.get_or_insert(name);
            }
            MriCommand::Public(name, value) => {
                // A bad expression is reported here, where its line is known.
                Expr::parse_text(&format!("PUBLIC {name}"), value.as_bytes())?;
                options.define_symbol(name, value);
            }
            MriCommand::Extern(names) => options.undefined.extend(names),
            MriCommand::Name(_) | MriCommand::SRecords | MriCommand::Include(_) => {}
        }
        Ok(())
    }

    /// Path of `file` itself if it exists, or of the first file of its name in the library
    /// directories.
    fn find(&self, file: &Path) -> PathBuf {
        let found = || self.options.library_paths.iter().map(|dir| dir.join(file));
        if file.exists() {
            file.to_owned()
        } else {
            found().find(|path| path.is_file()).unwrap_or_else(|| file.to_owned())
        }
    }
}
