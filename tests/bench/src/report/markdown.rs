//! The report as Markdown.

use std::fmt::Write;

use super::{Part, Report};

/// Writes a report.
pub fn markdown(report: &Report) -> String {
    let machine = &report.machine;
    let mut text = format!(
        "# Benchmarks\n\nMade by `cargo run --release -p dsh-benchmarks -- --out docs`; what is measured, and how, says \
         [its page](../tests/bench/README.md).\n\nMeasured {} at {}, {} processors ({}), {:.0} GB of memory, Linux {}, {}.\n",
        machine.day, machine.revision, machine.processors, machine.processor, machine.memory_gb, machine.kernel, machine.compiler
    );
    if report.quick {
        text.push_str("\n**The quick form: it shows that the program works, and its figures say nothing.**\n");
    }
    for left_out in &report.left_out {
        let _ = writeln!(text, "\nLeft out: {left_out}.");
    }
    for part in &report.parts {
        write_part(part, &mut text);
    }
    text
}

fn write_part(part: &Part, text: &mut String) {
    let _ =
        writeln!(text, "\n## {}\n\n{} Load of the machine: {:.1} before, {:.1} after.\n", part.name, part.about, part.load.0, part.load.1);
    let _ = writeln!(text, "| |{}|", part.columns.iter().map(|column| format!(" {column} |")).collect::<String>().trim_end_matches('|'));
    let _ = writeln!(text, "|---|{}", "--:|".repeat(part.columns.len()));
    for row in &part.rows {
        let figures: String = row.figures.iter().map(|figure| format!(" {} |", number(*figure))).collect();
        let _ = writeln!(text, "| {} |{figures}", row.label);
    }
    if !part.budgets.is_empty() {
        text.push_str("\n| budget | measured | at most | |\n|---|--:|--:|---|\n");
    }
    for budget in &part.budgets {
        let held = if budget.measured <= budget.at_most { "held" } else { "**missed**" };
        let (measured, at_most) = (number(budget.measured), number(budget.at_most));
        let _ = writeln!(text, "| {} | {measured} {unit} | {at_most} {unit} | {held} |", budget.what, unit = budget.unit);
    }
}

/// With as many places as say something.
fn number(figure: f64) -> String {
    match figure {
        nothing if nothing.is_nan() => "–".to_owned(),
        whole if whole.fract() == 0.0 => format!("{whole:.0}"),
        large if large.abs() >= 100.0 => format!("{large:.0}"),
        middle if middle.abs() >= 10.0 => format!("{middle:.1}"),
        small => format!("{small:.2}"),
    }
}
