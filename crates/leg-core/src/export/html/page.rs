//! Puts the page together.

use super::markup::escape;
use super::{calls, figures, graph, report};
use crate::export::staging::Staging;
use crate::export::{Export, ExportError, RunRecord};

pub(in crate::export) const EXPORT: Export = Export {
    name: "html",
    summary: "one page for readers: report, graph, evidence, calls and figures, without any outside reference",
    is_folder: false,
    write,
};

const STYLE: &str = include_str!("style.css");

fn write(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
    let figures = figures::figures(record)?;
    let section = |id: &str, title: &str, body: &str| {
        if body.is_empty() {
            String::new()
        } else {
            format!("<section id=\"{id}\"><h2>{title}</h2>\n{body}</section>\n")
        }
    };
    let question = escape(&record.question);
    let body = [
        section("report", "Report", &report::sections(record)),
        section("figures", "Figures", &figures),
        report::gaps(record),
        section("verification", "The run, and how to check it", &report::summary(record)),
        section("graph", "Graph", &graph::graph(record)),
        section("evidence", "Evidence", &report::evidence(record)),
        section("nodes", "Nodes and calls", &calls::nodes(record)),
    ]
    .concat();
    // The policy keeps the page to itself even where a browser finds something to load.
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <title>{question}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header><h1>{question}</h1></header>\n<nav>\
         <a href=\"#report\">Report</a> <a href=\"#verification\">Verification</a> <a href=\"#graph\">Graph</a> \
         <a href=\"#evidence\">Evidence</a> <a href=\"#nodes\">Calls</a></nav>\n<main>\n{body}</main>\n</body>\n</html>\n"
    );
    out.write(page.as_bytes())
}
