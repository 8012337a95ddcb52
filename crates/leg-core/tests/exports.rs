//! Runs as PROV-JSON and as HTML.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise, and says when it is skipped")]

#[path = "support/exported_runs.rs"]
mod exported_runs;
mod support;

use std::path::Path;
use std::process::Command;

use exported_runs::{eventful, rich};
use leg_core::export::export;
use leg_core::ledger::RunFolder;
use serde_json::Value;
use tempfile::TempDir;

fn exported(folder: &TempDir, run: &RunFolder, format: &str) -> String {
    let path = folder.path().join(format!("export.{format}"));
    export(run, format, &path).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// Each end of each relation, with the element that it must be.
const ENDS: [(&str, [(&str, &str); 2]); 7] = [
    ("used", [("prov:activity", "activity"), ("prov:entity", "entity")]),
    ("wasGeneratedBy", [("prov:entity", "entity"), ("prov:activity", "activity")]),
    ("wasDerivedFrom", [("prov:generatedEntity", "entity"), ("prov:usedEntity", "entity")]),
    ("wasAssociatedWith", [("prov:activity", "activity"), ("prov:agent", "agent")]),
    ("wasAttributedTo", [("prov:entity", "entity"), ("prov:agent", "agent")]),
    ("wasInformedBy", [("prov:informed", "activity"), ("prov:informant", "activity")]),
    ("actedOnBehalfOf", [("prov:delegate", "agent"), ("prov:responsible", "agent")]),
];

#[tokio::test]
async fn prov_ties_every_number_to_its_call_its_tool_and_its_source() {
    let (folder, run) = rich().await;
    let prov: Value = serde_json::from_str(&exported(&folder, &run, "prov-json")).unwrap();
    for (relation, ends) in ENDS {
        let all = prov[relation].as_object().unwrap();
        assert!(!all.is_empty(), "{relation}");
        for one in all.values() {
            for (role, sort) in ends {
                let id = one[role].as_str().unwrap();
                assert!(prov[sort].get(id).is_some(), "{relation}: `{id}` is no {sort}");
            }
        }
    }
    let find = |relation: &str, role: &str, id: &str, other: &str| -> Vec<String> {
        let all = prov[relation].as_object().unwrap().values();
        all.filter(|one| one[role] == id).map(|one| one[other].as_str().unwrap().to_owned()).collect()
    };
    // The mean: by a call of `mean`, from an artifact that a call of `load` gave.
    let mean = "run:evidence/m.mean";
    let calls = find("wasGeneratedBy", "prov:entity", mean, "prov:activity");
    assert_eq!(calls.len(), 1);
    assert_eq!(find("wasAssociatedWith", "prov:activity", &calls[0], "prov:agent"), ["leg:tool/mean"]);
    let used = find("used", "prov:activity", &calls[0], "prov:entity");
    let made = find("wasGeneratedBy", "prov:entity", &used[0], "prov:activity");
    assert!(
        made.iter().any(|call| {
            find("wasAssociatedWith", "prov:activity", call, "prov:agent") == ["leg:tool/load"]
        })
    );
    // The report rests on it.
    assert!(
        find("wasDerivedFrom", "prov:usedEntity", mean, "prov:generatedEntity")
            .contains(&"run:file/report.md".into())
    );
    // What failed is there, and made nothing.
    let failed: Vec<&String> = prov["activity"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(id, what)| id.starts_with("run:call/") && what["leg:status"] == "failed")
        .map(|(id, _)| id)
        .collect();
    assert_eq!(failed.len(), 1);
    assert!(find("wasGeneratedBy", "prov:activity", failed[0], "prov:entity").is_empty());
    let sources = prov["entity"].as_object().unwrap().values();
    let sources = sources.filter(|one| one["prov:type"]["$"] == "leg:source");
    assert!(sources.count() > 0);
}

#[tokio::test]
async fn the_prov_package_gives_back_what_it_reads() {
    for (folder, run) in [rich().await, eventful().await] {
        exported(&folder, &run, "prov-json");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/check_prov_json.py");
        let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("venv-prov");
        let file = folder.path().join("export.prov-json");
        let ended = Command::new("python3").arg(script).arg(&file).arg("--venv").arg(venv).output();
        let Ok(ended) = ended else { return println!("skipped: no python3") };
        let said = String::from_utf8_lossy(&ended.stdout);
        if ended.status.code() == Some(3) {
            return println!("skipped: {said}");
        }
        assert!(ended.status.success(), "{said}{}", String::from_utf8_lossy(&ended.stderr));
        let found: Value = serde_json::from_str(&said).unwrap();
        let ours: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        for (theirs, own) in [
            ("Entity", "entity"),
            ("Activity", "activity"),
            ("Agent", "agent"),
            ("Usage", "used"),
            ("Generation", "wasGeneratedBy"),
            ("Derivation", "wasDerivedFrom"),
            ("Association", "wasAssociatedWith"),
            ("Attribution", "wasAttributedTo"),
            ("Communication", "wasInformedBy"),
            ("Delegation", "actedOnBehalfOf"),
        ] {
            let count = ours[own].as_object().unwrap().len();
            assert_eq!(found["counts"][theirs], count, "{theirs}");
        }
    }
}

/// The tags of a page, as they stand between `<` and `>`.
fn tags(page: &str) -> Vec<&str> {
    let body = page.split_once("</style>").unwrap().1;
    body.split('<').skip(1).map(|part| part.split_once('>').unwrap().0).collect()
}

/// The values of an attribute in the order of the page.
fn attribute<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let mark = format!(" {name}=\"");
    page.split(&mark).skip(1).map(|part| part.split_once('"').unwrap().0).collect()
}

/// Every way out of the page is a link to a source; nothing is loaded; every link inside leads somewhere.
fn stands_alone(page: &str) {
    let allowed = [
        "a",
        "article",
        "blockquote",
        "body",
        "br",
        "code",
        "defs",
        "del",
        "div",
        "figcaption",
        "figure",
        "g",
        "h1",
        "h2",
        "h3",
        "h4",
        "header",
        "html",
        "img",
        "li",
        "main",
        "marker",
        "nav",
        "p",
        "path",
        "pre",
        "rect",
        "section",
        "small",
        "span",
        "sup",
        "svg",
        "table",
        "tbody",
        "td",
        "text",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ];
    for tag in tags(page) {
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        assert!(allowed.contains(&name) || tag == "/head", "<{tag}>");
        assert!(!tag.contains(" on"), "<{tag}>");
    }
    for word in ["<script", "<link", "<iframe", "@import", "javascript:"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(attribute(page, "src").iter().all(|source| source.starts_with("data:image/")));
    assert_eq!(page.matches("url(").count(), page.matches("url(#arrow)").count());
    let mut places = attribute(page, "id");
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count, "a place stands twice");
    for link in attribute(page, "href") {
        match link.strip_prefix('#') {
            Some(place) => assert!(places.contains(&place), "nothing is at #{place}"),
            None => assert!(link.starts_with("https://") && link.contains(".example/"), "{link}"),
        }
    }
}

/// The part of a page from a place to the next one of the same sort.
fn at<'a>(page: &'a str, place: &str, end: &str) -> &'a str {
    let from = page.split_once(&format!(" id=\"{place}\"")).unwrap().1;
    from.split_once(end).unwrap().0
}

#[tokio::test]
async fn the_page_leads_from_a_sentence_to_its_source_and_needs_nothing_else() {
    let (folder, run) = rich().await;
    let page = exported(&folder, &run, "html");
    stands_alone(&page);
    let manifest: Value = serde_json::from_slice(&run.read("run.json").unwrap()).unwrap();
    for root in ["content_root", "log_root"] {
        assert!(page.contains(manifest[root].as_str().unwrap()), "{root}");
    }
    let figure = run.read("figures/chart.png").unwrap();
    let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, figure);
    assert!(page.contains(&format!("data:image/png;base64,{data}\"")));
    assert!(page.contains("How &lt;b&gt;warm&lt;/b&gt; was it?") && !page.contains("<b>"));
    // A sentence about what a gauge said, its evidence, its call, its source.
    let evidence = page.split("<tr id=\"").find(|row| row.contains("<code>g.n</code>")).unwrap();
    let place = evidence.split_once('"').unwrap().0;
    assert!(page.contains(&format!("<sup><a href=\"#{place}\">")), "no sentence cites {place}");
    let call = attribute(evidence, "href")[0].trim_start_matches('#').to_owned();
    assert!(at(&page, &call, "</div>").contains("href=\"https://observe.example/observe\""));
    // What failed and what was skipped is told.
    assert!(at(&page, "gaps", "</section>").contains("fails on call"));
    assert!(page.contains("class=\"node skipped\"") && page.contains("class=\"node failed\""));
}

#[tokio::test]
async fn a_run_of_several_plans_is_a_page_too() {
    let (folder, run) = eventful().await;
    let page = exported(&folder, &run, "html");
    stands_alone(&page);
    assert!(page.contains(">own__a</h3>"), "the plan inside a node is shown");
    // A step of the plan that was mended is told with its tool, and is no part of the drawing.
    let gone = at(&page, "node-m", "</article>");
    assert!(gone.contains("tool <code>mean</code>"), "{gone}");
    assert_eq!(attribute(&page, "href").iter().filter(|link| **link == "#node-m").count(), 0);
    assert!(attribute(&page, "href").contains(&"#node-n"));
}

#[tokio::test]
async fn hostile_words_stay_words() {
    let hostile =
        "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> [x](javascript:alert(3)) | `y`\n# z";
    let folder = tempfile::tempdir().unwrap();
    let plan = support::plan(serde_json::json!({"version": 1, "question": hostile, "tracks": [
        {"id": "t", "goal": hostile, "layers": [
            {"nodes": [{"id": "a", "agent": "gauge", "task": hostile}, {"id": "b", "agent": "marks", "task": hostile}]}]},
        {"id": "s", "steps": [
            {"id": "e", "tool": "echo", "args": {"word": hostile, "<img src=y>": 1}},
            {"id": "f", "tool": "forecast", "args": {"word": hostile}}]}]}));
    let broken = leg_testkit::FakeTool::echo("echo").failing(usize::MAX, leg_core::ToolErrorKind::NoData);
    let (_, run) = support::run_in(folder.path(), &plan, &support::registry(vec![broken])).await;
    let page = exported(&folder, &run, "html");
    let tags = tags(&page);
    assert!(
        tags.iter()
            .all(|tag| !tag.starts_with("script") && !tag.contains("onerror") && !tag.contains("src=x"))
    );
    stands_alone(&page.replace("javascript:", ""));
    let markdown = exported(&folder, &run, "md");
    assert!(!markdown.contains("\n# z"), "{markdown}");
    let readme = folder.path().join("bundle");
    export(&run, "bundle", &readme).unwrap();
    let readme = std::fs::read_to_string(readme.join("README.md")).unwrap();
    assert!(readme.contains("\n    <script>") && !readme.contains("\n# z"), "{readme}");
    for format in ["prov-json", "json"] {
        let _: Value = serde_json::from_str(&exported(&folder, &run, format)).unwrap();
    }
    let path = folder.path().join("crate");
    export(&run, "ro-crate", &path).unwrap();
    assert_eq!(leg_testkit::check_run_crate(&path), Vec::<String>::new());
}
