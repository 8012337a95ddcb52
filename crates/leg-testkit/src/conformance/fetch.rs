//! What every [`Fetch`] must do.

#![expect(clippy::panic, reason = "a suite says by panicking what does not hold")]

use std::sync::Arc;

use leg_fetch::{Fetch, FetchError, Request, Response, Scripted, Url};

/// Checks a wrapper: `wrap` puts it around the given [`Fetch`].
///
/// # Panics
/// When an answer, an error or a request does not pass as it should.
pub async fn fetch(wrap: impl Fn(Arc<dyn Fetch>) -> Arc<dyn Fetch>) {
    let url = |path: &str| {
        Url::parse(&format!("https://example.org/{path}?token=canary-token&q=1"))
            .unwrap_or_else(|error| panic!("the suite's own address is wrong: {error}"))
    };
    let get = Request::get(url("get")).with_header("authorization", "canary-header");
    let post = Request::post(url("post"), vec![0, 255, 10]);
    let broken = Request::get(url("broken"));
    let down = FetchError::Unreachable { host: "example.org".into(), reason: "refused".into() };
    let answer = Response::ok(vec![0, 159, 146, 150]).with_status(404).with_header("ETag", "\"7\"");
    let inner = Arc::new(
        Scripted::new("script")
            .answer(&get, answer.clone())
            .answer(&post, Response::json("{}"))
            .fail(&broken, down.clone()),
    );
    let wrapped = wrap(Arc::clone(&inner) as Arc<dyn Fetch>);
    assert_eq!(wrapped.fetch(get.clone()).await, Ok(answer), "an answer passes whole, whatever its status");
    assert_eq!(wrapped.fetch(post).await, Ok(Response::json("{}")), "a body passes");
    assert_eq!(wrapped.fetch(broken).await, Err(down), "an error passes as it is");
    let missing = wrapped.fetch(Request::get(url("missing"))).await;
    assert!(
        matches!(missing, Err(FetchError::NotRecorded { .. })),
        "a missing request is an error: {missing:?}"
    );
    assert!(inner.asked().len() >= 4, "every request reaches what is wrapped");
    let shown = format!("{wrapped:?} {missing:?} {get:?}");
    assert!(!shown.contains("canary"), "`Debug` shows a secret: {shown}");
}
