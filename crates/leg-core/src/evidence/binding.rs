//! Which place and which time of a sentence belongs to which of its numbers.

use std::collections::BTreeMap;

use super::tokens::Token;

/// Names or dates that stand together and speak of one thing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// Its first token and its last.
    pub first: usize,
    pub last: usize,
    /// Its members, in the list that it was made from.
    pub members: Vec<usize>,
}

/// The groups that belong to each number, by the number's token.
///
/// One group belongs to the numbers of its own clause. Of several, the order decides: names first and then as many
/// numbers are told one by one ("A was higher than B: 2.2 m against 1.9 m"); else a number belongs to the group of its
/// clause, and without one to the group that comes before it, or after it where the sentence begins with a number.
pub(crate) fn bind(tokens: &[Token], numbers: &[usize], groups: &[Group]) -> BTreeMap<usize, Vec<usize>> {
    let mut bound = BTreeMap::new();
    let clause = |token: usize| tokens.get(token).map_or(0, |token| token.clause);
    let spans =
        |group: &Group, number: usize| (clause(group.first)..=clause(group.last)).contains(&clause(number));
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return bound };
    let (Some(&first_number), Some(&last_number)) = (numbers.first(), numbers.last()) else { return bound };
    if groups.len() == 1 {
        for &number in numbers.iter().filter(|&&number| spans(first, number)) {
            bound.insert(number, vec![0]);
        }
        return bound;
    }
    let told_first = last.last < first_number && numbers.len() >= groups.len();
    let told_last = last_number < first.first && numbers.len() == groups.len();
    if told_first || told_last {
        for (group, &number) in numbers.iter().enumerate().take(groups.len()) {
            bound.insert(number, vec![group]);
        }
        return bound;
    }
    // Both lists are in order, so that the neighbours of a number are found without a search through all.
    let after = |number: usize| groups.partition_point(|group| group.first < number);
    let begins_with_number = first_number < first.first;
    for &number in numbers {
        let next = after(number);
        let near = next.saturating_sub(8)..(next + 8).min(groups.len());
        let own: Vec<usize> =
            near.filter(|&at| groups.get(at).is_some_and(|group| spans(group, number))).collect();
        // Clauses are numbered in order, so the numbers of one stand side by side.
        let head = numbers.partition_point(|&other| clause(other) < clause(number));
        let is_alone = numbers.get(head + 1).is_none_or(|&other| clause(other) != clause(number));
        let before = next.checked_sub(1);
        let found = match own.as_slice() {
            [] if begins_with_number => Some(next).filter(|next| *next < groups.len()).or(before),
            [] => before,
            [only] => Some(*only),
            [..] if is_alone => {
                bound.insert(number, own);
                continue;
            }
            [front, .., tail] => {
                let leads = groups
                    .get(*front)
                    .is_some_and(|group| numbers.get(head).is_some_and(|&one| one < group.first));
                if leads { Some(next.min(*tail)) } else { before }
            }
        };
        if let Some(group) = found {
            bound.insert(number, vec![group]);
        }
    }
    bound
}
