//! [`Fields`]: the levels on the mesh, of which only the chunks that are needed are read.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use jiff::civil::DateTime;
use leg_core::{Digest, Domain};
use ocean_data::dataset::{RangedReader, Store, Window};

use super::mesh::Mesh;
use super::model::Model;
use super::points::{half_turn, index, level, times_of, variable};
use super::ranges::{Kept, Log, Logged, Port, Triangles};

/// The most nodes, triangles and times, against hostile files; the real mesh has 12.8 and 24.9 million.
const MAX_NODES: usize = 30_000_000;
const MAX_TRIANGLES: usize = 60_000_000;
const MAX_TIMES: usize = 10_000;
/// The most chunks that one answer reads.
const MAX_CHUNKS: usize = 20_000;

/// A file of fields.
pub(crate) struct Fields {
    key: String,
    references: Arc<(Bytes, Log)>,
    port: Arc<Port>,
    kept: Arc<Kept>,
    store: Box<dyn Store>,
    zeta: usize,
    /// Nodes in a chunk.
    chunk: usize,
    pub(crate) nodes: usize,
    pub(crate) elements: usize,
    /// Empty for a file of maxima.
    pub(crate) times: Vec<DateTime>,
    /// What the answer rests on so far.
    log: Log,
}

impl Fields {
    /// Opens a file by its references: those beside it, or those that are made from its headers; `None` when there is no file.
    pub(crate) fn open(key: &str, port: &Arc<Port>, kept: &Arc<Kept>) -> Result<Option<Self>, String> {
        let mut gone = false;
        let references = kept.references(key, || {
            let own = port.fresh();
            if let Some(beside) = own.whole(&beside(key))?
                && RangedReader::new(own.fresh()).open(&beside, key, |url| locate(key, url)).is_ok()
            {
                return Ok((beside, own.log()));
            }
            let own = port.fresh();
            let made = RangedReader::new(Arc::<Port>::clone(&own)).references(key).map_err(|error| {
                gone = matches!(error, ocean_data::dataset::OpenError::NotFound { .. });
                error.to_string()
            })?;
            Ok((Bytes::from(made.to_string()), own.log()))
        });
        let references = match references {
            Err(_) if gone => return Ok(None),
            other => other?,
        };
        let own = port.fresh();
        let store = RangedReader::new(Arc::<Port>::clone(&own))
            .open(&references.0, key, |url| locate(key, url))
            .map_err(|error| error.to_string())?;
        let zeta = index(store.as_ref(), "zeta").or_else(|_| index(store.as_ref(), "zeta_max"))?;
        let levels = variable(store.as_ref(), zeta)?;
        let nodes = levels.shape().last().copied().unwrap_or(0);
        let chunk = levels.chunk_shape.last().copied().unwrap_or(nodes).max(1);
        let element = index(store.as_ref(), "element").and_then(|at| variable(store.as_ref(), at));
        let elements = element.map_or(0, |own| own.shape().first().copied().unwrap_or(0));
        if nodes == 0 || nodes > MAX_NODES || elements > MAX_TRIANGLES {
            return Err(format!("a mesh of {nodes} nodes and {elements} triangles is not read"));
        }
        let times = match levels.dimensions.len() {
            // A station file has levels too, but no mesh.
            2 if elements == 0 => {
                return Err("it has no triangles, so that it is no file of fields".to_owned());
            }
            2 if levels.shape().first().is_none_or(|times| *times > MAX_TIMES) => {
                return Err(format!("its levels have more than {MAX_TIMES} times"));
            }
            2 => times_of(store.as_ref())?,
            1 => Vec::new(),
            rank => return Err(format!("its levels have {rank} dimensions instead of time and node")),
        };
        if levels.dimensions.len() == 2 && levels.shape().first() != Some(&times.len()) {
            return Err("its times and levels are of different lengths".to_owned());
        }
        let mut log = references.1.clone();
        log.add(&own.log());
        let (port, kept) = (own, Arc::clone(kept));
        Ok(Some(Self {
            key: key.to_owned(),
            references,
            port,
            kept,
            store,
            zeta,
            chunk,
            nodes,
            elements,
            times,
            log,
        }))
    }

    /// What the answer rests on.
    pub(crate) fn log(&self) -> Log {
        let mut log = self.log.clone();
        log.add(&self.port.log());
        log
    }

    /// The file of maxima beside this one, if there is one of the same mesh.
    pub(crate) fn maxima(&mut self) -> Result<Option<Self>, String> {
        let key = format!("{}.maxele.nc", self.key.strip_suffix(".nc").unwrap_or(&self.key));
        let (port, kept) = (Arc::clone(&self.port), Arc::clone(&self.kept));
        let found = Self::open(&key, &port, &kept)?;
        Ok(found.filter(|own| own.nodes == self.nodes && own.times.is_empty()))
    }

    /// Adds what an answer from another file rests on.
    pub(crate) fn rest_on(&mut self, other: &Self) {
        self.log.add(&other.log());
    }

    /// The same file with a log of its own, for what is kept.
    fn apart(&self) -> Result<(Box<dyn Store>, Arc<Port>), String> {
        let own = self.port.fresh();
        let reader = RangedReader::new(Arc::<Port>::clone(&own));
        let store = reader.open(&self.references.0, &self.key, |url| locate(&self.key, url));
        Ok((store.map_err(|error| error.to_string())?, own))
    }

    /// The version of the mesh: its sizes and the first chunk of its coordinates. The mesh is the same in each cycle.
    fn version(&self) -> Result<Digest, String> {
        let mut text = format!("{} {}", self.nodes, self.elements).into_bytes();
        for name in ["x", "y"] {
            let window = Window { start: vec![0], shape: vec![self.chunk.min(self.nodes)] };
            for value in Self::read(self.store.as_ref(), name, &window)? {
                text.extend_from_slice(&value.to_le_bytes());
            }
        }
        Ok(Digest::of(Domain::Chunk, &text))
    }

    /// The nodes.
    pub(crate) fn mesh(&mut self) -> Result<Logged<Mesh>, String> {
        let version = self.version()?;
        let mesh = Arc::clone(&self.kept).mesh(version, || {
            let (store, port) = self.apart()?;
            let all = Window { start: vec![0], shape: vec![self.nodes] };
            let lon = Self::read(store.as_ref(), "x", &all)?.into_iter().map(half_turn).collect();
            let lat = Self::read(store.as_ref(), "y", &all)?;
            Ok((Mesh { lon, lat }, port.log()))
        })?;
        self.log.add(&mesh.1);
        Ok(mesh)
    }

    /// The triangles, their nodes counted from 0.
    pub(crate) fn triangles(&mut self) -> Result<Logged<Triangles>, String> {
        let version = self.version()?;
        let triangles = Arc::clone(&self.kept).triangles(version, || {
            let (store, port) = self.apart()?;
            let at = index(store.as_ref(), "element")?;
            let own = variable(store.as_ref(), at)?;
            if own.shape() != [self.elements, 3] {
                return Err("its `element` is no list of triangles".to_owned());
            }
            let rows = own.chunk_shape.first().copied().unwrap_or(self.elements).max(1);
            let mut all = Vec::with_capacity(self.elements);
            for start in (0..self.elements).step_by(rows) {
                let window =
                    Window { start: vec![start, 0], shape: vec![rows.min(self.elements - start), 3] };
                let numbers = Self::read(store.as_ref(), "element", &window)?;
                for corners in numbers.chunks_exact(3) {
                    let mut triangle = [0; 3];
                    for (own, number) in triangle.iter_mut().zip(corners) {
                        *own = self.node(*number)?;
                    }
                    all.push(triangle);
                }
            }
            Ok((all, port.log()))
        })?;
        self.log.add(&triangles.1);
        Ok(triangles)
    }

    /// A node counted from 0, from its number in the file.
    fn node(&self, number: f64) -> Result<u32, String> {
        let fits = number >= 1.0 && number <= self.nodes as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number is within bounds"
        )]
        let node = (number - 1.0) as u32;
        if fits { Ok(node) } else { Err(format!("a triangle names node {number} of {}", self.nodes)) }
    }

    /// The depth of a node, m below the geoid.
    pub(crate) fn depth(&self, node: usize) -> Option<f64> {
        let window = Window { start: vec![node], shape: vec![1] };
        Self::read(self.store.as_ref(), "depth", &window)
            .ok()?
            .first()
            .copied()
            .filter(|depth| depth.is_finite())
    }

    /// All levels at a node; `None` where it is dry.
    pub(crate) fn column(&self, node: usize) -> Result<Vec<Option<f64>>, String> {
        let window = Window { start: vec![0, node], shape: vec![self.times.len(), 1] };
        let block = self.store.read(self.zeta, &window).map_err(|error| error.to_string())?;
        Ok(block.values.iter().map(|value| level(*value)).collect())
    }

    /// The levels of some nodes, in rising order, at a step, or in a file of maxima; `None` where they are dry.
    pub(crate) fn step(&self, step: Option<usize>, nodes: &[usize]) -> Result<Vec<Option<f64>>, String> {
        let mut found = Vec::with_capacity(nodes.len());
        for own in nodes.chunk_by(|a, b| a / self.chunk == b / self.chunk) {
            let Some(start) = own.first().map(|node| node / self.chunk * self.chunk) else { continue };
            let length = self.chunk.min(self.nodes - start);
            let window = match step {
                Some(step) => Window { start: vec![step, start], shape: vec![1, length] },
                None => Window { start: vec![start], shape: vec![length] },
            };
            let block = self.store.read(self.zeta, &window).map_err(|error| error.to_string())?;
            let values: Vec<f64> = block.values.iter().copied().collect();
            found.extend(own.iter().map(|node| values.get(node - start).copied().and_then(level)));
        }
        Ok(found)
    }

    /// The highest level of some nodes over all steps, and when.
    pub(crate) fn highest(&self, nodes: &[usize]) -> Result<Vec<Option<(f64, usize)>>, String> {
        let chunks = nodes.chunk_by(|a, b| a / self.chunk == b / self.chunk).count();
        if chunks.saturating_mul(self.times.len()) > MAX_CHUNKS {
            return Err(format!(
                "the maximum over {} steps of this box needs more than {MAX_CHUNKS} chunks; ask for a smaller box, or for \
                 one lead hour",
                self.times.len()
            ));
        }
        let mut highest: Vec<Option<(f64, usize)>> = vec![None; nodes.len()];
        for step in 0..self.times.len() {
            for (best, level) in highest.iter_mut().zip(self.step(Some(step), nodes)?) {
                if let Some(level) = level
                    && best.is_none_or(|(own, _)| level > own)
                {
                    *best = Some((level, step));
                }
            }
        }
        Ok(highest)
    }

    fn read(store: &dyn Store, name: &str, window: &Window) -> Result<Vec<f64>, String> {
        let at = index(store, name)?;
        let shape = variable(store, at)?.shape();
        let fits = shape.len() == window.start.len()
            && window
                .start
                .iter()
                .zip(&window.shape)
                .zip(&shape)
                .all(|((start, own), all)| start + own <= *all);
        if !fits {
            return Err(format!("`{name}` does not fit the mesh"));
        }
        let block = store.read(at, window).map_err(|error| error.to_string())?;
        Ok(block.values.iter().copied().collect())
    }
}

/// Where the references of a file lie beside it.
fn beside(key: &str) -> String {
    format!("{}.refs.json", key.strip_suffix(".nc").unwrap_or(key))
}

/// The key of a file that references name. They may name files of their own bucket only.
fn locate(key: &str, url: &str) -> Result<String, String> {
    let refused = || {
        format!(
            "the references name `{}`, which is not in the bucket",
            url.chars().take(80).collect::<String>()
        )
    };
    let path = match url.split_once("://") {
        // The bucket, or the host that serves it, is the first part.
        Some(("s3" | "https" | "http", rest)) => {
            let (host, path) = rest.split_once('/').ok_or_else(refused)?;
            let own = ["noaa-gestofs-pds", "noaa-nos-stofs3d-pds"];
            own.iter()
                .find(|bucket| host.split('.').next() == Some(*bucket))
                .map(|_| path)
                .ok_or_else(refused)?
        }
        Some(_) => return Err(refused()),
        None => url,
    };
    if path.starts_with('/')
        || path.split('/').any(|part| part == ".." || part == ".")
        || path.contains(['?', '#', '\\'])
    {
        return Err(refused());
    }
    let from_root =
        [Model::Global2d, Model::Atlantic3d].iter().any(|model| path.starts_with(model.folder_prefix()))
            && path.contains('/');
    let folder = key.rsplit_once('/').map_or("", |(folder, _)| folder);
    Ok(if from_root || folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") })
}

/// How many values there are, by what they are: for a step of a map.
pub(crate) fn extremes(values: &[(usize, f64)]) -> Option<((usize, f64), (usize, f64))> {
    let first = values.first()?;
    let max = values.iter().fold(first, |best, next| if next.1 > best.1 { next } else { best });
    let min = values.iter().fold(first, |best, next| if next.1 < best.1 { next } else { best });
    Some((*min, *max))
}

/// The triangles of which all corners are among some nodes, by the places of those nodes.
pub(crate) fn triangles_of(triangles: &[[u32; 3]], nodes: &[usize]) -> Vec<[usize; 3]> {
    let places: BTreeMap<usize, usize> =
        nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
    let place = |node: u32| places.get(&usize::try_from(node).ok()?).copied();
    triangles.iter().filter_map(|[a, b, c]| Some([place(*a)?, place(*b)?, place(*c)?])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_name_files_of_the_bucket_only() {
        let key = "stofs_2d_glo.20220928/a.nc";
        for (url, expected) in [
            ("b.nc", Some("stofs_2d_glo.20220928/b.nc")),
            ("stofs_2d_glo.20220928/b.nc", Some("stofs_2d_glo.20220928/b.nc")),
            ("s3://noaa-gestofs-pds/x/b.nc", Some("stofs_2d_glo.20220928/x/b.nc")),
            ("https://noaa-gestofs-pds.s3.amazonaws.com/stofs_2d_glo.1/b.nc", Some("stofs_2d_glo.1/b.nc")),
            ("https://elsewhere.example/b.nc", None),
            ("file:///etc/passwd", None),
            ("/etc/passwd", None),
            ("../b.nc", None),
            ("b.nc?x=1", None),
        ] {
            assert_eq!(locate(key, url).ok().as_deref(), expected, "{url}");
        }
        assert_eq!(beside(key), "stofs_2d_glo.20220928/a.refs.json");
    }

    #[test]
    fn triangles_are_cut_to_their_nodes() {
        let all = [[0, 1, 2], [1, 2, 3], [2, 3, 4]];
        assert_eq!(triangles_of(&all, &[1, 2, 3]), [[0, 1, 2]]);
        assert_eq!(extremes(&[(4, 1.0), (5, 3.0), (6, 3.0), (7, -1.0)]), Some(((7, -1.0), (5, 3.0))));
        assert_eq!(extremes(&[]), None);
    }
}
