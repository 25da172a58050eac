//! The surcharge of a workload over its plain link: each linker's difference to its own plain link,
//! round by round, and ratios of ours to those of the peers. A linker that is disqualified in one
//! of the two tables has none.

use super::linkers::Role;
use super::metric::{METRICS, Metric};
use super::report::{self, shown};
use super::rounds::{Row, Table};
use super::statistics::{Ratio, median, paired_ratio, quantile};
use serde_json::{Map, Value, json};

/// The surcharges of one workload over its plain one.
pub struct Surcharge<'a> {
    table: &'a Table,
    rows: Vec<Extra<'a>>,
}

/// The surcharge of one linker.
struct Extra<'a> {
    linker: &'a str,
    role: Role,
    /// One per metric of [`charged`].
    costs: Vec<Cost>,
}

/// The surcharge in one metric, per round.
struct Cost {
    /// The differences, milliseconds.
    more: Vec<f64>,
    /// Values of the plain link.
    plain: Vec<f64>,
}

/// The metrics that surcharges are shown for. The first decides which peer is the "best peer".
fn charged() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| ["cpu_ms", "wall_ms"].contains(&metric.key))
}

/// The surcharges of everything in `tables` that was measured together with its plain link and was
/// not refused by everybody.
pub fn of(tables: &[Table]) -> Vec<Surcharge<'_>> {
    tables.iter().filter_map(|table| Surcharge::of(table, tables)).collect()
}

/// `None` if one of them has no runs.
fn extra<'a>(row: &'a Row, plain: &Row) -> Option<Extra<'a>> {
    let (with, without) = (row.result.as_ref().ok()?, plain.result.as_ref().ok()?);
    let cost = |metric: &Metric| {
        let plain = metric.values(without);
        let more = metric.values(with).iter().zip(&plain).map(|(a, b)| a - b).collect();
        Cost { more, plain }
    };
    Some(Extra { linker: &row.linker, role: row.role, costs: charged().map(cost).collect() })
}

impl Cost {
    /// The surcharge as a ratio to the plain link.
    fn share(&self) -> Option<Ratio> {
        paired_ratio(&self.more, &self.plain)
    }

    fn shown(&self) -> String {
        let [middle, low, high] = [0.5, 0.25, 0.75].map(|part| quantile(&self.more, part));
        format!("{middle:+.1} ({low:+.1}..{high:+.1})")
    }

    fn shown_share(&self) -> String {
        self.share().map_or("-".into(), |share| format!("{:+.1} %", share.median * 100.0))
    }
}

impl<'a> Surcharge<'a> {
    fn of(table: &'a Table, tables: &[Table]) -> Option<Self> {
        let conditions = report::conditions(table);
        let mut alike = tables.iter().filter(|plain| report::conditions(plain) == conditions);
        let plain = alike.find(|plain| table.plain == Some(plain.workload))?;
        let rows = table.rows.iter().filter(|row| row.role != Role::Floor);
        let extra =
            |row: &'a Row| extra(row, plain.rows.iter().find(|other| other.linker == row.linker)?);
        let rows: Vec<_> = rows.filter_map(extra).collect();
        (!rows.is_empty()).then_some(Self { table, rows })
    }

    /// Ours to each peer: names, whether it is the best peer, and a ratio per metric.
    fn ratios(&self) -> Vec<(&str, &str, bool, Vec<Option<Ratio>>)> {
        let rows = |role| self.rows.iter().filter(move |row| row.role == role);
        let cpu = |row: &Extra| median(&row.costs[0].more);
        let best = rows(Role::Peer).min_by(|a, b| cpu(a).total_cmp(&cpu(b))).map(|row| row.linker);
        let pairs =
            rows(Role::Ours).flat_map(|ours| rows(Role::Peer).map(move |peer| (ours, peer)));
        let ratios = pairs.map(|(ours, peer)| {
            let costs = ours.costs.iter().zip(&peer.costs);
            let ratios = costs.map(|(ours, theirs)| paired_ratio(&ours.more, &theirs.more));
            (ours.linker, peer.linker, best == Some(peer.linker), ratios.collect())
        });
        ratios.collect()
    }

    /// Two tables in Markdown: differences, and ratios of them.
    pub fn markdown(&self) -> String {
        let mut heading = vec!["more than plain".to_owned()];
        heading.extend(charged().flat_map(|m| [m.heading.to_owned(), "of plain".to_owned()]));
        let mut lines = vec![heading];
        for row in &self.rows {
            let cells = row.costs.iter().flat_map(|cost| [cost.shown(), cost.shown_share()]);
            lines.push([row.linker.to_owned()].into_iter().chain(cells).collect());
        }
        let Table { workload, plain, .. } = self.table;
        let plain = plain.unwrap_or_default();
        let conditions = report::conditions(self.table);
        let grid = report::grid(&lines);
        let mut text = format!("## surcharge: {workload} over {plain}: {conditions}\n\n{grid}");
        let ratios = self.ratios();
        if !ratios.is_empty() {
            let mut heading = vec!["ratio of surcharges".to_owned()];
            heading.extend(charged().map(|metric| metric.key.to_owned()));
            let mut lines = vec![heading];
            for (ours, peer, best, ratios) in ratios {
                let mark = if best { " (best peer)" } else { "" };
                let cells = ratios.into_iter().map(|ratio| ratio.map_or("-".into(), shown));
                lines.push([format!("{ours} / {peer}{mark}")].into_iter().chain(cells).collect());
            }
            text += &format!("\n{}", report::grid(&lines));
        }
        text
    }

    /// Medians as JSON; the samples stand with the tables.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let costs = charged().zip(&row.costs).map(|(metric, cost)| {
                let share = cost.share().map(|share| share.median);
                (metric.key.to_owned(), json!({ "more": median(&cost.more), "share": share }))
            });
            json!({ "linker": row.linker, "costs": costs.collect::<Map<_, _>>() })
        });
        let ratios = self.ratios().into_iter().map(|(ours, peer, best, ratios)| {
            let ratios = charged().zip(ratios);
            let ratios =
                ratios.map(|(m, ratio)| (m.key.to_owned(), json!(ratio.map(|r| r.median))));
            let ratios: Map<_, _> = ratios.collect();
            json!({ "ours": ours, "peer": peer, "best_peer": best, "ratios": ratios })
        });
        json!({
            "workload": self.table.workload,
            "plain": self.table.plain,
            "conditions": report::conditions(self.table),
            "rows": rows.collect::<Vec<_>>(),
            "comparisons": ratios.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::measure::Sample;
    use crate::bench::options::Mode;

    fn row(linker: &str, role: Role, ms: &[f64]) -> Row {
        let sample = |&ms: &f64| Sample { user_ms: ms, wall_ms: ms, ..Sample::default() };
        let result = Ok(ms.iter().map(sample).collect());
        Row { linker: linker.into(), role, result, instructions: None }
    }

    fn table(workload: &'static str, plain: Option<&'static str>, rows: Vec<Row>) -> Table {
        let (mode, place) = (Mode::First, String::new());
        let (cold, threads, input_bytes, others) = (false, 2, 1, None);
        Table { workload, plain, mode, place, cold, threads, input_bytes, others, rows }
    }

    #[test]
    fn each_linker_is_compared_with_itself() {
        let plain = vec![
            row("ours", Role::Ours, &[100.0, 200.0, 100.0]),
            row("fast", Role::Peer, &[200.0, 400.0, 200.0]),
            row("slow", Role::Peer, &[300.0, 600.0, 300.0]),
            row("refuses", Role::Peer, &[300.0, 600.0, 300.0]),
            row("cp", Role::Floor, &[1.0, 1.0, 1.0]),
        ];
        let mut index = vec![
            row("ours", Role::Ours, &[110.0, 220.0, 110.0]),
            row("fast", Role::Peer, &[220.0, 440.0, 220.0]),
            row("slow", Role::Peer, &[400.0, 800.0, 400.0]),
        ];
        let refusal = Err("there is no name in .gdb_index".into());
        index.push(Row { result: refusal, ..row("refuses", Role::Peer, &[]) });
        index.push(row("cp", Role::Floor, &[2.0, 2.0, 2.0]));
        let tables = [table("plain", None, plain), table("index", Some("plain"), index)];
        let surcharges = of(&tables);
        let [surcharge] = &surcharges[..] else { panic!("one pair") };
        let text = surcharge.markdown();
        assert!(text.starts_with("## surcharge: index over plain: first link"), "{text}");
        for part in [
            "+10.0 (+10.0..+15.0) |  +10.0 % |",
            "| ours / fast (best peer) | 0.500 (0.500..0.500) |",
            "| ours / slow             | 0.100 (0.100..0.100) |",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("refuses") && !text.contains("| cp "), "{text}");
        assert_eq!(surcharge.json()["rows"][2]["costs"]["cpu_ms"]["more"], 100.0);
    }

    #[test]
    fn a_table_alone_has_no_surcharge() {
        assert!(of(&[table("index", None, Vec::new())]).is_empty());
        let rows = |result| vec![Row { result, ..row("refuses", Role::Peer, &[]) }];
        let plain = table("plain", None, rows(Ok(Vec::new())));
        let index = table("index", Some("plain"), rows(Err("no index".into())));
        assert!(of(&[plain, index]).is_empty());
    }
}
