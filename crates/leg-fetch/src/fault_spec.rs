//! [`FaultSpec`]: which request meets which fault, told by a short text.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::dice::Dice;

/// What goes wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// An error status, with `Retry-After` for 429 and 503.
    Status(u16),
    /// No answer ever comes.
    Timeout,
    /// The body breaks off.
    Cut,
    /// A page with status 200 in place of the data, as gateways send it.
    Html,
    /// Bytes without meaning under the right content type.
    Garbage,
    /// The body comes byte after byte.
    Drip,
    /// The body has no end.
    Endless,
}

impl Fault {
    /// The faults that have a name; those with a status are told by it.
    const NAMED: [(&'static str, Self); 6] = [
        ("timeout", Self::Timeout),
        ("cut", Self::Cut),
        ("html", Self::Html),
        ("garbage", Self::Garbage),
        ("drip", Self::Drip),
        ("endless", Self::Endless),
    ];

    fn parse(name: &str) -> Option<Self> {
        if let Some((_, fault)) = Self::NAMED.iter().find(|(own, _)| *own == name) {
            return Some(*fault);
        }
        let status: u16 = name.parse().ok()?;
        (name.len() == 3 && (400..=599).contains(&status)).then_some(Self::Status(status))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "{status}"),
            other => {
                f.write_str(Self::NAMED.iter().find(|(_, fault)| fault == other).map_or("", |(name, _)| name))
            }
        }
    }
}

/// How often which fault happens. The choice depends on the seed and on the number of the request only, so that a
/// run with faults can be repeated.
///
/// The text has parts apart by `,` or `;`: a status from 400 to 599 or one of `timeout`, `cut`, `html`, `garbage`,
/// `drip`, `endless` with its probability; `delay` in `ms` or `s` for every answer; `retry-after` in seconds for 429
/// and 503 (without it, 0 and 1 take turns by chance); and `seed`.
///
/// ```
/// use std::time::Duration;
///
/// use leg_fetch::{Fault, FaultSpec};
///
/// let spec: FaultSpec = "503=0.25,cut=0.25,delay=200ms;seed=7".parse()?;
/// assert_eq!(spec.delay(), Duration::from_millis(200));
/// let chosen: Vec<Option<Fault>> = (0..1_000).map(|n| spec.choose(n)).collect();
/// let cut = chosen.iter().filter(|fault| **fault == Some(Fault::Cut)).count();
/// assert!((200..300).contains(&cut), "{cut}");
/// assert_eq!(spec.choose(3), chosen[3]);
///
/// let wrong = "503=2".parse::<FaultSpec>().unwrap_err();
/// assert_eq!(wrong.to_string(), "faults: `503=2` is no probability; write a number from 0 to 1");
/// # Ok::<(), leg_fetch::FaultSpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FaultSpec {
    faults: BTreeMap<Fault, f64>,
    delay: Duration,
    retry_after: Option<u64>,
    seed: u64,
}

/// The text says no faults.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultSpecError {
    /// It is not `name=value`.
    #[error("faults: `{part}` has no value; write `name=value`")]
    NoValue {
        /// The part of the text.
        part: String,
    },
    /// The name is unknown.
    #[error(
        "faults: `{name}` is unknown; write a status from 400 to 599, or one of: timeout, cut, html, garbage, drip, \
         endless, delay, retry-after, seed"
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// It stands twice.
    #[error("faults: `{name}` stands twice; write it once")]
    Twice {
        /// The name.
        name: String,
    },
    /// It is no probability.
    #[error("faults: `{part}` is no probability; write a number from 0 to 1")]
    Probability {
        /// The part of the text.
        part: String,
    },
    /// All together are more than certain.
    #[error("faults: the probabilities sum up to {sum}; let them be at most 1")]
    Sum {
        /// The sum.
        sum: String,
    },
    /// It is no duration.
    #[error("faults: `{part}` is no duration; write such as `200ms` or `2s`, up to an hour")]
    Duration {
        /// The part of the text.
        part: String,
    },
    /// It is no whole number.
    #[error("faults: `{part}` is no whole number; write one from 0")]
    Number {
        /// The part of the text.
        part: String,
    },
}

/// Longer delays are mistakes.
const LONGEST_DELAY: Duration = Duration::from_hours(1);
/// Decimal fractions that sum up to 1 on paper may be a little above it in binary.
const SLACK: f64 = 1e-9;

impl FaultSpec {
    /// Every request meets this fault.
    ///
    /// ```
    /// use leg_fetch::{Fault, FaultSpec};
    ///
    /// assert_eq!(FaultSpec::always(Fault::Cut).choose(99), Some(Fault::Cut));
    /// assert_eq!(FaultSpec::default().choose(99), None);
    /// ```
    pub fn always(fault: Fault) -> Self {
        Self { faults: BTreeMap::from([(fault, 1.0)]), ..Self::default() }
    }

    /// Sets the pause that 429 and 503 ask for, in seconds.
    #[must_use]
    pub const fn with_retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Sets the delay of every answer.
    #[must_use]
    pub const fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The fault of the `n`-th request, counted from 0; none for most.
    pub fn choose(&self, n: u64) -> Option<Fault> {
        let mut left = Dice::new(self.seed).unit(n);
        for (fault, probability) in &self.faults {
            if left < *probability {
                return Some(*fault);
            }
            left -= probability;
        }
        None
    }

    /// How long every answer waits.
    pub const fn delay(&self) -> Duration {
        self.delay
    }

    /// The pause in seconds that 429 and 503 ask the `n`-th request for.
    pub fn retry_after(&self, n: u64) -> u64 {
        // Another stream than that of the faults, or the pause would depend on the fault.
        self.retry_after.unwrap_or_else(|| Dice::new(!self.seed).bits(n) & 1)
    }

    /// Bytes without meaning, as many as asked for, the same for the same request.
    pub fn garbage(&self, n: u64, len: usize) -> Vec<u8> {
        let dice = Dice::new(self.seed ^ n);
        (0..len as u64).map(|at| dice.bits(at).to_le_bytes()[0]).collect()
    }
}

impl FromStr for FaultSpec {
    type Err = FaultSpecError;

    fn from_str(text: &str) -> Result<Self, FaultSpecError> {
        let mut spec = Self::default();
        let mut seen = Vec::new();
        for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) =
                part.split_once('=').ok_or_else(|| FaultSpecError::NoValue { part: part.to_owned() })?;
            let (name, value) = (name.trim(), value.trim());
            if seen.contains(&name) {
                return Err(FaultSpecError::Twice { name: name.to_owned() });
            }
            seen.push(name);
            let number = || value.parse().map_err(|_| FaultSpecError::Number { part: part.to_owned() });
            match name {
                "seed" => spec.seed = number()?,
                "retry-after" => spec.retry_after = Some(number()?),
                "delay" => {
                    let delay = duration(value);
                    spec.delay = delay.ok_or_else(|| FaultSpecError::Duration { part: part.to_owned() })?;
                }
                _ => {
                    let fault = Fault::parse(name)
                        .ok_or_else(|| FaultSpecError::Unknown { name: name.to_owned() })?;
                    let probability = value.parse().ok().filter(|value| (0.0..=1.0).contains(value));
                    let probability =
                        probability.ok_or_else(|| FaultSpecError::Probability { part: part.to_owned() })?;
                    spec.faults.insert(fault, probability);
                }
            }
        }
        let sum: f64 = spec.faults.values().sum();
        if sum > 1.0 + SLACK {
            return Err(FaultSpecError::Sum { sum: sum.to_string() });
        }
        Ok(spec)
    }
}

/// The text that is read back as the same faults.
impl fmt::Display for FaultSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (fault, probability) in &self.faults {
            write!(f, "{fault}={probability},")?;
        }
        if !self.delay.is_zero() {
            write!(f, "delay={}ms,", self.delay.as_millis())?;
        }
        if let Some(seconds) = self.retry_after {
            write!(f, "retry-after={seconds},")?;
        }
        write!(f, "seed={}", self.seed)
    }
}

fn duration(text: &str) -> Option<Duration> {
    let (digits, unit) = match text.strip_suffix("ms") {
        Some(digits) => (digits, 1),
        None => (text.strip_suffix('s')?, 1_000),
    };
    let millis = digits.parse::<u64>().ok()?.checked_mul(unit)?;
    Some(Duration::from_millis(millis)).filter(|delay| *delay <= LONGEST_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_part_and_what_to_write() {
        for (text, said) in [
            ("429", "`429` has no value"),
            ("429=x", "`429=x` is no probability"),
            ("429=NaN", "`429=NaN` is no probability"),
            ("429=-0.1", "`429=-0.1` is no probability"),
            ("200=0.1", "`200` is unknown"),
            ("0429=0.1", "`0429` is unknown"),
            ("slow=0.1", "`slow` is unknown"),
            ("cut=0.1,cut=0.2", "`cut` stands twice"),
            ("cut=0.6,html=0.6", "sum up to 1.2"),
            ("delay=5", "`delay=5` is no duration"),
            ("delay=2h", "`delay=2h` is no duration"),
            ("delay=3601s", "`delay=3601s` is no duration"),
            ("seed=-1", "`seed=-1` is no whole number"),
        ] {
            let error = text.parse::<FaultSpec>().unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_sum_of_one_is_a_fault_each_time() {
        let spec: FaultSpec = "429=0.1, 503=0.2, timeout=0.3, cut=0.4".parse().unwrap();
        let none = (0..10_000).filter(|n| spec.choose(*n).is_none()).count();
        assert!(none <= 1, "{none}");
        assert_eq!("".parse::<FaultSpec>().unwrap(), FaultSpec::default());
    }

    #[test]
    fn the_seed_changes_the_choice_and_nothing_else_does() {
        let chosen = |text: &str| -> Vec<Option<Fault>> {
            let spec: FaultSpec = text.parse().unwrap();
            (0..100).map(|n| spec.choose(n)).collect()
        };
        assert_eq!(chosen("cut=0.5;seed=1"), chosen("seed=1;cut=0.5,delay=1s"));
        assert_ne!(chosen("cut=0.5;seed=1"), chosen("cut=0.5;seed=2"));
    }
}
