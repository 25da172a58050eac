//! The linker's share of a link with a compiler's plugin: the elapsed time without the time in the
//! plugin. The plugin is loaded through one that measures it and writes the time to a file beside
//! the output. lld contains LLVM, so its trace of phases is used.

use super::linkers::{Kind, Role};
use super::metric::Metric;
use super::report::{self, shown};
use super::rounds::{Row, Table};
use super::statistics::{Ratio, median, paired_ratio};
use crate::corpus::CompilerPlugin;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The figures that the table shows.
const METRICS: [Metric; 4] = [
    Metric { heading: "plugin ms", key: "plugin_ms", of: |s| s.plugin_ms, digits: 1 },
    Metric { heading: "share ms", key: "share_ms", of: |s| s.wall_ms - s.plugin_ms, digits: 1 },
    Metric { heading: "all processes MiB", key: "together_mib", of: |s| s.together_mib, digits: 1 },
    Metric { heading: "wall ms", key: "wall_ms", of: |s| s.wall_ms, digits: 1 },
];
/// The metric that decides which peer is the "best peer".
const SHARE: usize = 1;

/// The options that a linker gets for a plugin; outputs go to `output`.
pub fn options(plugin: CompilerPlugin, kind: Kind, name: &str, output: &Path) -> Vec<String> {
    let cache = format!("cache-{name}");
    let times = times(output).display().to_string();
    let mut options = match kind {
        Kind::Lld => vec![format!("--time-trace={times}")],
        _ => vec![format!("-plugin={}", plugin.file), format!("-plugin-opt=times={times}")],
    };
    if plugin.has_cache {
        options.push(match kind {
            Kind::Lld => format!("--thinlto-cache-dir={cache}"),
            _ => format!("-plugin-opt=cache-dir={cache}"),
        });
    }
    options
}

/// The file with the time of the plugin.
fn times(output: &Path) -> PathBuf {
    output.with_extension("times")
}

/// Time of the plugin in the last run, milliseconds.
pub fn plugin_ms(output: &Path) -> Option<f64> {
    let text = fs::read_to_string(times(output)).ok()?;
    let _ = fs::remove_file(times(output));
    if let Ok(number) = text.trim().parse() {
        return Some(number);
    }
    let trace: Value = serde_json::from_str(&text).ok()?;
    let is_plugin = |event: &&Value| event["name"] == "LTO" && event["dur"].is_number();
    let event = trace["traceEvents"].as_array()?.iter().find(is_plugin)?;
    event["dur"].as_f64().map(|microseconds| microseconds / 1e3)
}

/// A row, and its figures per round.
type Figures<'a> = (&'a Row, Vec<Vec<f64>>);

fn figures(table: &Table) -> Vec<Figures<'_>> {
    let has_plugin = |row: &&Row| {
        row.result.as_ref().is_ok_and(|samples| samples.iter().any(|s| s.plugin_ms > 0.0))
    };
    table.rows.iter().filter(has_plugin).filter_map(values).collect()
}

fn values(row: &Row) -> Option<Figures<'_>> {
    let samples = row.result.as_ref().ok()?;
    Some((row, METRICS.iter().map(|metric| metric.values(samples)).collect()))
}

/// Ratios of ours to each peer, and whether that peer has the least share.
fn ratios<'a>(rows: &'a [Figures<'_>]) -> Vec<(&'a str, &'a str, bool, Vec<Option<Ratio>>)> {
    let of = |role| rows.iter().filter(move |(row, _)| row.role == role);
    let share = |(_, values): &&Figures<'_>| median(&values[SHARE]);
    let best = of(Role::Peer).min_by(|a, b| share(a).total_cmp(&share(b)));
    let best = best.map(|(row, _)| &row.linker);
    let pairs = of(Role::Ours).flat_map(|ours| of(Role::Peer).map(move |peer| (ours, peer)));
    let ratio = |((ours, our_values), (peer, their_values)): (&'a Figures<'_>, &'a Figures<'_>)| {
        let ratios = our_values.iter().zip(their_values);
        let ratios = ratios.map(|(ours, theirs)| paired_ratio(ours, theirs)).collect();
        (&*ours.linker, &*peer.linker, best == Some(&peer.linker), ratios)
    };
    pairs.map(ratio).collect()
}

/// Two tables in Markdown: figures, and ratios of them; `None` for a link without a plugin.
pub fn markdown(table: &Table) -> Option<String> {
    let rows = figures(table);
    if rows.is_empty() {
        return None;
    }
    let heading = |first: &str| -> Vec<String> {
        let headings = METRICS.iter().map(|metric| metric.heading.to_owned());
        std::iter::once(first.to_owned()).chain(headings).collect()
    };
    let mut lines = vec![heading("linker")];
    for (row, values) in &rows {
        let cells = METRICS.iter().zip(values);
        let cells = cells.map(|(metric, values)| format!("{:.*}", metric.digits, median(values)));
        lines.push(std::iter::once(row.linker.clone()).chain(cells).collect());
    }
    let grid = report::grid(&lines);
    let mut text = format!(
        "## share of the linker: {}: {}\n\n{grid}",
        table.workload,
        report::conditions(table)
    );
    let ratios = ratios(&rows);
    if !ratios.is_empty() {
        let mut lines = vec![heading("ratio")];
        for (ours, peer, is_best, ratios) in ratios {
            let mark = if is_best { " (least share)" } else { "" };
            let cells = ratios.into_iter().map(|ratio| ratio.map_or("-".into(), shown));
            lines.push([format!("{ours} / {peer}{mark}")].into_iter().chain(cells).collect());
        }
        text += &format!("\n{}", report::grid(&lines));
    }
    Some(text)
}

/// Medians as JSON; `None` for a link without a plugin.
pub fn json(table: &Table) -> Option<Value> {
    let rows = figures(table);
    let row = |(row, values): &Figures<'_>| {
        let figures = METRICS.iter().zip(values);
        let figures = figures.map(|(metric, values)| (metric.key, json!(median(values))));
        json!({ "linker": row.linker, "figures": figures.collect::<std::collections::BTreeMap<_, _>>() })
    };
    let all: Vec<Value> = rows.iter().map(row).collect();
    let conditions = report::conditions(table);
    (!all.is_empty())
        .then(|| json!({ "workload": table.workload, "conditions": conditions, "rows": all }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::measure::Sample;
    use crate::bench::options::Mode;

    #[test]
    fn the_time_of_the_plugin_is_nobodys() {
        let row = |linker: &str, role, wall_ms, plugin_ms| {
            let sample = Sample { wall_ms, plugin_ms, together_mib: 1.0, ..Sample::default() };
            Row { linker: linker.into(), role, result: Ok(vec![sample; 3]), instructions: None }
        };
        let rows = vec![
            row("ours", Role::Ours, 110.0, 100.0),
            row("quick plugin", Role::Peer, 100.0, 50.0),
            row("least", Role::Peer, 140.0, 120.0),
        ];
        let (mode, place) = (Mode::First, String::new());
        let (cold, threads, input_bytes, others) = (false, 2, 1, None);
        let (workload, plain) = ("w", None);
        let table =
            Table { workload, plain, mode, place, cold, threads, input_bytes, others, rows };
        let text = markdown(&table).unwrap();
        assert!(text.contains("ours / least (least share)"), "{text}");
        assert!(text.contains("0.500"), "{text}");
        let none = Table { rows: vec![row("ours", Role::Ours, 1.0, 0.0)], ..table };
        assert!(markdown(&none).is_none() && json(&none).is_none());
    }
}
