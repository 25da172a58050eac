//! The ratios as a picture: one group of bars per table, one bar per comparison, and a line at one.

use super::metric::{self, Comparison};
use super::report;
use super::rounds::Table;
use super::statistics::Ratio;
use std::fmt::Write;

const WIDTH: f64 = 900.0;
const LABEL_WIDTH: f64 = 200.0;
const BAR_HEIGHT: f64 = 16.0;
const GAP: f64 = 26.0;

/// Colours of the metrics, in the order of [`metric::compared`].
const COLOURS: [&str; 3] = ["#2f6f9f", "#d08a2e", "#6a9f58"];

/// An SVG document of all ratios. A bar that ends left of the line at one is in our favour.
pub fn svg(tables: &[Table]) -> String {
    let groups: Vec<_> = tables
        .iter()
        .map(|table| (report::title(table), metric::comparisons(table)))
        .filter(|(_, comparisons)| !comparisons.is_empty())
        .collect();
    let largest = groups
        .iter()
        .flat_map(|(_, comparisons)| comparisons)
        .flat_map(|comparison| comparison.ratios.iter().flatten())
        .fold(1.0_f64, |largest, ratio| largest.max(ratio.high));
    let scale = (WIDTH - LABEL_WIDTH - 60.0) / (largest * 1.05);
    let mut body = String::new();
    let mut top = 40.0;
    for (title, comparisons) in &groups {
        top += GAP;
        let _ = writeln!(
            body,
            "<text x=\"10\" y=\"{top}\" font-weight=\"bold\">{}</text>",
            escaped(title)
        );
        top += 8.0;
        for comparison in comparisons {
            top = draw(&mut body, comparison, top, scale);
        }
    }
    let height = top + 20.0;
    let one = LABEL_WIDTH + scale;
    let mut legend = String::new();
    for (at, (metric, colour)) in metric::compared().zip(COLOURS).enumerate() {
        let x = LABEL_WIDTH + at as f64 * 140.0;
        let _ = writeln!(
            legend,
            "<rect x=\"{x}\" y=\"12\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"
        );
        let _ = writeln!(legend, "<text x=\"{}\" y=\"22\">{}</text>", x + 18.0, metric.key);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{legend}{body}\
         <line x1=\"{one}\" y1=\"36\" x2=\"{one}\" y2=\"{height}\" stroke=\"#444\" \
         stroke-dasharray=\"4 3\"/>\n</svg>\n"
    )
}

fn draw(body: &mut String, comparison: &Comparison, mut top: f64, scale: f64) -> f64 {
    let label = format!("{} / {}", comparison.ours, comparison.other);
    let _ = writeln!(body, "<text x=\"20\" y=\"{}\">{}</text>", top + 12.0, escaped(&label));
    for (ratio, colour) in comparison.ratios.iter().zip(COLOURS) {
        let Some(Ratio { median, low, high }) = *ratio else { continue };
        let (width, middle) = (median * scale, top + BAR_HEIGHT / 2.0);
        let height = BAR_HEIGHT - 4.0;
        let (from, to) = (LABEL_WIDTH + low * scale, LABEL_WIDTH + high * scale);
        let _ = writeln!(
            body,
            "<rect x=\"{LABEL_WIDTH}\" y=\"{}\" width=\"{width:.1}\" height=\"{height}\" \
             fill=\"{colour}\"/>\n<line x1=\"{from:.1}\" y1=\"{middle}\" x2=\"{to:.1}\" \
             y2=\"{middle}\" stroke=\"black\"/>\n<text x=\"{:.1}\" y=\"{}\">{median:.2}</text>",
            top + 2.0,
            to.max(LABEL_WIDTH + width) + 6.0,
            top + 12.0,
        );
        top += BAR_HEIGHT;
    }
    top + 4.0
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
