//! [`Journal`]: which chunks of a copy are written, so that a copy that was stopped goes on.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::error::WriteError;

/// The name of the journal in the growing folder.
const NAME: &str = ".progress";

/// Lines `array first last fill`: the chunks from first to last of an array are written, and whether a value was met that
/// only the source's format calls missing. A line is added when its chunks are complete; a torn last line counts for nothing.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    done: BTreeMap<usize, BTreeSet<usize>>,
    fills: BTreeSet<usize>,
}

impl Journal {
    /// Opens the journal of a folder, or begins one.
    pub(super) fn open(folder: &Path) -> Result<Self, WriteError> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(WriteError::io(path, error)),
        };
        let (mut done, mut fills) = (BTreeMap::<usize, BTreeSet<usize>>::new(), BTreeSet::new());
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for line in whole.lines() {
            let numbers: Vec<usize> = line.split(' ').map_while(|word| word.parse().ok()).collect();
            let [array, first, last, fill] = numbers[..] else { continue };
            done.entry(array).or_default().extend(first..=last);
            if fill > 0 {
                fills.insert(array);
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let mut file = file.map_err(|error| WriteError::io(&path, error))?;
        if whole.len() + 1 < text.len() {
            // What follows a torn line begins on a line of its own.
            file.write_all(b"\n").map_err(|error| WriteError::io(&path, error))?;
        }
        Ok(Self { path, file, done, fills })
    }

    /// Whether a chunk of an array is written.
    pub(super) fn has(&self, array: usize, chunk: usize) -> bool {
        self.done.get(&array).is_some_and(|chunks| chunks.contains(&chunk))
    }

    /// How many chunks are written.
    pub(super) fn len(&self) -> usize {
        self.done.values().map(BTreeSet::len).sum()
    }

    /// Whether the written chunks of an array hold a value that only the format calls missing.
    pub(super) fn has_fill(&self, array: usize) -> bool {
        self.fills.contains(&array)
    }

    /// Adds chunks of an array that are written.
    pub(super) fn add(&mut self, array: usize, chunks: &[usize], fill: bool) -> Result<(), WriteError> {
        let line = |run: &[usize]| format!("{array} {} {} {}\n", run[0], run[run.len() - 1], u8::from(fill));
        let text: String = chunks.chunk_by(|a, b| a + 1 == *b).map(line).collect();
        self.file.write_all(text.as_bytes()).map_err(|error| WriteError::io(&self.path, error))
    }

    /// Ends the journal: the store is whole.
    pub(super) fn remove(self) -> Result<(), WriteError> {
        fs::remove_file(&self.path).map_err(|error| WriteError::io(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_counts_for_nothing() {
        let home = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(home.path()).unwrap();
        journal.add(2, &[0, 1, 2, 5], false).unwrap();
        journal.add(3, &[7], true).unwrap();
        drop(journal);
        let path = home.path().join(NAME);
        let mut text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "2 0 2 0\n2 5 5 0\n3 7 7 1\n");
        text.push_str("3 8 1");
        fs::write(&path, text).unwrap();
        let mut journal = Journal::open(home.path()).unwrap();
        journal.add(4, &[1], false).unwrap();
        let journal = Journal::open(home.path()).unwrap();
        assert_eq!(journal.len(), 6);
        assert!(journal.has(2, 5) && !journal.has(2, 3) && journal.has(3, 7) && !journal.has(3, 8));
        assert!(journal.has(4, 1) && journal.has_fill(3) && !journal.has_fill(2));
        journal.remove().unwrap();
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}
