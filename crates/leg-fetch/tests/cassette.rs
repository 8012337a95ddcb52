//! Recording, storing and replaying exchanges.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::sync::Arc;

use leg_fetch::{
    Cassette, CassetteError, Fetch as _, FetchError, Recorder, Request, Response, Scripted, Url,
};

fn get(text: &str) -> Request {
    Request::get(Url::parse(text).unwrap())
}

#[tokio::test]
async fn what_was_recorded_is_replayed_from_the_file() {
    let first = get("https://h/a?y=2&x=1");
    let post = Request::post(Url::parse("https://h/a").unwrap(), "body");
    let binary = get("https://h/picture");
    let live = Scripted::new("live")
        .answer(&first, Response::json("{\"é\": \"one\"}").with_header("ETag", "\"7\""))
        .answer(&first, Response::json("two").with_status(503))
        .answer(&post, Response::ok("posted"))
        .answer(&binary, Response::ok(vec![0_u8, 159, 146, 150]));
    let recorder = Recorder::new(Arc::new(live));
    let mut said = Vec::new();
    let requests = [&binary, &first, &post, &first];
    for request in requests {
        said.push(recorder.fetch(request.clone()).await.unwrap());
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    recorder.cassette().save(&path).unwrap();
    let cassette = Cassette::load(&path).unwrap();
    assert_eq!(cassette, recorder.cassette());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no partial file is left");

    let replayed = cassette.replay("a").unwrap();
    for (request, said) in requests.into_iter().zip(said) {
        assert_eq!(replayed.fetch(request.clone()).await.unwrap(), said);
    }
}

#[tokio::test]
async fn the_file_does_not_depend_on_the_order_of_different_requests() {
    let urls = ["https://h/b", "https://h/a", "https://h/c"];
    let mut files = Vec::new();
    for order in [[0, 1, 2], [2, 0, 1]] {
        let live = urls
            .iter()
            .fold(Scripted::new("live"), |script, url| script.answer(&get(url), Response::ok(*url)));
        let recorder = Recorder::new(Arc::new(live));
        for at in order {
            recorder.fetch(get(urls[at])).await.unwrap();
        }
        files.push(recorder.cassette().to_json());
    }
    assert_eq!(files[0], files[1]);
}

#[tokio::test]
async fn a_request_that_was_not_recorded_is_refused_with_the_nearest() {
    let asked = get("https://h/data?station=8518750&datum=MLLW");
    let live = Scripted::new("live").answer(&asked, Response::ok("x"));
    let recorder = Recorder::new(Arc::new(live));
    recorder.fetch(asked).await.unwrap();
    let replay = recorder.cassette().replay("battery").unwrap();
    let error = replay.fetch(get("https://h/data?station=8518750&datum=NAVD")).await.unwrap_err();
    assert!(matches!(error, FetchError::NotRecorded { .. }));
    assert_eq!(
        error.to_string(),
        "cassette `battery` has no `GET /data?datum=NAVD&station=8518750`; the nearest that it has is \
         `GET /data?datum=MLLW&station=8518750` (`datum` is `MLLW`, not `NAVD`); record it again"
    );
}

#[tokio::test]
async fn no_secret_reaches_the_file() {
    let url = "https://user-canary:pass-canary@h/a?api_key=query%2Bcanary&X-Amz-Signature=sig-canary&q=plain";
    let request = Request::post(Url::parse(url).unwrap(), "{\"password\": \"body-canary\"}")
        .with_header("Authorization", "Bearer auth-canary")
        .with_header("Cookie", "session=cookie-canary")
        .with_header("X-Api-Key", "header-canary")
        .with_header("User-Agent", "leg-test (pass-canary)");
    // The service repeats the address and the key, as some do in their error pages.
    let echo =
        "key query+canary and query%2Bcanary, sig-canary, pass-canary, auth-canary, header-canary; q=plain";
    let binary = [&[0xff_u8, 0xfe][..], b"header-canary"].concat();
    for body in [echo.as_bytes().to_vec(), binary] {
        let answer = Response::ok(body.clone())
            .with_header("Set-Cookie", "id=set-canary")
            .with_header("ETag", "\"auth-canary\"")
            .with_header("Content-Type", "text/plain");
        let recorder = Recorder::new(Arc::new(Scripted::new("live").answer(&request, answer)));
        let given = recorder.fetch(request.clone()).await.unwrap();
        assert_eq!(given.body, body, "the caller gets the answer as it came");

        let file = recorder.cassette().to_json();
        assert!(!file.contains("canary"), "{file}");
        let replay = recorder.cassette().replay("x").unwrap();
        let replayed = replay.fetch(request.clone()).await.unwrap();
        assert!(!replayed.body.windows(6).any(|part| part == b"canary"), "{replayed:?}");
        assert_eq!(replayed.header("content-type"), Some("text/plain"));
        // Someone without the key can replay it.
        let bare = Request::post(Url::parse("http://localhost/a?q=plain").unwrap(), request.body.clone());
        assert!(replay.fetch(bare).await.is_ok());
    }
}

#[test]
fn files_of_other_versions_and_broken_files_are_refused() {
    let version = Cassette::parse("old", br#"{"version": 2, "anything": []}"#).unwrap_err();
    assert!(matches!(version, CassetteError::Version { found: 2, .. }), "{version}");
    for bad in ["", "[]", "{}", r#"{"version": 1}"#, r#"{"version": 1, "interactions": [], "extra": 1}"#] {
        assert!(matches!(Cassette::parse("bad", bad.as_bytes()), Err(CassetteError::Json { .. })), "{bad}");
    }
    let body = r#"{"version": 1, "interactions": [{"request": {"method": "GET", "url": "nowhere"},
        "response": {"status": 200, "body": {"base64": "?"}}}]}"#;
    let error = Cassette::parse("bad", body.as_bytes()).unwrap().replay("bad").unwrap_err();
    assert!(error.to_string().starts_with("cassette `bad`, exchange 1: "), "{error}");
}
