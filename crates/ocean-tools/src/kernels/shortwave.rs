//! Sunlight below the surface.
//!
//! # Source
//! Paulson and Simpson (1977), J. Phys. Oceanogr. 7, 952–956, table 2: two exponentials for the water types of Jerlov
//! (1968).

/// Optical type of sea water, from the clearest open sea to the most turbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaterType {
    /// I.
    I,
    /// IA.
    Ia,
    /// IB.
    Ib,
    /// II.
    Ii,
    /// III.
    Iii,
}

impl WaterType {
    /// Share of the shortwave radiation at the surface that passes a depth in metres.
    ///
    /// ```
    /// use ocean_tools::kernels::shortwave::WaterType;
    /// assert_eq!(WaterType::I.penetrating(0.0), 1.0);
    /// assert!((WaterType::I.penetrating(50.0) - 0.42 * (-50.0_f64 / 23.0).exp()).abs() < 1e-12);
    /// ```
    pub fn penetrating(self, depth: f64) -> f64 {
        let (red, short, long) = match self {
            Self::I => (0.58, 0.35, 23.0),
            Self::Ia => (0.62, 0.60, 20.0),
            Self::Ib => (0.67, 1.0, 17.0),
            Self::Ii => (0.77, 1.5, 14.0),
            Self::Iii => (0.78, 1.4, 7.9),
        };
        red * libm::exp(-depth / short) + (1.0 - red) * libm::exp(-depth / long)
    }
}
