//! [`Client`]: speaks to the three hosts of the service, and knows where its files are.

use leg_core::{Source, ToolContext, ToolError};
use serde_json::Value;

use super::deck::{DeckError, lines_with};
use super::wire::active::{self, ActiveStorm};
use super::wire::atcf::{self, Lines};
use super::wire::features::{self, Alert, ForecastPoint, Slot};
use super::wire::{advisory, hurdat2};
use super::{Track, TrackSource};
use crate::ServiceError;
use crate::arcgis::{Answer, Page};
use crate::question::storms::{StormId, known_name};
use crate::service::{Reply, Service};

/// The folder of the archives.
const ARCHIVES: &str = "data/hurdat";

/// Archives by ocean: the beginning of the name, and the name of 2025, for a directory page that does not come.
const ATLANTIC: (&str, &str) = ("hurdat2-1851-", "hurdat2-1851-2024-040425.txt");
const PACIFIC: (&str, &str) = ("hurdat2-nepac-1949-", "hurdat2-nepac-1949-2024-031725.txt");

/// The tropical map service.
const MAPS: &str = "tropical/rest/services/tropical/NHC_tropical_weather/MapServer";

/// Slots of storms in the order of the map service, five to a basin.
const BASINS: [&str; 3] = ["AT", "EP", "CP"];

/// Layers from one slot to the next, and those of the first slot: for a list of layers that does not come.
const STRIDE: u32 = 26;
const FIRST_POINTS: u32 = 6;
const FIRST_ALERTS: u32 = 9;

/// Speaks to the service.
#[derive(Debug, Clone)]
pub struct Client {
    pages: Service,
    decks: Service,
    maps: Service,
}

/// An ocean with an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ocean {
    Atlantic,
    Pacific,
}

impl Ocean {
    pub(crate) fn of(basin: &str) -> Self {
        if basin.eq_ignore_ascii_case("al") { Self::Atlantic } else { Self::Pacific }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Atlantic => "Atlantic",
            Self::Pacific => "Northeast and Central Pacific",
        }
    }

    const fn archive(self) -> (&'static str, &'static str) {
        match self {
            Self::Atlantic => ATLANTIC,
            Self::Pacific => PACIFIC,
        }
    }
}

/// What a slot of the map service shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LayerKind {
    Points,
    Alerts,
}

/// The layers of the map service by name, or a note that they are taken by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layers {
    names: Vec<(u32, String)>,
    pub(crate) sources: Vec<Source>,
    pub(crate) note: Option<String>,
}

impl Layers {
    /// The layer of a slot, such as `AT1`.
    fn id(&self, bin: &str, kind: LayerKind) -> Option<u32> {
        let words: &[&str] = match kind {
            LayerKind::Points => &["forecast", "points"],
            LayerKind::Alerts => &["watch", "warning"],
        };
        let is_it = |name: &str| {
            let lower = name.to_lowercase();
            let mut parts = lower.split(|c: char| !c.is_alphanumeric());
            parts.any(|part| part.eq_ignore_ascii_case(bin)) && words.iter().all(|word| lower.contains(word))
        };
        if let Some((id, _)) = self.names.iter().find(|(_, name)| is_it(name)) {
            return Some(*id);
        }
        let (basin, slot) = bin.split_at_checked(2)?;
        let basin = BASINS.iter().position(|own| basin.eq_ignore_ascii_case(own))?;
        let slot = slot.parse::<u32>().ok().filter(|slot| (1..=5).contains(slot))?;
        let place = u32::try_from(basin).ok()? * 5 + slot - 1;
        let first = match kind {
            LayerKind::Points => FIRST_POINTS,
            LayerKind::Alerts => FIRST_ALERTS,
        };
        Some(first + STRIDE * place)
    }
}

impl Client {
    /// A client for the web site, the ATCF files and the map service.
    pub const fn new(pages: Service, decks: Service, maps: Service) -> Self {
        Self { pages, decks, maps }
    }

    /// The host of the web site.
    pub(crate) fn pages_host(&self) -> &str {
        self.pages.host()
    }

    /// The host of the ATCF files.
    pub(crate) fn decks_host(&self) -> &str {
        self.decks.host()
    }

    /// The host of the map service.
    pub(crate) fn maps_host(&self) -> &str {
        self.maps.host()
    }

    /// The storms that are active, and how many entries were skipped.
    pub(crate) async fn active(
        &self,
        context: &ToolContext,
    ) -> Result<(Vec<ActiveStorm>, usize, Source), ServiceError> {
        let reply = self.pages.get(self.pages.at("CurrentStorms.json"), context).await?;
        let body: Value = reply.json()?;
        let (storms, skipped) =
            active::read(&body).ok_or_else(|| reply.unreadable("there is no list `activeStorms` in it"))?;
        Ok((storms, skipped, reply.source))
    }

    /// The archive of an ocean: all its storms.
    pub(crate) async fn archive(
        &self,
        ocean: Ocean,
        context: &ToolContext,
    ) -> Result<(Vec<Track>, Vec<Source>), ServiceError> {
        let (prefix, fallback) = ocean.archive();
        let mut sources = Vec::new();
        // The page only tells the newest name; without it the last known name is tried.
        let name = match self.pages.get(self.pages.at(ARCHIVES), context).await {
            Ok(page) => {
                let name = hurdat2::newest(&page.text(), prefix);
                sources.push(page.source);
                name
            }
            Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
            Err(_) => None,
        };
        let name = name.unwrap_or_else(|| fallback.to_owned());
        let reply = self.pages.get(self.pages.at(&format!("{ARCHIVES}/{name}")), context).await?;
        let text = reply.text();
        if text.trim_start().starts_with('<') {
            return Err(reply.unreadable("it is a page of HTML where rows of HURDAT2 are due"));
        }
        let tracks = hurdat2::read(&text);
        if tracks.is_empty() {
            return Err(
                reply.unreadable("there is no storm in it; HURDAT2 begins with a line such as `AL011851,`")
            );
        }
        sources.push(reply.source);
        Ok((tracks, sources))
    }

    /// The b-deck of a storm: that of the running season, then that of the archive.
    pub(crate) async fn best_track(
        &self,
        id: &StormId,
        context: &ToolContext,
    ) -> Result<(Track, Source), ServiceError> {
        let file = format!("b{}", id.to_string().to_lowercase());
        let (reply, text) = self.deck(&format!("atcf/btk/{file}.dat"), &file, id, "BEST", context).await?;
        let track = atcf::best_track(&text, id);
        if track.points.is_empty() {
            return Err(reply.unreadable("there is no line of a best track of the storm in it"));
        }
        Ok((track, reply.source))
    }

    /// The official forecasts of a storm out of its a-deck.
    pub(crate) async fn official(
        &self,
        id: &StormId,
        context: &ToolContext,
    ) -> Result<(Lines, Source), ServiceError> {
        let file = format!("a{}", id.to_string().to_lowercase());
        let (reply, text) =
            self.deck(&format!("atcf/aid_public/{file}.dat.gz"), &file, id, "OFCL", context).await?;
        Ok((atcf::read(&text, id, "OFCL"), reply.source))
    }

    async fn deck(
        &self,
        current: &str,
        file: &str,
        id: &StormId,
        technique: &str,
        context: &ToolContext,
    ) -> Result<(Reply, String), ServiceError> {
        let archived = format!("atcf/archive/{}/{file}.dat.gz", id.season);
        let reply = match self.decks.get(self.decks.at(current), context).await {
            Err(error) if error.is_missing() => {
                self.decks.get(self.decks.at(&archived), context).await.map_err(|error| {
                    if error.is_missing() {
                        ServiceError::NotFound(format!(
                            "there is no deck `{file}` of storm `{id}`; check the id with `nhc_search_storms`"
                        ))
                    } else {
                        error
                    }
                })?
            }
            other => other?,
        };
        let (bytes, word) = (reply.body.clone(), technique.to_owned());
        // Unpacking megabytes would hold up the runtime's thread.
        let lines = context
            .blocking(move |_| Ok::<_, ToolError>(lines_with(&bytes, &word)))
            .await
            .map_err(ServiceError::Tool)?;
        match lines {
            Ok(text) => Ok((reply, text)),
            Err(error @ DeckError::TooLarge) => Err(ServiceError::TooMuch(error.to_string())),
            Err(error) => Err(reply.unreadable(&error.to_string())),
        }
    }

    /// The layers of the map service.
    pub(crate) async fn layers(&self, context: &ToolContext) -> Result<Layers, ServiceError> {
        let url = self.maps.at(MAPS).with_query("f", "json");
        let reply = match self.maps.ask(url, context).await {
            Ok(reply) => reply,
            Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
            Err(error) => return Ok(Layers { note: Some(by_number(&error)), ..Layers::default() }),
        };
        let source = reply.source.clone();
        Ok(match Answer::read(reply) {
            Ok(Answer::Layers(names)) => Layers { names, sources: vec![source], note: None },
            Ok(_) => Layers {
                note: Some("the list of layers has none; layers are taken by number".to_owned()),
                ..Layers::default()
            },
            Err(error) => Layers { note: Some(by_number(&error)), ..Layers::default() },
        })
    }

    async fn layer(
        &self,
        layers: &Layers,
        bin: &str,
        kind: LayerKind,
        context: &ToolContext,
    ) -> Result<(Page, Source), ServiceError> {
        let id = layers.id(bin, kind).ok_or_else(|| {
            ServiceError::NotFound(format!(
                "the map service has no slot `{bin}`; slots are AT1 to AT5, EP1 to CP5"
            ))
        })?;
        let url = self
            .maps
            .at(&format!("{MAPS}/{id}/query"))
            .with_query("where", "1=1")
            .with_query("outFields", "*")
            .with_query("f", "json")
            .with_query("returnGeometry", "true");
        let reply = self.maps.ask(url, context).await?;
        let source = reply.source.clone();
        Ok((Answer::page(reply)?, source))
    }

    /// The forecast points of a storm in a slot.
    pub(crate) async fn points_in(
        &self,
        layers: &Layers,
        bin: &str,
        id: &StormId,
        context: &ToolContext,
    ) -> Result<(Slot<ForecastPoint>, Source), ServiceError> {
        let (page, source) = self.layer(layers, bin, LayerKind::Points, context).await?;
        Ok((features::forecast_points(&page, id, known_name(id)), source))
    }

    /// The watches and warnings of a storm in a slot.
    pub(crate) async fn alerts_in(
        &self,
        layers: &Layers,
        bin: &str,
        id: &StormId,
        context: &ToolContext,
    ) -> Result<(Slot<Alert>, Source), ServiceError> {
        let (page, source) = self.layer(layers, bin, LayerKind::Alerts, context).await?;
        Ok((features::alerts(&page, id, known_name(id)), source))
    }

    /// The slots that a storm of a basin may be in; one that crossed 140° W keeps its id and changes its slot.
    pub(crate) fn slots(id: &StormId) -> Vec<String> {
        let basins: &[&str] = match id.basin.as_str() {
            "al" => &["AT"],
            "ep" => &["EP", "CP"],
            _ => &["CP"],
        };
        basins.iter().flat_map(|basin| (1..=5).map(move |slot| format!("{basin}{slot}"))).collect()
    }

    /// The text of an archived product.
    pub(crate) async fn archived_text(
        &self,
        id: &StormId,
        product: &str,
        number: &str,
        context: &ToolContext,
    ) -> Result<(String, Source), ServiceError> {
        let small = id.to_string().to_lowercase();
        let folder = small.get(..4).unwrap_or_default();
        let (digits, letter) = number.split_at(number.trim_end_matches(|c: char| c.is_alphabetic()).len());
        let intermediate =
            if letter.is_empty() { String::new() } else { format!("_{}", letter.to_lowercase()) };
        let path =
            format!("archive/{}/{folder}/{small}.{product}{intermediate}.{digits:0>3}.shtml", id.season);
        let reply = self.pages.get(self.pages.at(&path), context).await.map_err(|error| {
            if error.is_missing() {
                ServiceError::NotFound(format!(
                    "there is no {product} advisory {number} of storm `{id}` in the archive; check the number"
                ))
            } else {
                error
            }
        })?;
        Self::text(reply)
    }

    /// The newest text of a product of a slot.
    pub(crate) async fn current_text(
        &self,
        bin: &str,
        product: &str,
        context: &ToolContext,
    ) -> Result<(String, Source), ServiceError> {
        let office = if bin.starts_with("CP") { "HFO" } else { "MIA" };
        let kind = match product {
            "fstadv" => "TCM",
            "discus" => "TCD",
            "wndprb" => "PWS",
            _ => "TCP",
        };
        let path = format!("text/{office}{kind}{bin}.shtml");
        let reply = self.pages.get(self.pages.at(&path), context).await?;
        Self::text(reply)
    }

    fn text(reply: Reply) -> Result<(String, Source), ServiceError> {
        match advisory::text_of(&reply.text()) {
            Some(text) => Ok((text, reply.source)),
            None => Err(reply.unreadable("there is no `<pre>` with the text of an advisory in it")),
        }
    }

    /// A track from the source that is asked for; without one, HURDAT2 when it has the storm, else the b-deck. What was not
    /// reached is said in a note.
    pub(crate) async fn track(
        &self,
        id: &StormId,
        source: Option<TrackSource>,
        context: &ToolContext,
    ) -> Result<(Track, Vec<Source>, Vec<String>), ServiceError> {
        let mut notes = Vec::new();
        let mut sources = Vec::new();
        let mut failure = None;
        if source != Some(TrackSource::BDeck) {
            match self.archive(Ocean::of(&id.basin), context).await {
                Ok((tracks, own)) => {
                    sources.extend(own);
                    if let Some(track) =
                        tracks.into_iter().find(|track| track.id == *id && !track.points.is_empty())
                    {
                        return Ok((track, sources, notes));
                    }
                    if source == Some(TrackSource::Hurdat2) {
                        return Err(ServiceError::NotFound(format!(
                            "HURDAT2 has no storm `{id}`; use the source `bdeck`, or find the id with `nhc_search_storms`"
                        )));
                    }
                    notes.push(format!("HURDAT2 does not have storm `{id}`: its track is the b-deck"));
                }
                Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
                Err(error) if source == Some(TrackSource::Hurdat2) => return Err(error),
                Err(error) => {
                    notes.push(format!(
                        "HURDAT2 could not be read ({error}): the track of `{id}` is the b-deck"
                    ));
                    failure = Some(error);
                }
            }
        }
        match self.best_track(id, context).await {
            Ok((track, own)) => {
                sources.push(own);
                Ok((track, sources, notes))
            }
            // That there is no deck says less than that the archive could not be read.
            Err(error) if error.is_missing() => Err(failure.unwrap_or(error)),
            Err(error) => Err(error),
        }
    }
}

fn by_number(error: &ServiceError) -> String {
    format!("the list of layers did not come ({error}); layers are taken by number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_found_by_name_and_else_by_number() {
        let names = vec![
            (0, "NHC".to_owned()),
            (41, "AT2 Forecast Points".to_owned()),
            (44, "AT2 Watch-Warning".to_owned()),
        ];
        let named = Layers { names, ..Layers::default() };
        assert_eq!(
            (named.id("AT2", LayerKind::Points), named.id("AT2", LayerKind::Alerts)),
            (Some(41), Some(44))
        );
        let none = Layers::default();
        assert_eq!(none.id("AT1", LayerKind::Points), Some(6));
        assert_eq!(none.id("EP2", LayerKind::Alerts), Some(9 + 26 * 6));
        assert_eq!(none.id("XX1", LayerKind::Points), None);
        assert_eq!(none.id("é1", LayerKind::Points), None);
        assert_eq!(Client::slots(&"EP012020".parse().unwrap()).len(), 10);
    }
}
