//! Paths of water in a current on the sphere.
//!
//! Runge and Kutta's method of fourth order in longitude and latitude; the current is bilinear between cell centres and
//! linear in time. A dry corner of a cell counts as still water, so that paths slow down beside a coast.
//!
//! # Source
//! Döös et al. (2017), Geosci. Model Dev. 10, 1733–1749, for the method and its accuracy; Haller (2015), Annu. Rev. Fluid
//! Mech. 47, 137–162, for the finite-time Lyapunov exponent.

use ndarray::{Array3, ArrayView3, Axis};

use super::sphere::{EARTH_RADIUS, RADIANS, near_longitude};

/// A current `(time, lat, lon)` in metres a second on a rectangular grid.
#[derive(Debug, Clone)]
pub struct Current {
    seconds: Vec<f64>,
    lat: Vec<f64>,
    lon: Vec<f64>,
    u: Array3<f64>,
    v: Array3<f64>,
    /// Width of the gap from the last longitude round to the first, in degrees, where the grid closes.
    gap: Option<f64>,
}

/// What became of a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It moves.
    Afloat,
    /// It came to where the nearest cell is dry.
    Beached,
    /// It left the grid.
    Gone,
}

/// A particle: longitude, latitude and what became of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Longitude in degrees, running on over the date line.
    pub lon: f64,
    /// Latitude in degrees.
    pub lat: f64,
    /// What became of it.
    pub state: State,
}

impl Particle {
    /// A particle that moves.
    pub fn at(lon: f64, lat: f64) -> Self {
        Self { lon, lat, state: State::Afloat }
    }
}

impl Current {
    /// A current at times in seconds, at latitudes and longitudes in degrees that rise or fall.
    pub fn new(
        seconds: &[f64],
        lat: &[f64],
        lon: &[f64],
        u: &ArrayView3<'_, f64>,
        v: &ArrayView3<'_, f64>,
        wrap: bool,
    ) -> Self {
        let mut own = Self {
            seconds: seconds.to_vec(),
            lat: lat.to_vec(),
            lon: lon.to_vec(),
            u: u.to_owned(),
            v: v.to_owned(),
            gap: None,
        };
        if lat.first() > lat.last() {
            own.lat.reverse();
            own.u.invert_axis(Axis(1));
            own.v.invert_axis(Axis(1));
        }
        if lon.first() > lon.last() {
            own.lon.reverse();
            own.u.invert_axis(Axis(2));
            own.v.invert_axis(Axis(2));
        }
        let n = own.lon.len();
        if wrap && n > 2 {
            let step = (own.lon[n - 1] - own.lon[0]) / (n - 1) as f64;
            let gap = own.lon[0] + 360.0 - own.lon[n - 1];
            own.gap = ((gap - step).abs() < 0.01 * step).then_some(gap);
        }
        own
    }

    /// The current at a time and place, or what a particle there becomes.
    fn at(&self, second: f64, lon: f64, lat: f64) -> Result<[f64; 2], State> {
        let (y, north) = between(&self.lat, lat).ok_or(State::Gone)?;
        let n = self.lon.len();
        let middle = f64::midpoint(self.lon[0], self.lon[n - 1]);
        let own = near_longitude(lon, middle);
        let (x, next, east) = match (between(&self.lon, own), self.gap) {
            (Some((x, share)), _) => (x, x + 1, share),
            (None, Some(gap)) => {
                let after = (own - self.lon[n - 1]).rem_euclid(360.0);
                (n - 1, 0, (after / gap).min(1.0))
            }
            (None, None) => return Err(State::Gone),
        };
        let nearest = (if north < 0.5 { y } else { y + 1 }, if east < 0.5 { x } else { next });
        let (t, later) = if self.seconds.len() == 1 {
            (0, 0.0)
        } else {
            between(&self.seconds, second).ok_or(State::Gone)?
        };
        let corners = [
            (y, x, (1.0 - north) * (1.0 - east)),
            (y, next, (1.0 - north) * east),
            (y + 1, x, north * (1.0 - east)),
            (y + 1, next, north * east),
        ];
        if self.u[[t, nearest.0, nearest.1]].is_nan() {
            return Err(State::Beached);
        }
        let value = |component: &Array3<f64>| {
            let at = |t: usize| {
                corners.iter().fold(0.0, |sum, (y, x, weight)| {
                    let value = component[[t, *y, *x]];
                    if value.is_nan() { sum } else { sum + weight * value }
                })
            };
            if later > 0.0 { (1.0 - later) * at(t) + later * at(t + 1) } else { at(t) }
        };
        Ok([value(&self.u), value(&self.v)])
    }

    /// The particle after a step of so many seconds, backwards when they are negative.
    pub fn step(&self, particle: Particle, second: f64, length: f64) -> Particle {
        if particle.state != State::Afloat {
            return particle;
        }
        let speed = |second: f64, lon: f64, lat: f64| {
            self.at(second, lon, lat).map(|[u, v]| {
                let degrees = 1.0 / (EARTH_RADIUS * RADIANS);
                [u * degrees / libm::cos(lat * RADIANS), v * degrees]
            })
        };
        let (lon, lat, half) = (particle.lon, particle.lat, 0.5 * length);
        let end = || -> Result<[f64; 2], State> {
            let a = speed(second, lon, lat)?;
            let b = speed(second + half, lon + half * a[0], lat + half * a[1])?;
            let c = speed(second + half, lon + half * b[0], lat + half * b[1])?;
            let d = speed(second + length, lon + length * c[0], lat + length * c[1])?;
            let mean = |at: usize| (a[at] + 2.0 * b[at] + 2.0 * c[at] + d[at]) / 6.0;
            Ok([lon + length * mean(0), lat + length * mean(1)])
        };
        match end() {
            Ok([lon, lat]) => Particle { lon, lat, ..particle },
            Err(state) => Particle { state, ..particle },
        }
    }

    /// Whether a particle there can move at all.
    pub fn state(&self, second: f64, lon: f64, lat: f64) -> State {
        self.at(second, lon, lat).err().unwrap_or(State::Afloat)
    }

    /// The place of a particle after `steps` steps, `None` when it did not stay afloat.
    fn carried(&self, mut particle: Particle, start: f64, length: f64, steps: usize) -> Option<Particle> {
        for step in 0..steps {
            particle = self.step(particle, start + length * step as f64, length);
            if particle.state != State::Afloat {
                return None;
            }
        }
        Some(particle)
    }

    /// Finite-time Lyapunov exponent, per day, at a place: from four particles `spacing` degrees north, south, east and
    /// west of it that go `steps` steps of so many seconds. NaN where one of them does not stay afloat.
    pub fn lyapunov(&self, [lon, lat]: [f64; 2], spacing: f64, start: f64, length: f64, steps: usize) -> f64 {
        let wide = spacing / libm::cos(lat * RADIANS);
        let from = [[lon + wide, lat], [lon - wide, lat], [lon, lat + spacing], [lon, lat - spacing]];
        let mut ends = [Particle::at(lon, lat); 4];
        for (end, [lon, lat]) in ends.iter_mut().zip(from) {
            match self.carried(Particle::at(lon, lat), start, length, steps) {
                Some(particle) => *end = particle,
                None => return f64::NAN,
            }
        }
        // Both separations in a plane that touches the sphere where the particles end.
        let middle = ends.iter().map(|end| end.lat).sum::<f64>() / 4.0;
        let apart = |a: usize, b: usize| {
            let east = (ends[a].lon - ends[b].lon) * libm::cos(middle * RADIANS);
            [east / (2.0 * spacing), (ends[a].lat - ends[b].lat) / (2.0 * spacing)]
        };
        let (x, y) = (apart(0, 1), apart(2, 3));
        let (xx, yy) = (x[0] * x[0] + x[1] * x[1], y[0] * y[0] + y[1] * y[1]);
        let xy = x[0] * y[0] + x[1] * y[1];
        let largest = 0.5 * (xx + yy) + libm::hypot(0.5 * (xx - yy), xy);
        let days = (length * steps as f64).abs() / 86_400.0;
        0.5 * libm::log(largest) / days
    }
}

/// The place before a value on a rising axis, and its share of the way to the next.
fn between(axis: &[f64], value: f64) -> Option<(usize, f64)> {
    let last = axis.len().checked_sub(1).filter(|last| *last > 0)?;
    if !(axis[0]..=axis[last]).contains(&value) {
        return None;
    }
    let before = axis.partition_point(|own| *own <= value).clamp(1, last) - 1;
    Some((before, (value - axis[before]) / (axis[before + 1] - axis[before])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: f64 = 86_400.0;

    fn axis(from: f64, step: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| from + step * i as f64).collect()
    }

    #[test]
    fn solid_rotation_brings_a_particle_back_over_the_date_line() {
        let (lat, lon) = (axis(-60.0, 2.0, 61), axis(0.0, 2.0, 180));
        let rate = 2.0 * std::f64::consts::PI / (30.0 * DAY);
        let u = Array3::from_shape_fn((1, 61, 180), |(_, y, _)| {
            rate * EARTH_RADIUS * libm::cos(lat[y] * RADIANS)
        });
        let current = Current::new(&[0.0], &lat, &lon, &u.view(), &Array3::zeros((1, 61, 180)).view(), true);
        let mut particle = Particle::at(170.0, 40.0);
        for step in 0..720 {
            particle = current.step(particle, 3600.0 * f64::from(step), 3600.0);
        }
        assert_eq!(particle.state, State::Afloat);
        assert!((particle.lon - 530.0).abs() < 1e-6 && (particle.lat - 40.0).abs() < 1e-12, "{particle:?}");
    }

    #[test]
    fn a_saddle_stretches_at_its_rate_both_ways() {
        let (lat, lon) = (axis(2.0, -0.1, 41), axis(-2.0, 0.1, 41));
        let rate = 0.1 / DAY;
        let metres = EARTH_RADIUS * RADIANS;
        let u = Array3::from_shape_fn((1, 41, 41), |(_, y, x)| {
            rate * metres * lon[x] * libm::cos(lat[y] * RADIANS)
        });
        let v = Array3::from_shape_fn((1, 41, 41), |(_, y, _)| -rate * metres * lat[y]);
        let current = Current::new(&[0.0], &lat, &lon, &u.view(), &v.view(), true);
        for sign in [1.0, -1.0] {
            let found = current.lyapunov([0.1, -0.1], 0.01, 0.0, sign * 3600.0, 120);
            assert!((found - 0.1).abs() < 1e-4, "{found}");
        }
        assert!(current.lyapunov([1.5, 0.0], 0.01, 0.0, 3600.0, 240).is_nan(), "it leaves the grid");
    }

    #[test]
    fn particles_beach_and_time_is_interpolated() {
        let (lat, lon) = (axis(-1.0, 0.5, 5), axis(0.0, 0.5, 5));
        let one = EARTH_RADIUS * RADIANS / DAY;
        let mut u = Array3::from_shape_fn((2, 5, 5), |(t, ..)| 0.4 * one * t as f64);
        let v = Array3::zeros((2, 5, 5));
        let free = Current::new(&[0.0, DAY], &lat, &lon, &u.view(), &v.view(), false);
        let mut particle = Particle::at(0.5, 0.0);
        for hour in 0..24 {
            particle = free.step(particle, 3600.0 * f64::from(hour), 3600.0);
        }
        assert!((particle.lon - 0.7).abs() < 1e-9, "half of 0.4 degrees a day: {particle:?}");
        assert_eq!(free.step(particle, DAY, 3600.0).state, State::Gone, "after the last time");
        u.slice_axis_mut(Axis(2), ndarray::Slice::from(2..)).fill(f64::NAN);
        let coast = Current::new(&[0.0, DAY], &lat, &lon, &u.view(), &v.view(), false);
        assert_eq!(coast.state(0.0, 0.9, 0.0), State::Beached);
        assert_eq!(coast.state(0.0, 0.7, 0.0), State::Afloat);
    }
}
