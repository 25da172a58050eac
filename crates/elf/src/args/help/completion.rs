//! `--print-completion`: scripts by which shells complete options, made from the rows.

use crate::args::rows::Row;
use crate::args::rows::{THEMES, keywords};
use skald_linking::option_row::Form;

/// The shells, as `--print-completion` takes them.
pub const SHELLS: &str = "bash|zsh|fish";

/// The script for one of [`SHELLS`].
pub fn script(shell: &str) -> String {
    match shell {
        "zsh" => zsh(),
        "fish" => fish(),
        _ => bash(),
    }
}

fn rows() -> impl Iterator<Item = &'static Row> {
    THEMES.iter().flat_map(|theme| theme.rows)
}

/// The words that `row` takes, if it takes nothing else.
fn choices(row: &Row) -> Option<Vec<&'static str>> {
    let is_word = |word: &str| {
        !word.is_empty() && !word.contains(|c: char| c.is_ascii_uppercase() || c == '[')
    };
    let words: Vec<_> = row.meta.split('|').collect();
    (words.len() > 1 && words.iter().all(|word| is_word(word))).then_some(words)
}

/// Every spelling, followed by `=` if an argument may follow.
fn words(row: &'static Row) -> impl Iterator<Item = String> {
    let with_value = |name: &&str| match row.form {
        Form::Required | Form::Optional | Form::GlobNumber if name.starts_with("--") => {
            format!("{name}=")
        }
        _ => (*name).to_owned(),
    };
    row.names.iter().map(with_value).chain(row.off.iter().map(|name| (*name).to_owned()))
}

fn keyword_words() -> String {
    let words: Vec<_> = keywords().flat_map(Row::spellings).collect();
    words.join(" ")
}

fn bash() -> String {
    let all: Vec<_> = rows().flat_map(words).collect();
    let mut script = String::from(
        "# bash completion for skald\n_skald() {\n    local \
         word=\"${COMP_WORDS[COMP_CWORD]}\"\n    \
         local before=\"${COMP_WORDS[COMP_CWORD-1]}\" option=\n    COMPREPLY=()\n    \
         if [[ $word == = ]]; then\n        option=$before word=\n    \
         elif [[ $before == = ]]; then\n        option=\"${COMP_WORDS[COMP_CWORD-2]}\"\n    \
         else\n        option=$before\n    fi\n    case $option in\n",
    );
    script += &format!(
        "    -z) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\"); return ;;\n",
        keyword_words()
    );
    for row in rows() {
        if let Some(choices) = choices(row) {
            script += &format!(
                "    {}) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\"); return ;;\n",
                row.names.join("|"),
                choices.join(" ")
            );
        }
    }
    script += "    esac\n    if [[ $word == -* ]]; then\n";
    script +=
        &format!("        mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")\n", all.join(" "));
    script +=
        "        [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n";
    script += "    else\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n}\n";
    script + "complete -o filenames -F _skald skald ld.skald\n"
}

fn zsh() -> String {
    let mut script = String::from("#compdef skald ld.skald\n_arguments -S \\\n");
    for row in rows() {
        let help = zsh_text(row.help);
        let value = match choices(row) {
            Some(words) => format!(":value:({})", words.join(" ")),
            None => ":value:_files".to_owned(),
        };
        for name in row.names {
            script += &match row.form {
                Form::Required if name.starts_with("--") => {
                    format!("  '*{name}=[{help}]{value}' \\\n")
                }
                Form::Required => format!("  '*{name}[{help}]{value}' \\\n"),
                Form::Optional | Form::GlobNumber => format!("  '*{name}=-[{help}]:{value}' \\\n"),
                Form::None | Form::Joined | Form::Level => format!("  '*{name}[{help}]' \\\n"),
            };
        }
        for name in row.off {
            script += &format!("  '*{name}[Undo {}]' \\\n", row.names[0]);
        }
    }
    script += &format!("  '*-z[Words]:word:({})' \\\n", keyword_words());
    script + "  '*:file:_files'\n"
}

/// `help`, escaped for use between brackets and single quotes.
fn zsh_text(help: &str) -> String {
    help.replace('\'', "'\\''").replace('[', "\\[").replace(']', "\\]").replace(':', "\\:")
}

fn fish() -> String {
    let mut script = String::new();
    let mut line = |name: &str, help: &str, values: Option<String>, takes: bool| {
        let kind = match name.strip_prefix("--") {
            Some(long) => format!("-l {long}"),
            None if name.len() == 2 => format!("-s {}", &name[1..]),
            None => format!("-o {}", &name[1..]),
        };
        let help = help.replace('\\', "\\\\").replace('\'', "\\'");
        let values = values.map(|v| format!(" -x -a '{v}'"));
        let takes = if takes { " -r" } else { "" };
        script += &format!(
            "complete -c skald {kind}{} -d '{help}'\n",
            values.as_deref().unwrap_or(takes)
        );
    };
    for row in rows() {
        for name in row.names {
            let values = choices(row).map(|words| words.join(" "));
            line(name, row.help, values, row.form == Form::Required);
        }
        for name in row.off {
            line(name, &format!("Undo {}", row.names[0]), None, false);
        }
    }
    line("-z", "Words", Some(keyword_words()), true);
    script
}
