//! How time and memory grow with the input: the exponent of a power law, fitted by least squares to
//! the logarithms of measurements at several sizes. With exponent 1 the cost is proportional to the
//! input; with a larger one it grows faster.

use super::metric::{METRICS, Metric};
use super::report;
use super::rounds::Table;
use super::statistics::median;
use crate::corpus::synthetic;
use serde_json::{Value, json};

/// The exponents of one series: links that differ in size alone.
pub struct Scaling {
    title: String,
    workloads: Vec<&'static str>,
    rows: Vec<Row>,
}

struct Row {
    linker: String,
    /// One per metric of [`fitted`].
    exponents: Vec<Option<f64>>,
}

/// The exponents of everything in `tables` that was measured at two sizes or more.
pub fn of(tables: &[Table]) -> Vec<Scaling> {
    let mut all: Vec<Scaling> = Vec::new();
    let scaled = |table: &&Table| synthetic::is_scale(table.workload);
    for first in tables.iter().filter(scaled) {
        let conditions = report::conditions(first);
        if all.iter().any(|scaling| scaling.title == conditions) {
            continue;
        }
        let alike = |table: &&Table| report::conditions(table) == conditions;
        let series: Vec<_> = tables.iter().filter(scaled).filter(alike).collect();
        if series.len() < 2 {
            continue;
        }
        let rows = first.rows.iter().map(|row| Row {
            linker: row.linker.clone(),
            exponents: fitted()
                .map(|metric| exponent(&points(&series, &row.linker, metric)))
                .collect(),
        });
        let workloads = series.iter().map(|table| table.workload).collect();
        all.push(Scaling { rows: rows.collect(), workloads, title: conditions });
    }
    all
}

/// The metrics that exponents are shown for. User time shows most about an algorithm: the kernel's
/// time for a page depends on how many others are needed.
fn fitted() -> impl Iterator<Item = &'static Metric> {
    let keys = ["cpu_ms", "user_ms", "wall_ms", "peak_mib"];
    METRICS.iter().filter(move |metric| keys.contains(&metric.key))
}

/// Bytes of input and the median of a metric, for the sizes at which the linker has both.
fn points(series: &[&Table], linker: &str, metric: &Metric) -> Vec<(f64, f64)> {
    let point = |table: &&Table| {
        let row = table.rows.iter().find(|row| row.linker == linker)?;
        let samples = row.result.as_ref().ok()?;
        Some((table.input_bytes as f64, median(&metric.values(samples))))
    };
    series.iter().filter_map(point).collect()
}

/// The `e` of the curve `y = c * x^e` that fits best. Nothing for fewer than two sizes, and for
/// values that have no logarithm.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = covariance / variance;
    slope.is_finite().then_some(slope)
}

/// A table of exponents in Markdown.
pub fn markdown(scaling: &Scaling) -> String {
    let mut heading = vec!["exponent over input bytes".to_owned()];
    heading.extend(fitted().map(|metric| metric.key.to_owned()));
    let mut lines = vec![heading];
    for row in &scaling.rows {
        let shown = row.exponents.iter().map(|e| e.map_or("-".into(), |e| format!("{e:.3}")));
        lines.push([row.linker.clone()].into_iter().chain(shown).collect());
    }
    let Scaling { title, workloads, .. } = scaling;
    format!("## scaling: {}: {title}\n\n{}", workloads.join(", "), report::grid(&lines))
}

/// The exponents as JSON.
pub fn json(scaling: &Scaling) -> Value {
    let rows = scaling.rows.iter().map(|row| {
        let keys = fitted().map(|metric| metric.key.to_owned());
        let exponents: serde_json::Map<_, _> =
            keys.zip(row.exponents.iter().map(|exponent| json!(exponent))).collect();
        json!({ "linker": row.linker, "exponents": exponents })
    });
    let rows: Vec<_> = rows.collect();
    json!({ "conditions": scaling.title, "workloads": scaling.workloads, "rows": rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_recovered() {
        let curve = |e: f64| [1.0, 2.0, 4.0, 8.0].map(|x: f64| (x * 1e8, 3.0 * x.powf(e)));
        for e in [0.0, 0.5, 1.0, 1.25] {
            assert!((exponent(&curve(e)).unwrap() - e).abs() < 1e-9, "{e}");
        }
    }

    #[test]
    fn a_fit_needs_two_sizes() {
        assert_eq!(exponent(&[]), None);
        assert_eq!(exponent(&[(1.0, 2.0)]), None);
        assert_eq!(exponent(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(exponent(&[(1.0, 0.0), (2.0, 3.0)]), None);
        assert_eq!(exponent(&[(1.0, 2.0), (2.0, 4.0)]), Some(1.0));
    }
}
