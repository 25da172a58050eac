//! The metrics that tables show: the name of each, how it is taken from a sample, and how it is
//! printed.

use super::linkers::Role;
use super::measure::Sample;
use super::rounds::{Row, Table};
use super::statistics::{Ratio, median, paired_ratio};

/// One column of a table.
pub struct Metric {
    /// The heading, with the unit.
    pub heading: &'static str,
    /// The key in JSON.
    pub key: &'static str,
    /// Takes it from a sample.
    pub of: fn(&Sample) -> f64,
    /// Digits after the point.
    pub digits: usize,
}

/// All metrics. The first decides which peer is the "best peer".
pub const METRICS: &[Metric] = &[
    Metric { heading: "CPU ms", key: "cpu_ms", of: Sample::cpu_ms, digits: 1 },
    Metric { heading: "user ms", key: "user_ms", of: |s| s.user_ms, digits: 1 },
    Metric { heading: "sys ms", key: "sys_ms", of: |s| s.sys_ms, digits: 1 },
    Metric { heading: "wall ms", key: "wall_ms", of: |s| s.wall_ms, digits: 1 },
    Metric { heading: "peak MiB", key: "peak_mib", of: |s| s.peak_mib, digits: 1 },
    Metric { heading: "faults", key: "minor_faults", of: |s| s.minor_faults, digits: 0 },
    Metric { heading: "taken", key: "taken_faults", of: |s| s.taken_faults, digits: 0 },
    Metric { heading: "major", key: "major_faults", of: |s| s.major_faults, digits: 0 },
    Metric { heading: "MB out", key: "output_bytes", of: |s| s.output_bytes / 1e6, digits: 3 },
];

/// The metrics that ratios are shown for.
pub fn compared() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| ["cpu_ms", "wall_ms", "peak_mib"].contains(&metric.key))
}

impl Metric {
    /// The values of all rounds.
    pub fn values(&self, samples: &[Sample]) -> Vec<f64> {
        samples.iter().map(self.of).collect()
    }

    /// The median, printed. Rows without an output show no size.
    pub fn shown(&self, samples: &[Sample]) -> String {
        let median = median(&self.values(samples));
        if self.key == "output_bytes" && median == 0.0 {
            return "-".into();
        }
        format!("{:.*}", self.digits, median)
    }
}

/// The ratio of one linker to another.
pub struct Comparison<'a> {
    /// A linker of ours, or a variant of one.
    pub ours: &'a str,
    /// The other linker: a peer, or for a variant the linker that it varies.
    pub other: &'a str,
    /// Whether the other is the best of the peers in the first metric.
    pub best: bool,
    /// One per metric of [`compared`].
    pub ratios: Vec<Option<Ratio>>,
}

/// The ratios of every linker of ours to every peer, and of every variant to its linker. Floors are
/// left out.
pub fn comparisons(table: &Table) -> Vec<Comparison<'_>> {
    let rows = |role| table.rows.iter().filter(move |row| row.role == role);
    let cpu =
        |row: &Row| row.result.as_ref().map_or(f64::INFINITY, |s| median(&METRICS[0].values(s)));
    let finished = rows(Role::Peer).filter(|row| row.result.is_ok());
    let best = finished.min_by(|a, b| cpu(a).total_cmp(&cpu(b))).map(|row| &row.linker);
    let of_ours = rows(Role::Ours).flat_map(|ours| {
        let peers = rows(Role::Peer).map(move |peer| (ours, peer));
        peers.chain(rows(Role::Variant).map(move |variant| (variant, ours)))
    });
    of_ours.filter_map(|(ours, other)| compare(ours, other, best == Some(&other.linker))).collect()
}

/// Compares two rows; `None` if one of them has no runs.
fn compare<'a>(ours: &'a Row, other: &'a Row, best: bool) -> Option<Comparison<'a>> {
    let (our_runs, their_runs) = (ours.result.as_ref().ok()?, other.result.as_ref().ok()?);
    let ratio =
        |metric: &Metric| paired_ratio(&metric.values(our_runs), &metric.values(their_runs));
    let ratios = compared().map(ratio).collect();
    Some(Comparison { ours: &ours.linker, other: &other.linker, best, ratios })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::options::Mode;

    fn row(linker: &str, role: Role, cpu: &[f64]) -> Row {
        let sample = |&user_ms: &f64| Sample {
            user_ms,
            wall_ms: user_ms,
            peak_mib: 1.0,
            ..Sample::default()
        };
        let result = Ok(cpu.iter().map(sample).collect());
        Row { linker: linker.into(), role, result, instructions: None }
    }

    #[test]
    fn the_best_peer_is_the_one_with_least_cpu() {
        let mut rows = vec![row("ours", Role::Ours, &[1.0, 2.0])];
        rows.push(row("slow", Role::Peer, &[4.0, 8.0]));
        rows.push(row("fast", Role::Peer, &[2.0, 4.0]));
        rows.push(row("ours otherwise", Role::Variant, &[1.5, 3.0]));
        rows.push(row("cp", Role::Floor, &[0.5, 1.0]));
        rows.push(Row { result: Err("skipped work".into()), ..row("cheat", Role::Peer, &[]) });
        let table = Table {
            workload: "w",
            plain: None,
            mode: Mode::First,
            place: String::new(),
            cold: false,
            threads: 2,
            input_bytes: 1,
            others: None,
            rows,
        };
        let comparisons = comparisons(&table);
        let best: Vec<_> = comparisons.iter().filter(|c| c.best).map(|c| c.other).collect();
        assert_eq!(best, ["fast"]);
        assert_eq!(comparisons.len(), 3);
        assert_eq!(comparisons[1].ratios[0].unwrap().median, 0.5);
        let otherwise = &comparisons[2];
        assert_eq!((otherwise.ours, otherwise.other), ("ours otherwise", "ours"));
        assert_eq!(otherwise.ratios[0].unwrap().median, 1.5);
    }
}
