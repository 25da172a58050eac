//! Tables as text for the terminal and as Markdown, and all samples as JSON.

use super::linkers::Linker;
use super::metric::{self, METRICS};
use super::phases::Breakdown;
use super::rounds::{Row, Table};
use super::statistics::Ratio;
use super::{load, scaling, share, surcharge};
use serde_json::{Value, json};
use std::fmt::Write;

/// Everything that was measured.
#[derive(Default)]
pub struct Results {
    /// Per workload, mode and place.
    pub tables: Vec<Table>,
    /// Our phases, per workload.
    pub phases: Vec<Breakdown>,
}

/// One table as Markdown, aligned so that it reads well on a terminal too.
pub fn markdown(table: &Table) -> String {
    let mut text = format!("## {}\n\n", title(table));
    let counted = table.rows.iter().any(|row| row.instructions.is_some());
    let mut heading = vec!["linker".to_owned()];
    heading.extend(METRICS.iter().map(|metric| metric.heading.to_owned()));
    heading.extend(counted.then(|| "M instructions".to_owned()));
    let mut lines = vec![heading];
    for row in &table.rows {
        if let Ok(samples) = &row.result {
            let mut line = vec![row.linker.clone()];
            line.extend(METRICS.iter().map(|metric| metric.shown(samples)));
            line.extend(counted.then(|| instructions(row)));
            lines.push(line);
        }
    }
    text += &grid(&lines);
    if let Some(others) = table.others {
        let _ = writeln!(text, "\n{}", load::shown(others));
    }
    for row in &table.rows {
        if let Err(reason) = &row.result {
            let _ = writeln!(text, "\n{} is out: {}", row.linker, reason.trim_end());
        }
    }
    let comparisons = metric::comparisons(table);
    if !comparisons.is_empty() {
        let mut heading = vec!["ratio".to_owned()];
        heading.extend(metric::compared().map(|metric| metric.key.to_owned()));
        let mut lines = vec![heading];
        for comparison in &comparisons {
            let mark = if comparison.best { " (best peer)" } else { "" };
            let mut line = vec![format!("{} / {}{mark}", comparison.ours, comparison.other)];
            line.extend(comparison.ratios.iter().map(|ratio| ratio.map_or("-".into(), shown)));
            lines.push(line);
        }
        text += "\n";
        text += &grid(&lines);
    }
    text
}

/// What a table is about.
pub fn title(table: &Table) -> String {
    let rounds = table.rows.iter().filter_map(|row| row.result.as_ref().ok()).map(Vec::len).max();
    let rounds = rounds.unwrap_or(0);
    format!("{}: {}, {rounds} rounds", table.workload, conditions(table))
}

/// The conditions of a table besides the workload.
pub fn conditions(table: &Table) -> String {
    let temperature = if table.cold { "cold" } else { "warm" };
    let Table { place, threads, mode, .. } = table;
    format!("{} link, {temperature}, {threads} threads, output in {place}", mode.name())
}

/// All samples and ratios, our phases, and the exponents.
pub fn json(results: &Results, linkers: &[Linker]) -> Value {
    let linkers: Vec<_> = linkers
        .iter()
        .map(|l| json!({ "name": l.name, "path": l.path, "version": l.version }))
        .collect();
    json!({
        "linkers": linkers,
        "tables": results.tables.iter().map(table_json).collect::<Vec<_>>(),
        "phases": results.phases.iter().map(Breakdown::json).collect::<Vec<_>>(),
        "shares": results.tables.iter().filter_map(share::json).collect::<Vec<_>>(),
        "surcharges": surcharge::of(&results.tables).iter().map(|s| s.json()).collect::<Vec<_>>(),
        "scaling": scaling::of(&results.tables).iter().map(scaling::json).collect::<Vec<_>>(),
    })
}

fn table_json(table: &Table) -> Value {
    let ratios = metric::comparisons(table).into_iter().map(|comparison| {
        let of_metric = metric::compared().zip(&comparison.ratios).map(|(metric, ratio)| {
            let ratio = ratio.map(|r| json!({ "median": r.median, "low": r.low, "high": r.high }));
            (metric.key.to_owned(), ratio.unwrap_or(Value::Null))
        });
        let of_metric: serde_json::Map<_, _> = of_metric.collect();
        let (ours, other) = (comparison.ours, comparison.other);
        json!({ "ours": ours, "peer": other, "best_peer": comparison.best, "ratios": of_metric })
    });
    json!({
        "workload": table.workload,
        "mode": table.mode.name(),
        "place": table.place,
        "cold": table.cold,
        "threads": table.threads,
        "input_bytes": table.input_bytes,
        "others_busy_share": table.others,
        "rows": table.rows.iter().map(row_json).collect::<Vec<_>>(),
        "comparisons": ratios.collect::<Vec<_>>(),
    })
}

fn row_json(row: &Row) -> Value {
    let role = row.role.name();
    let mut value = json!({ "linker": row.linker, "role": role, "instructions": row.instructions });
    match &row.result {
        Err(reason) => value["failure"] = json!(reason),
        Ok(samples) => {
            let samples = samples.iter().map(|sample| {
                let figures = METRICS.iter().map(|m| (m.key.to_owned(), json!((m.of)(sample))));
                let mut figures: serde_json::Map<_, _> = figures.collect();
                figures.insert("output_bytes".into(), json!(sample.output_bytes));
                Value::Object(figures)
            });
            value["samples"] = samples.collect();
        }
    }
    value
}

fn instructions(row: &Row) -> String {
    row.instructions.map_or("-".into(), |count| format!("{:.1}", count as f64 / 1e6))
}

/// A ratio as text: the median, and the interval with the middle half of the pairs.
pub fn shown(ratio: Ratio) -> String {
    format!("{:.3} ({:.3}..{:.3})", ratio.median, ratio.low, ratio.high)
}

/// A Markdown table with padded cells: the first column left, the others right.
pub fn grid(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |line: &Vec<String>, at: usize| line.get(at).map_or(0, |cell| cell.chars().count());
    let widths: Vec<_> = (0..columns)
        .map(|at| lines.iter().map(|line| cell(line, at)).max().unwrap_or(0).max(3))
        .collect();
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        for (at, width) in widths.iter().enumerate() {
            let content = line.get(at).map_or("", String::as_str);
            let _ = match at {
                0 => write!(text, "| {content:<width$} |"),
                _ => write!(text, " {content:>width$} |"),
            };
        }
        text.push('\n');
        if index == 0 {
            for (at, width) in widths.iter().enumerate() {
                let bar = "-".repeat(*width);
                text += &if at == 0 { format!("| {bar} |") } else { format!(" {}: |", &bar[1..]) };
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_aligned() {
        let lines = [["linker", "ms"], ["a", "1234"]].map(|line| line.map(String::from).to_vec());
        assert_eq!(grid(&lines), "| linker |   ms |\n| ------ | ---: |\n| a      | 1234 |\n");
    }
}
