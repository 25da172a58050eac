//! A script as statements that can be dropped one by one, and the options of its link.

use std::fmt;

/// A statement, or a block of statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// One statement, whole.
    Line(String),
    /// One statement that cannot be dropped.
    Kept(String),
    /// The text before the brace, the statements in the braces, the text behind them.
    Block(String, Vec<Part>, String),
}

impl Part {
    fn write(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        match self {
            Part::Line(text) | Part::Kept(text) => writeln!(f, "{:indent$}{text}", ""),
            Part::Block(head, body, tail) => {
                writeln!(f, "{:indent$}{head} {{", "")?;
                for part in body {
                    part.write(f, indent + 2)?;
                }
                writeln!(f, "{:indent$}}} {tail}", "")
            }
        }
    }
}

/// A link: its inputs, options and script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// Numbers of the objects.
    pub objects: Vec<usize>,
    /// Options.
    pub options: Vec<String>,
    /// The statements of the script.
    pub parts: Vec<Part>,
    /// Further words of the command line.
    pub more: Vec<More>,
}

/// Words of the command line: an option, an archive, or a further script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct More {
    /// It stands before the script and the objects, not behind them.
    pub is_before: bool,
    /// The words; the name of the further script stands behind them.
    pub words: Vec<String>,
    /// Name and text of a further script.
    pub script: Option<(String, String)>,
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| part.write(f, 0))
    }
}

/// Number of things that can be dropped: objects, options, statements and texts behind a brace.
fn count(parts: &[Part]) -> usize {
    let size = |part: &Part| match part {
        Part::Kept(_) => 0,
        Part::Line(_) => 1,
        Part::Block(_, body, _) => 2 + count(body),
    };
    parts.iter().map(size).sum()
}

impl Script {
    /// How many things [`Script::without`] can drop.
    pub fn droppable(&self) -> usize {
        self.objects.len() + self.options.len() + self.more.len() + count(&self.parts)
    }

    /// Whether the script lays out sections. skald treats a script that does not as an addition to
    /// the default layout.
    pub fn lays_out(&self) -> bool {
        let is_section = |part: &Part| match part {
            Part::Block(head, ..) => !head.starts_with("/DISCARD/"),
            Part::Line(_) => false,
            Part::Kept(text) => !text.starts_with("/DISCARD/"),
        };
        self.parts.iter().any(|part| match part {
            Part::Block(head, body, _) => head == "SECTIONS" && body.iter().any(is_section),
            Part::Line(_) | Part::Kept(_) => false,
        })
    }

    /// The script without the thing number `at`.
    pub fn without(&self, at: usize) -> Script {
        let mut script = self.clone();
        let (objects, options) = (self.objects.len(), self.options.len());
        let before = objects + options + self.more.len();
        if at < objects {
            script.objects.remove(at);
        } else if at < objects + options {
            script.options.remove(at - objects);
        } else if at < before {
            script.more.remove(at - objects - options);
        } else {
            drop_part(&mut script.parts, at - before);
        }
        script
    }
}

fn drop_part(parts: &mut Vec<Part>, mut at: usize) {
    for index in 0..parts.len() {
        let size = count(&parts[index..=index]);
        if at >= size {
            at -= size;
            continue;
        }
        match &mut parts[index] {
            Part::Block(_, _, tail) if at == 1 => tail.clear(),
            Part::Block(_, body, _) if at > 1 => drop_part(body, at - 2),
            _ => drop(parts.remove(index)),
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Script};

    #[test]
    fn each_statement_can_be_dropped() {
        let line = |text: &str| Part::Line(text.to_owned());
        let block = Part::Block("a :".to_owned(), vec![line("b"), line("c")], "> d".to_owned());
        let script = Script {
            objects: vec![3],
            options: vec!["-N".to_owned()],
            parts: vec![line("x"), block, line("y")],
            more: Vec::new(),
        };
        let all: Vec<String> = (0..script.droppable())
            .map(|at| {
                let less = script.without(at);
                let text = less.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                format!("{} {} {text}", less.objects.len(), less.options.len())
            })
            .collect();
        assert_eq!(all[0], "0 1 x a : { b c } > d y");
        assert_eq!(all[1], "1 0 x a : { b c } > d y");
        assert_eq!(all[2], "1 1 a : { b c } > d y");
        assert_eq!(all[3], "1 1 x y");
        assert_eq!(all[4], "1 1 x a : { b c } y");
        assert_eq!(all[5], "1 1 x a : { c } > d y");
        assert_eq!(all[6], "1 1 x a : { b } > d y");
        assert_eq!(all[7], "1 1 x a : { b c } > d");
        assert_eq!(all.len(), 8);
    }
}
