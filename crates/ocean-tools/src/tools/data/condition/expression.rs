//! [`Expression`]: what a condition says.

/// A number or a truth, made of fields.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::tools::data) enum Expression {
    /// A number, in the units of what it meets.
    Number(f64),
    /// The value of a field, by position in the list of names.
    Field(usize),
    /// A statistic of a field along an axis, by position in the list of statistics.
    Statistic(usize),
    /// The other sign.
    Negative(Box<Expression>),
    /// Without its sign.
    Absolute(Box<Expression>),
    /// Whether there is a value.
    IsFinite(Box<Expression>),
    /// Two numbers.
    Arithmetic(Operator, Box<Expression>, Box<Expression>),
    /// Whether two numbers compare.
    Comparison(Relation, Box<Expression>, Box<Expression>),
    /// Whether something is not.
    Not(Box<Expression>),
    /// Whether both are.
    And(Box<Expression>, Box<Expression>),
    /// Whether one is.
    Or(Box<Expression>, Box<Expression>),
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools::data) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// A comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools::data) enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// What stands for a field along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tools::data) struct Statistic {
    /// The field, by position in the list of names.
    pub(in crate::tools::data) field: usize,
    /// The percentile from 0 to 100; the mean if absent.
    pub(in crate::tools::data) percentile: Option<f64>,
    /// The axis.
    pub(in crate::tools::data) along: Along,
}

/// An axis of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools::data) enum Along {
    Time,
    Depth,
    Lat,
    Lon,
}

impl Along {
    /// Its position in `(time, depth, lat, lon)`.
    pub(in crate::tools::data) fn position(self) -> usize {
        match self {
            Self::Time => 0,
            Self::Depth => 1,
            Self::Lat => 2,
            Self::Lon => 3,
        }
    }

    pub(in crate::tools::data) fn from_name(name: &str) -> Option<Self> {
        match name {
            "time" => Some(Self::Time),
            "depth" => Some(Self::Depth),
            "lat" => Some(Self::Lat),
            "lon" => Some(Self::Lon),
            _ => None,
        }
    }
}

impl Expression {
    /// Whether it is a truth and no number.
    pub(in crate::tools::data) fn is_truth(&self) -> bool {
        matches!(self, Self::IsFinite(_) | Self::Comparison(..) | Self::Not(_) | Self::And(..) | Self::Or(..))
    }
}
