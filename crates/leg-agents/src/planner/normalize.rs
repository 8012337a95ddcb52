//! One spelling for all questions: ASCII, lower case, one kind of dash.

/// Longer questions are cut; nobody asks in more words.
const MAX_CHARS: usize = 4_000;

/// Rewrites a question in ASCII: small letters, `-` for every dash, no degree signs, plain digits.
///
/// ```
/// use leg_agents::planner::normalize;
///
/// assert_eq!(normalize("Niño 3.4, 113–117°E → N²"), "nino 3.4, 113-117e to n2");
/// ```
pub fn normalize(question: &str) -> String {
    let mut out = String::with_capacity(question.len());
    for c in question.chars().take(MAX_CHARS) {
        match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => out.push('-'),
            '°' | 'º' | '˚' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            '→' | '⇒' | '➔' => out.push_str("to"),
            '×' => out.push('x'),
            '…' => out.push_str(".."),
            '’' | '‘' | '′' | '`' => out.push('\''),
            '“' | '”' | '″' => out.push('"'),
            'à'..='å' | 'À'..='Å' | 'ā' | 'ă' => out.push('a'),
            'æ' | 'Æ' => out.push_str("ae"),
            'ç' | 'Ç' | 'č' | 'ć' => out.push('c'),
            'è'..='ë' | 'È'..='Ë' | 'ē' | 'ě' => out.push('e'),
            'ì'..='ï' | 'Ì'..='Ï' | 'ī' => out.push('i'),
            'ñ' | 'Ñ' | 'ń' => out.push('n'),
            'ò'..='ö' | 'ø' | 'Ò'..='Ö' | 'Ø' | 'ō' | 'ő' => out.push('o'),
            'š' | 'Š' | 'ś' => out.push('s'),
            'ù'..='ü' | 'Ù'..='Ü' | 'ū' | 'ů' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ß' => out.push_str("ss"),
            '₀'..='₉' => out.push(digit(c, '₀')),
            '⁰' | '⁴'..='⁹' => out.push(digit(c, '⁰')),
            '¹' => out.push('1'),
            '²' => out.push('2'),
            '³' => out.push('3'),
            '０'..='９' => out.push(digit(c, '０')),
            // `~` marks what was understood already.
            '~' => out.push(' '),
            c if c.is_ascii() && !c.is_ascii_control() => out.push(c.to_ascii_lowercase()),
            _ => out.push(' '),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn digit(c: char, zero: char) -> char {
    u32::from(c).checked_sub(u32::from(zero)).and_then(|n| char::from_digit(n, 10)).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::normalize;

    #[test]
    fn one_spelling_for_all() {
        for (given, expected) in [
            ("Hovmöller", "hovmoller"),
            ("O₂ and N²", "o2 and n2"),
            ("19\u{a0}–\u{a0}22 °N", "19 - 22 n"),
            ("El Niño\u{2019}s", "el nino's"),
            ("−94 → −90", "-94 to -90"),
            ("a~b", "a b"),
            ("２０１５", "2015"),
        ] {
            assert_eq!(normalize(given), expected);
        }
    }

    proptest! {
        #[test]
        fn the_outcome_is_ascii_and_settled(text in any::<String>()) {
            let once = normalize(&text);
            prop_assert!(once.is_ascii());
            prop_assert_eq!(normalize(&once), once);
        }
    }
}
