//! [`Scripted`]: answers requests from a list.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use crate::{Fetch, FetchError, Request, RequestKey, Response};

/// Answers requests from a list, by [`RequestKey`].
///
/// A request that was given several answers gets them one after the other; the last one stays.
#[derive(Debug, Default)]
pub struct Scripted {
    name: String,
    answers: BTreeMap<RequestKey, Vec<Result<Response, FetchError>>>,
    asked: Mutex<Vec<RequestKey>>,
}

impl Scripted {
    /// An empty script; the name stands in the error for a request that is missing.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds an answer.
    #[must_use]
    pub fn answer(self, request: &Request, response: Response) -> Self {
        self.with(RequestKey::of(request), Ok(response))
    }

    /// Adds a failure.
    #[must_use]
    pub fn fail(self, request: &Request, error: FetchError) -> Self {
        self.with(RequestKey::of(request), Err(error))
    }

    pub(crate) fn with(mut self, key: RequestKey, answer: Result<Response, FetchError>) -> Self {
        self.answers.entry(key).or_default().push(answer);
        self
    }

    /// What was asked so far, in order, missing requests included.
    pub fn asked(&self) -> Vec<RequestKey> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn missing(&self, key: &RequestKey) -> FetchError {
        // Of equals the first in order, so that the message is always the same.
        let nearest = self.answers.keys().rev().max_by_key(|known| key.likeness(known));
        FetchError::NotRecorded {
            source_name: self.name.clone(),
            request: key.to_string(),
            nearest: match nearest {
                Some(known) => {
                    let differences = key.differences(known).join(", ");
                    format!("the nearest that it has is `{known}` ({differences}); record it again")
                }
                None => "it is empty; record it first".to_owned(),
            },
        }
    }
}

#[async_trait]
impl Fetch for Scripted {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let key = RequestKey::of(&request);
        let before = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let before = asked.iter().filter(|other| **other == key).count();
            asked.push(key.clone());
            before
        };
        let answers = self.answers.get(&key).ok_or_else(|| self.missing(&key))?;
        let answer = answers.get(before).or_else(|| answers.last());
        answer.cloned().unwrap_or_else(|| Err(self.missing(&key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Url;

    fn get(text: &str) -> Request {
        Request::get(Url::parse(text).unwrap())
    }

    #[tokio::test]
    async fn several_answers_come_in_order_and_the_last_stays() {
        let down = FetchError::Unreachable { host: "h".into(), reason: "refused".into() };
        let request = get("http://h/a?x=1&y=2");
        let fetch =
            Scripted::new("script").fail(&request, down.clone()).answer(&request, Response::ok("late"));
        assert_eq!(fetch.fetch(request.clone()).await, Err(down));
        for _ in 0..2 {
            assert_eq!(fetch.fetch(get("http://other/a?y=2&x=1")).await.unwrap().body, "late");
        }
        assert_eq!(fetch.asked().len(), 3);
    }

    #[tokio::test]
    async fn a_missing_request_names_the_nearest_and_what_differs() {
        let fetch = Scripted::new("script `levels`")
            .answer(&get("http://h/data?station=1&datum=MSL&units=metric"), Response::ok(""))
            .answer(&get("http://h/data?station=2&datum=NAVD"), Response::ok(""))
            .answer(&get("http://h/other?station=1&datum=MLLW"), Response::ok(""));
        let error = fetch.fetch(get("http://h/data?station=1&datum=MLLW&key=canary")).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "script `levels` has no `GET /data?datum=MLLW&station=1`; the nearest that it has is \
             `GET /data?datum=MSL&station=1&units=metric` (`datum` is `MSL`, not `MLLW`, also `units` = \
             `metric`); record it again"
        );
        let empty = Scripted::new("script").fetch(get("http://h/")).await.unwrap_err();
        assert!(empty.to_string().ends_with("it is empty; record it first"), "{empty}");
    }
}
