//! [`Meter`]: counts what is reserved and spent against a [`Budget`], in a tree: what a node draws, its sub-graph and
//! its run must agree to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use super::budget::{amount, limit_json, number, units};
use super::{Amounts, Budget, Resource};

/// A budget does not have what was asked for.
///
/// ```
/// use leg_core::run::{Amounts, Budget, Meter, Resource};
///
/// let meter = Meter::new("the run", &Budget::default().with(Resource::Calls, 1.0)?);
/// let exhausted = meter.reserve(&Amounts::default().with(Resource::Calls, 2.0)).unwrap_err();
/// assert_eq!((exhausted.resource, exhausted.of.as_str()), (Resource::Calls, "the run"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the budget of {resource} of {of} is exhausted: {asked} asked, {spent} spent and {reserved} reserved of {limit}; \
     raise the budget, or leave work out"
)]
pub struct Exhausted {
    /// Whose budget: `the run`, or a node's id.
    pub of: String,
    /// What is used up.
    pub resource: Resource,
    /// The limit.
    pub limit: f64,
    /// Spent so far.
    pub spent: f64,
    /// Reserved by others at the moment.
    pub reserved: f64,
    /// What was asked for.
    pub asked: f64,
}

/// Counts against a budget; clones share the count, and any thread may use one.
///
/// [`reserve`](Self::reserve) before the work, [`Reservation::settle`] after it: side by side, works can then never
/// promise themselves the same remainder. Only what a single work really used beyond its reservation can exceed a
/// limit; the report shows it.
///
/// ```
/// use leg_core::run::{Amounts, Budget, Meter, Resource};
///
/// let run = Meter::new("the run", &Budget::default().with(Resource::Tokens, 1000.0)?);
/// let hundred = Amounts::default().with(Resource::Tokens, 100.0);
/// let started: Vec<_> = (0..50).map(|_| run.reserve(&hundred)).collect();
/// assert_eq!(started.iter().filter(|reservation| reservation.is_ok()).count(), 10);
/// for reservation in started.into_iter().flatten() {
///     reservation.settle(&Amounts::default().with(Resource::Tokens, 60.0));
/// }
/// assert_eq!(run.report()["tokens"], serde_json::json!({"limit": 1000, "spent": 600}));
/// # Ok::<(), leg_core::run::BudgetError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Meter(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    limits: [Option<u128>; 6],
    books: Mutex<Books>,
    parent: Option<Meter>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Books {
    reserved: [u128; 6],
    spent: [u128; 6],
    /// Reserved at the parent beforehand; drawn from first.
    advance: [u128; 6],
}

impl Books {
    /// What the parent has reserved for this meter: the advance that is left, or what is reserved here if that is more.
    fn held(&self) -> [u128; 6] {
        let mut held = self.reserved;
        let advances =
            self.advance.iter().zip(self.spent).map(|(advance, spent)| advance.saturating_sub(spent));
        held.iter_mut().zip(advances).for_each(|(held, advance)| *held = advance.max(*held));
        held
    }
}

/// One movement in the books of a meter.
#[derive(Debug, Default)]
struct Entry {
    reserve: [u128; 6],
    release: [u128; 6],
    spend: [u128; 6],
}

impl Meter {
    /// A meter of its own; `name` is used in messages.
    pub fn new(name: impl Into<String>, budget: &Budget) -> Self {
        Self::with_parent(name.into(), budget, None, [0; 6])
    }

    fn with_parent(name: String, budget: &Budget, parent: Option<Self>, advance: [u128; 6]) -> Self {
        let books = Books { advance, ..Books::default() };
        let limits = Resource::ALL.map(|resource| budget.limit(resource).map(units));
        Self(Arc::new(Inner { name, limits, books: Mutex::new(books), parent }))
    }

    /// A meter that draws on this one: whatever it reserves or spends is reserved or spent here too, and both budgets
    /// must allow it.
    #[must_use]
    pub fn child(&self, name: impl Into<String>, budget: &Budget) -> Self {
        Self::with_parent(name.into(), budget, Some(self.clone()), [0; 6])
    }

    /// Reserves all of these amounts, or none. Of what has no limit anything can be reserved; nothing can always be.
    ///
    /// # Errors
    /// [`Exhausted`] names the first resource, in the order of [`Resource`], and the budget that does not have it.
    pub fn reserve(&self, amounts: &Amounts) -> Result<Reservation, Exhausted> {
        self.post(&Entry { reserve: amounts.0, ..Entry::default() }, true)?;
        Ok(Reservation { meter: self.clone(), amounts: amounts.0 })
    }

    /// Counts what was spent without a reservation: by a resumed run before it was stopped, or by work whose cost is
    /// known only afterwards. It is counted even when it exceeds a limit.
    pub fn spend(&self, amounts: &Amounts) {
        if self.0.parent.is_some() {
            return self.post_unchecked(&Entry { spend: amounts.0, ..Entry::default() });
        }
        // Nobody above to be told, nothing reserved: the run's own meter hears of every node.
        let mut books = self.0.books();
        books.spent.iter_mut().zip(amounts.0).for_each(|(own, spend)| *own = own.saturating_add(spend));
    }

    /// What was spent so far.
    pub fn spent(&self) -> Amounts {
        Amounts(self.books().spent)
    }

    /// What is reserved at the moment.
    pub fn reserved(&self) -> Amounts {
        Amounts(self.books().reserved)
    }

    /// What was spent beyond the limits.
    pub fn overrun(&self) -> Amounts {
        let mut over = self.books().spent;
        let over_limit = |(over, limit): (&mut u128, &Option<u128>)| {
            *over = limit.map_or(0, |limit| over.saturating_sub(limit));
        };
        over.iter_mut().zip(&self.0.limits).for_each(over_limit);
        Amounts(over)
    }

    /// Gives back what is left of the reservation that the meter was made of. This happens by itself when the last
    /// clone is dropped; work that does not end with its node would hold it longer.
    pub fn close(&self) {
        self.0.close();
    }

    /// `{resource: {"limit": number or "unlimited", "spent": number}}`, for every resource.
    pub fn report(&self) -> Value {
        let books = self.books();
        let rows = Resource::ALL.into_iter().zip(self.0.limits).zip(books.spent);
        let row = |((resource, limit), spent): ((Resource, Option<u128>), u128)| {
            let row = json!({"limit": limit_json(limit.map(amount)), "spent": number(amount(spent))});
            (resource.as_str().to_owned(), row)
        };
        Value::Object(rows.map(row).collect::<Map<_, _>>())
    }

    fn books(&self) -> Books {
        *self.0.books()
    }

    fn post(&self, entry: &Entry, checked: bool) -> Result<(), Exhausted> {
        self.0.post(entry, checked)
    }

    fn post_unchecked(&self, entry: &Entry) {
        // Without a check there is nothing that could refuse.
        let _ = self.0.post(entry, false);
    }
}

impl Inner {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves amounts here and in all meters above, or nowhere. Locks are taken upwards only, so that no two wait for
    /// each other.
    fn post(&self, entry: &Entry, checked: bool) -> Result<(), Exhausted> {
        let mut books = self.books();
        let mut next = *books;
        let moved = next.reserved.iter_mut().zip(entry.reserve).zip(entry.release);
        moved
            .for_each(|((own, reserve), release)| *own = own.saturating_add(reserve).saturating_sub(release));
        next.spent.iter_mut().zip(entry.spend).for_each(|(own, spend)| *own = own.saturating_add(spend));
        if checked {
            self.check(&books, &next, &entry.reserve)?;
        }
        self.tell_parent(&books, &next, entry.spend, checked)?;
        *books = next;
        Ok(())
    }

    fn check(&self, books: &Books, next: &Books, asked: &[u128; 6]) -> Result<(), Exhausted> {
        let rows = Resource::ALL
            .into_iter()
            .zip(self.limits)
            .zip(asked.iter().zip(next.reserved.iter().zip(next.spent)));
        for ((resource, limit), (&asked, (&reserved, spent))) in rows {
            let Some(limit) = limit.filter(|&limit| asked > 0 && reserved.saturating_add(spent) > limit)
            else {
                continue;
            };
            let of = |amounts: [u128; 6]| Amounts(amounts).get(resource);
            return Err(Exhausted {
                of: self.name.clone(),
                resource,
                limit: amount(limit),
                spent: of(books.spent),
                reserved: of(books.reserved),
                asked: amount(asked),
            });
        }
        Ok(())
    }

    fn tell_parent(
        &self,
        books: &Books,
        next: &Books,
        spend: [u128; 6],
        checked: bool,
    ) -> Result<(), Exhausted> {
        let Some(parent) = &self.parent else { return Ok(()) };
        let (before, after) = (books.held(), next.held());
        let less = |a: [u128; 6], b: [u128; 6]| {
            let mut rest = a;
            rest.iter_mut().zip(b).for_each(|(a, b)| *a = a.saturating_sub(b));
            rest
        };
        parent.post(&Entry { reserve: less(after, before), release: less(before, after), spend }, checked)
    }

    fn close(&self) {
        let mut books = self.books();
        let next = Books { advance: [0; 6], ..*books };
        // Giving back is never refused.
        let _ = self.tell_parent(&books, &next, [0; 6], false);
        *books = next;
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

/// Amounts that are kept for one work. Dropping it gives everything back.
///
/// ```
/// use leg_core::run::{Amounts, Budget, Meter, Resource};
///
/// let meter = Meter::new("the run", &Budget::default().with(Resource::Tokens, 1_000.0)?);
/// let reservation = meter.reserve(&Amounts::default().with(Resource::Tokens, 800.0))?;
/// // It took less than was held for it; the rest is free again.
/// reservation.settle(&Amounts::default().with(Resource::Tokens, 300.0));
/// assert!((meter.spent().get(Resource::Tokens) - 300.0).abs() < 1e-9);
/// assert!(meter.reserve(&Amounts::default().with(Resource::Tokens, 700.0)).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "dropping a reservation gives it back"]
pub struct Reservation {
    meter: Meter,
    amounts: [u128; 6],
}

impl Reservation {
    /// What is reserved.
    pub const fn amounts(&self) -> Amounts {
        Amounts(self.amounts)
    }

    /// Ends it with what was really used, which may be more.
    pub fn settle(mut self, actual: &Amounts) {
        let release = std::mem::take(&mut self.amounts);
        self.meter.post_unchecked(&Entry { release, spend: actual.0, ..Entry::default() });
    }

    /// Hands it on to a meter for the parts of the work: what they draw comes out of the reservation first, and out of
    /// the budgets above when it is used up. What is left is given back at [`Meter::close`].
    ///
    /// ```
    /// use leg_core::run::{Amounts, Budget, Meter, Resource};
    ///
    /// let calls = |n| Amounts::default().with(Resource::Calls, n);
    /// let run = Meter::new("the run", &Budget::default().with(Resource::Calls, 3.0)?);
    /// let node = run.reserve(&calls(2.0)).unwrap().into_meter("gauges", &Budget::default());
    /// node.spend(&calls(1.0));
    /// assert_eq!(run.reserved(), calls(1.0));
    /// node.close();
    /// assert_eq!((run.reserved(), run.spent()), (calls(0.0), calls(1.0)));
    /// # Ok::<(), leg_core::run::BudgetError>(())
    /// ```
    #[must_use]
    pub fn into_meter(mut self, name: impl Into<String>, budget: &Budget) -> Meter {
        let advance = std::mem::take(&mut self.amounts);
        Meter::with_parent(name.into(), budget, Some(self.meter.clone()), advance)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let release = std::mem::take(&mut self.amounts);
        self.meter.post_unchecked(&Entry { release, ..Entry::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(of: f64) -> Amounts {
        Amounts::default().with(Resource::Tokens, of)
    }

    fn budget(of: f64) -> Budget {
        Budget::default().with(Resource::Tokens, of).unwrap()
    }

    #[test]
    fn nodes_reserve_in_plan_order_and_the_rest_does_not_start() {
        let run = Meter::new("the run", &budget(1000.0));
        let nodes: Vec<_> = (0..50).map(|_| run.reserve(&tokens(100.0))).collect();
        let started: Vec<usize> = (0..50).filter(|&n| nodes[n].is_ok()).collect();
        assert_eq!(started, (0..10).collect::<Vec<_>>());
        assert_eq!(
            nodes[10].as_ref().unwrap_err().to_string(),
            "the budget of tokens of the run is exhausted: 100 asked, 0 spent and 1000 reserved of 1000; \
             raise the budget, or leave work out"
        );
        for node in nodes.into_iter().flatten() {
            node.settle(&tokens(100.0));
        }
        assert_eq!((run.spent(), run.reserved(), run.overrun()), (tokens(1000.0), tokens(0.0), tokens(0.0)));
        assert!(run.reserve(&tokens(1.0)).is_err());
    }

    #[test]
    fn zero_allows_nothing_and_unset_allows_everything() {
        let run = Meter::new("the run", &budget(0.0));
        assert!(run.reserve(&tokens(1e-9)).is_err());
        assert!(run.reserve(&tokens(0.0)).is_ok());
        let most = Amounts::default().with(Resource::Calls, f64::INFINITY);
        assert!(run.reserve(&most).is_ok());
        assert_eq!(run.report()["tokens"], json!({"limit": 0, "spent": 0}));
        assert_eq!(run.report()["calls"], json!({"limit": "unlimited", "spent": 0}));
    }

    #[test]
    fn one_refused_resource_leaves_the_others_alone() {
        let run = Meter::new("the run", &budget(5.0));
        let asked = tokens(6.0).with(Resource::Calls, 1.0);
        assert_eq!(run.reserve(&asked).unwrap_err().resource, Resource::Tokens);
        assert_eq!(run.reserved(), Amounts::default());
    }

    #[test]
    fn eight_threads_keep_the_sum_exact_and_the_limit() {
        const EACH: usize = 10_000;
        let limit = 8.0 * EACH as f64 * 0.7 - 0.5;
        let run = Meter::new("the run", &budget(limit));
        let node = run.child("node", &Budget::default());
        let refused: usize = std::thread::scope(|scope| {
            let work = |thread: usize| {
                let meter = if thread.is_multiple_of(2) { run.clone() } else { node.clone() };
                move || {
                    let mut refused = 0;
                    for n in 0..EACH {
                        let Ok(reservation) = meter.reserve(&tokens(1.0)) else {
                            refused += 1;
                            continue;
                        };
                        assert!(meter.overrun() == Amounts::default());
                        // A tenth is given back unused; all others use what they reserved, or a bit less.
                        match n % 10 {
                            0 => drop(reservation),
                            1 => reservation.settle(&tokens(0.1)),
                            _ => reservation.settle(&tokens(1.0)),
                        }
                    }
                    refused
                }
            };
            let threads: Vec<_> = (0..8).map(|thread| scope.spawn(work(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(refused > 0, "the limit was met");
        assert_eq!(run.reserved(), tokens(0.0));
        let spent = run.spent().get(Resource::Tokens);
        assert!(spent <= limit && spent > limit - 1.0, "{spent} of {limit}");
        let free = Meter::new("the run", &Budget::default());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    (0..EACH).for_each(|_| free.reserve(&tokens(1.0)).unwrap().settle(&tokens(0.1)));
                });
            }
        });
        assert_eq!(free.spent(), tokens(8000.0));
    }

    #[test]
    fn a_child_needs_both_budgets_and_names_the_one_that_is_exhausted() {
        let run = Meter::new("the run", &budget(10.0));
        let (wide, narrow) = (run.child("wide", &budget(100.0)), run.child("narrow", &budget(3.0)));
        assert_eq!(narrow.reserve(&tokens(4.0)).unwrap_err().of, "narrow");
        let held = wide.reserve(&tokens(8.0)).unwrap();
        assert_eq!(narrow.reserve(&tokens(3.0)).unwrap_err().of, "the run");
        assert_eq!(narrow.reserved(), tokens(0.0));
        held.settle(&tokens(1.0));
        narrow.reserve(&tokens(3.0)).unwrap().settle(&tokens(2.0));
        assert_eq!(run.spent(), tokens(3.0));
        assert_eq!(narrow.spent(), tokens(2.0));
    }

    #[test]
    fn what_was_reserved_for_a_node_is_not_counted_twice_and_what_is_left_comes_back() {
        let run = Meter::new("the run", &budget(10.0));
        let node = run.reserve(&tokens(6.0)).unwrap().into_meter("node", &Budget::default());
        let rest = run.reserve(&tokens(4.0)).unwrap();
        let call = node.reserve(&tokens(5.0)).unwrap();
        assert_eq!(node.reserve(&tokens(2.0)).unwrap_err().of, "the run");
        call.settle(&tokens(5.0));
        assert_eq!((run.spent(), run.reserved()), (tokens(5.0), tokens(5.0)));
        drop(rest);
        // One comes out of the reservation, one out of the run.
        node.reserve(&tokens(2.0)).unwrap().settle(&tokens(2.0));
        assert_eq!((run.spent(), run.reserved()), (tokens(7.0), tokens(0.0)));
        let second = run.reserve(&tokens(3.0)).unwrap().into_meter("second", &Budget::default());
        second.spend(&tokens(1.0));
        drop(second);
        assert_eq!((run.spent(), run.reserved()), (tokens(8.0), tokens(0.0)));
    }

    #[test]
    fn the_overrun_of_one_call_is_counted_and_seen() {
        let run = Meter::new("the run", &budget(100.0));
        run.reserve(&tokens(100.0)).unwrap().settle(&tokens(130.0));
        assert_eq!(run.overrun(), tokens(30.0));
        assert_eq!(run.report()["tokens"], json!({"limit": 100, "spent": 130}));
        assert!(run.reserve(&tokens(1.0)).is_err());
    }
}
