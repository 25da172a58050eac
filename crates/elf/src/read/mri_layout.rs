//! The layout that an MRI script asks for, as the text of a linker script: the commands determine
//! sections, their addresses and their inputs (`mri.c` of GNU ld).

use std::fmt::Write as _;

/// The commands, each kind in order. If two commands have the same name, the last counts.
#[derive(Debug, Clone, Default)]
pub struct MriLayout {
    /// `ORDER`: names of output sections.
    order: Vec<String>,
    /// `SECT`: names and addresses.
    addresses: Vec<(String, String)>,
    /// `ALIGN`: names and alignments.
    alignments: Vec<(String, String)>,
    /// `ALIGNMOD`: names, and alignments of their inputs.
    subalignments: Vec<(String, String)>,
    /// `ALIAS`: names of input sections, and of the output sections that take them, too.
    aliases: Vec<(String, String)>,
    /// `ABSOLUTE`: the only sections that are loaded.
    only_loaded: Vec<String>,
    /// `BASE`: address of the first section.
    base: Option<String>,
}

/// A command of an MRI script that lays out the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayoutCommand {
    /// `ORDER`: names of output sections.
    Order(Vec<String>),
    /// `SECT`: a section, and its address.
    Address(String, String),
    /// `ALIGN`: a section, and its alignment.
    Align(String, String),
    /// `ALIGNMOD`: a section, and the alignment of its inputs.
    Subalign(String, String),
    /// `ALIAS`: an output section, and the name of input sections that it takes, too.
    Alias(String, String),
    /// `ABSOLUTE`: the only sections that are loaded.
    OnlyLoad(Vec<String>),
    /// `BASE`: address of the first section.
    Base(String),
}

impl LayoutCommand {
    /// The expression in the command.
    pub fn expression(&self) -> Option<&str> {
        match self {
            LayoutCommand::Address(_, value)
            | LayoutCommand::Align(_, value)
            | LayoutCommand::Subalign(_, value)
            | LayoutCommand::Base(value) => Some(value),
            _ => None,
        }
    }
}

/// Adds a pair, or replaces the one with the same name.
fn add(list: &mut Vec<(String, String)>, name: String, value: String) {
    list.retain(|(known, _)| *known != name);
    list.push((name, value));
}

fn value_of<'a>(list: &'a [(String, String)], name: &str) -> Option<&'a str> {
    list.iter().find(|(known, _)| known == name).map(|(_, value)| &value[..])
}

impl MriLayout {
    /// Takes a command.
    pub fn add(&mut self, command: LayoutCommand) {
        match command {
            LayoutCommand::Order(names) => {
                for name in names {
                    self.order.retain(|known| *known != name);
                    self.order.push(name);
                }
            }
            LayoutCommand::Address(name, value) => add(&mut self.addresses, name, value),
            LayoutCommand::Align(name, value) => add(&mut self.alignments, name, value),
            LayoutCommand::Subalign(name, value) => add(&mut self.subalignments, name, value),
            LayoutCommand::Alias(output, input) => add(&mut self.aliases, input, output),
            LayoutCommand::OnlyLoad(names) => self.only_loaded.extend(names),
            LayoutCommand::Base(value) => self.base = Some(value),
        }
    }

    /// Forgets `BASE`, as `LOAD` does.
    pub fn forget_base(&mut self) {
        self.base = None;
    }

    /// The text of the linker script; `None` if no command lays out a section.
    pub fn script(&self) -> Option<String> {
        let mut order = self.order.clone();
        for (name, _) in &self.addresses {
            if !order.contains(name) {
                order.push(name.clone());
            }
        }
        if order.is_empty() {
            order.clone_from(&self.only_loaded);
        }
        if order.is_empty() {
            return None;
        }
        let mut text = String::from("SECTIONS\n{\n");
        let mut base = self.base.as_deref();
        for name in &order {
            let address = base.take().or_else(|| value_of(&self.addresses, name)).unwrap_or(".");
            let is_loaded = self.only_loaded.is_empty() || self.only_loaded.contains(name);
            let kind = if is_loaded { "" } else { " (NOLOAD)" };
            let _ = write!(text, "  \"{name}\" {address}{kind} :");
            for (keyword, list) in [("ALIGN", &self.alignments), ("SUBALIGN", &self.subalignments)]
            {
                if let Some(value) = value_of(list, name) {
                    let _ = write!(text, " {keyword}({value})");
                }
            }
            let _ = write!(text, " {{ *(\"{name}\")");
            for (input, _) in self.aliases.iter().filter(|(_, output)| output == name) {
                let _ = write!(text, " *(\"{input}\")");
            }
            text += " }\n";
        }
        text += "}\n";
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_become_sections() {
        let mut layout = MriLayout::default();
        assert_eq!(layout.script(), None);
        let pair = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
        let commands = [("a", "1"), ("b", "2"), ("a", "3")].map(pair);
        for (name, value) in commands {
            layout.add(LayoutCommand::Address(name, value));
        }
        layout.add(LayoutCommand::Order(vec!["c".to_owned(), "b".to_owned()]));
        layout.add(LayoutCommand::Alias("b".to_owned(), "d".to_owned()));
        layout.add(LayoutCommand::OnlyLoad(vec!["a".to_owned(), "b".to_owned()]));
        layout.add(LayoutCommand::Align("b".to_owned(), "16".to_owned()));
        let text = "SECTIONS\n{\n  \"c\" . (NOLOAD) : { *(\"c\") }\n  \
                    \"b\" 2 : ALIGN(16) { *(\"b\") *(\"d\") }\n  \"a\" 3 : { *(\"a\") }\n}\n";
        assert_eq!(layout.script().as_deref(), Some(text));
        layout.add(LayoutCommand::Base("8".to_owned()));
        assert!(layout.script().is_some_and(|text| text.contains("\"c\" 8 (NOLOAD)")));
        layout.forget_base();
        assert!(layout.script().is_some_and(|text| text.contains("\"c\" . (NOLOAD)")));
    }
}
