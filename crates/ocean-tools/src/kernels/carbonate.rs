//! The carbonate system of sea water: acidity, partial pressure and saturation from any two of its variables.
//!
//! Total pH scale, amounts in mol kg-1 inside and umol kg-1 outside, no nutrients.
//!
//! # Source
//! Carbonic acid: Lueker et al. (2000), Mar. Chem. 70, 105–119. Carbon dioxide: Weiss (1974), Mar. Chem. 2, 203–215.
//! Boric acid: Dickson (1990), Deep-Sea Res. 37, 755–766. Bisulfate: Dickson (1990), J. Chem. Thermodyn. 22, 113–127.
//! Hydrogen fluoride: Dickson and Riley (1979), Mar. Chem. 7, 89–99. Water: Millero (1995), Geochim. Cosmochim. Acta 59,
//! 661–677, and from there the effect of pressure. Aragonite: Mucci (1983), Am. J. Sci. 283, 780–799, with the pressure of
//! Ingle (1975) and Millero (1979). Totals: Uppström (1974), Morris and Riley (1966), Riley (1965), Riley and Tongudai
//! (1967). These are the constants of CO2SYS (Lewis and Wallace 1998) with its usual options.

use libm::{exp, log, log10, pow, sqrt};

/// Gas constant, mL bar K-1 mol-1 (CODATA 2018).
const GAS: f64 = 83.144_626_18;
/// Bar in a standard atmosphere.
const ATMOSPHERE: f64 = 1.013_25;
/// What salinity is of chlorinity.
const PER_CHLORINITY: f64 = 1.806_55;
/// Hydrogen ions, mol kg-1, between which a solution is sought.
const IONS: [f64; 2] = [1e-13, 1e-2];
/// Halvings of the logarithm of that range, which leave less than rounding.
const HALVINGS: usize = 60;

/// A variable of the carbonate system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// Total alkalinity, umol kg-1.
    Alkalinity,
    /// Dissolved inorganic carbon, umol kg-1.
    Dic,
    /// pH on the total scale.
    Ph,
    /// Partial pressure of carbon dioxide, µatm.
    Pco2,
}

/// All of the carbonate system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// pH on the total scale.
    pub ph: f64,
    /// Partial pressure of carbon dioxide, µatm.
    pub pco2: f64,
    /// Saturation of aragonite.
    pub aragonite: f64,
    /// Total alkalinity, umol kg-1.
    pub alkalinity: f64,
    /// Dissolved inorganic carbon, umol kg-1.
    pub dic: f64,
    /// Carbonate ions, umol kg-1.
    pub carbonate: f64,
}

/// Equilibrium constants and the totals of what else takes part, mol kg-1, total scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constants {
    /// Solubility of carbon dioxide, mol kg-1 atm-1.
    solubility: f64,
    /// Fugacity of carbon dioxide over its partial pressure.
    fugacity: f64,
    carbonic: [f64; 2],
    boric: f64,
    water: f64,
    /// On the free scale, as is that of hydrogen fluoride.
    bisulfate: f64,
    fluoride: f64,
    aragonite: f64,
    borate_total: f64,
    sulfate_total: f64,
    fluoride_total: f64,
    calcium: f64,
}

/// Change of volume (mL mol-1) and of compressibility (mL mol-1 bar-1) of a reaction, as polynomials of degC.
type Effect = ([f64; 3], [f64; 2]);

const CARBONIC_1: Effect = ([-25.5, 0.1271, 0.0], [-3.08e-3, 8.77e-5]);
const CARBONIC_2: Effect = ([-15.82, -0.0219, 0.0], [1.13e-3, -1.475e-4]);
const BORIC: Effect = ([-29.48, 0.1622, -2.608e-3], [-2.84e-3, 0.0]);
const WATER: Effect = ([-20.02, 0.1119, -1.409e-3], [-5.13e-3, 7.94e-5]);
const BISULFATE: Effect = ([-18.03, 0.0466, 3.16e-4], [-4.53e-3, 9e-5]);
const FLUORIDE: Effect = ([-9.78, -0.009, -9.42e-4], [-3.91e-3, 5.4e-5]);
const ARAGONITE: Effect = ([-45.96, 0.5304, 0.0], [-11.76e-3, 3.692e-4]);

impl Constants {
    /// Of sea water of an in-situ temperature (degC), a practical salinity and a pressure above one atmosphere (dbar).
    ///
    /// The solubility is that at one atmosphere, as in CO2SYS.
    pub fn at(temperature: f64, salinity: f64, pressure: f64) -> Self {
        let (celsius, s, bar) = (temperature, salinity, pressure / 10.0);
        let t = celsius + 273.15;
        let (ln, root) = (log(t), sqrt(s));
        let factor = |(volume, squeeze): Effect| {
            let volume = volume[0] + celsius * (volume[1] + celsius * volume[2]);
            exp((-volume + 0.5 * (squeeze[0] + squeeze[1] * celsius) * bar) * bar / (GAS * t))
        };

        let sulfate_total = 0.14 / 96.062 * s / PER_CHLORINITY;
        let fluoride_total = 0.000_067 / 18.998 * s / PER_CHLORINITY;
        // Ionic strength; constants of mol per kg of water become those per kg of sea water.
        let ions = 19.924 * s / (1000.0 - 1.005 * s);
        let (ions_root, of_sea) = (sqrt(ions), 1.0 - 0.001_005 * s);
        let bisulfate = of_sea
            * exp(-4276.1 / t + 141.328 - 23.093 * ln
                + ions_root * (-13_856.0 / t + 324.57 - 47.986 * ln)
                + ions * (35_474.0 / t - 771.54 + 114.723 * ln)
                - 2698.0 / t * ions * ions_root
                + 1776.0 / t * ions * ions);
        let fluoride = of_sea * exp(1590.2 / t - 12.641 + 1.525 * ions_root);
        // The sea-water scale counts hydrogen fluoride too, and pressure acts on that scale.
        let to_total = |bisulfate: f64, fluoride: f64| {
            let sulfate = 1.0 + sulfate_total / bisulfate;
            sulfate / (sulfate + fluoride_total / fluoride)
        };
        let surface = to_total(bisulfate, fluoride);
        let (bisulfate, fluoride) = (bisulfate * factor(BISULFATE), fluoride * factor(FLUORIDE));
        let deep = to_total(bisulfate, fluoride);
        let of_total = |k: f64, effect: Effect| k / surface * factor(effect) * deep;

        let first = pow(10.0, -(3633.86 / t - 61.2172 + 9.6777 * ln - 0.011_555 * s + 0.000_115_2 * s * s));
        let second = pow(10.0, -(471.78 / t + 25.929 - 3.169_67 * ln - 0.017_81 * s + 0.000_112_2 * s * s));
        let boric = exp((-8966.9 + root * (-2890.53 + root * (-77.942 + root * (1.728 - 0.0996 * root))))
            / t
            + 148.0248
            + 137.1942 * root
            + 1.621_42 * s
            - (24.4344 + 25.085 * root + 0.2474 * s) * ln
            + 0.053_105 * root * t);
        let water = exp(148.9802 - 13_847.26 / t - 23.6521 * ln + root * (-5.977 + 118.67 / t + 1.0495 * ln)
            - 0.016_15 * s);
        let aragonite = -171.945 - 0.077_993 * t
            + 2903.293 / t
            + 71.595 * log10(t)
            + root * (-0.068_393 + 0.001_727_6 * t + 88.135 / t)
            - 0.100_18 * s
            + 0.005_941_5 * s * root;
        let hundreds = t / 100.0;
        let solubility = exp(-60.2409
            + 93.4517 / hundreds
            + 23.3585 * log(hundreds)
            + s * (0.023_517 + hundreds * (-0.023_656 + hundreds * 0.004_703_6)));
        let virial = -1636.75 + t * (12.0408 + t * (-0.032_795_7 + t * 3.165_28e-5));
        let cross = 57.7 - 0.118 * t;
        Self {
            solubility,
            fugacity: exp((virial + 2.0 * cross) * ATMOSPHERE / (GAS * t)),
            carbonic: [of_total(first, CARBONIC_1), of_total(second, CARBONIC_2)],
            boric: of_total(boric, BORIC),
            water: water * factor(WATER) * deep,
            bisulfate,
            fluoride,
            aragonite: pow(10.0, aragonite) * factor(ARAGONITE),
            borate_total: 0.000_415_7 * s / 35.0,
            sulfate_total,
            fluoride_total,
            calcium: 0.021_28 / 40.087 * s / PER_CHLORINITY,
        }
    }

    /// Alkalinity without that of carbon, at these hydrogen ions.
    fn rest(&self, h: f64) -> f64 {
        let free = h / (1.0 + self.sulfate_total / self.bisulfate);
        self.borate_total * self.boric / (self.boric + h) + self.water / h
            - free
            - self.sulfate_total * free / (free + self.bisulfate)
            - self.fluoride_total * free / (free + self.fluoride)
    }

    /// Bicarbonate and carbonate ions for each dissolved carbon dioxide.
    fn ions(&self, h: f64) -> [f64; 2] {
        let bicarbonate = self.carbonic[0] / h;
        [bicarbonate, bicarbonate * self.carbonic[1] / h]
    }

    /// Dissolved carbon dioxide, mol kg-1, at a partial pressure in µatm.
    fn dissolved(&self, pco2: f64) -> f64 {
        pco2 * 1e-6 * self.fugacity * self.solubility
    }
}

/// The carbonate system of two different variables of it; all NaN where they have no common solution.
pub fn solve(constants: &Constants, known: [(Variable, f64); 2]) -> State {
    let value = |of: Variable| known.iter().find(|own| own.0 == of).map(|own| own.1);
    let alkalinity = value(Variable::Alkalinity).map(|own| own * 1e-6);
    let dic = value(Variable::Dic).map(|own| own * 1e-6);
    let dissolved = value(Variable::Pco2).map(|own| constants.dissolved(own));
    let h = match (value(Variable::Ph), alkalinity, dic, dissolved) {
        (Some(ph), ..) => pow(10.0, -ph),
        (None, Some(alkalinity), Some(dic), _) => hydrogen(|h| {
            let [bicarbonate, carbonate] = constants.ions(h);
            dic * (bicarbonate + 2.0 * carbonate) / (1.0 + bicarbonate + carbonate) + constants.rest(h)
                - alkalinity
        }),
        (None, Some(alkalinity), None, Some(dissolved)) => hydrogen(|h| {
            let [bicarbonate, carbonate] = constants.ions(h);
            dissolved * (bicarbonate + 2.0 * carbonate) + constants.rest(h) - alkalinity
        }),
        (None, None, Some(dic), Some(dissolved)) if dic > dissolved => {
            let [first, second] = constants.carbonic;
            let (a, b) = (dic - dissolved, dissolved * first);
            (b + sqrt(b * b + 4.0 * a * b * second)) / (2.0 * a)
        }
        _ => f64::NAN,
    };
    let [bicarbonate, carbonate] = constants.ions(h);
    let (all, charge) = (1.0 + bicarbonate + carbonate, bicarbonate + 2.0 * carbonate);
    let carbon_dioxide = match (dissolved, dic, alkalinity) {
        (Some(dissolved), ..) => dissolved,
        (None, Some(dic), _) => dic / all,
        (None, None, Some(alkalinity)) => (alkalinity - constants.rest(h)) / charge,
        (None, None, None) => f64::NAN,
    };
    // An alkalinity below that of the other acids has no carbon left.
    let carbon_dioxide = if carbon_dioxide >= 0.0 && h > 0.0 { carbon_dioxide } else { f64::NAN };
    State {
        ph: if carbon_dioxide.is_nan() { f64::NAN } else { -log10(h) },
        pco2: carbon_dioxide / (constants.fugacity * constants.solubility) * 1e6,
        aragonite: constants.calcium * carbon_dioxide * carbonate / constants.aragonite,
        alkalinity: (carbon_dioxide * charge + constants.rest(h)) * 1e6,
        dic: carbon_dioxide * all * 1e6,
        carbonate: carbon_dioxide * carbonate * 1e6,
    }
}

/// The hydrogen ions where an excess of alkalinity, which falls with them, is zero; NaN outside of the range.
fn hydrogen(excess: impl Fn(f64) -> f64) -> f64 {
    let [mut few, mut many] = IONS;
    if !(excess(few) >= 0.0 && excess(many) <= 0.0) {
        return f64::NAN;
    }
    for _ in 0..HALVINGS {
        let middle = sqrt(few * many);
        *(if excess(middle) > 0.0 { &mut few } else { &mut many }) = middle;
    }
    sqrt(few * many)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PyCO2SYS` 1.8.3.4, options as they come: alkalinity, DIC, degC, salinity, dbar; pH, pCO2, Ω of aragonite, CO3.
    const PEER: [([f64; 5], [f64; 4]); 5] = [
        (
            [2300.0, 2000.0, 25.0, 35.0, 0.0],
            [8.045_886_180_900_592, 396.958_163_024_964_3, 3.386_200_813_087_875_3, 213.412_310_526_987_06],
        ),
        (
            [2350.0, 2150.0, 10.0, 34.5, 1000.0],
            [8.047_248_588_876_114, 363.187_572_150_789_7, 1.839_667_617_489_045_8, 143.741_191_585_541_7],
        ),
        (
            [2400.0, 2300.0, 2.0, 34.7, 4000.0],
            [7.791_968_814_568_373, 486.231_531_764_647_5, 0.567_312_913_350_053, 79.398_534_480_883_54],
        ),
        (
            [1900.0, 1850.0, 0.0, 25.0, 0.0],
            [7.961_621_030_984_84, 422.125_965_365_789_2, 0.782_284_463_343_503_2, 51.356_527_770_213_25],
        ),
        (
            [2600.0, 2200.0, 30.0, 40.0, 50.0],
            [8.015_324_522_825_058, 463.345_331_721_874_7, 4.430_258_015_349_066, 285.764_599_337_513_63],
        ),
    ];

    #[test]
    fn every_pair_gives_what_the_peer_has() {
        for ([alkalinity, dic, t, s, p], [ph, pco2, aragonite, carbonate]) in PEER {
            let constants = Constants::at(t, s, p);
            let all = [
                (Variable::Alkalinity, alkalinity),
                (Variable::Dic, dic),
                (Variable::Ph, ph),
                (Variable::Pco2, pco2),
            ];
            for (at, first) in all.iter().enumerate() {
                for second in &all[at + 1..] {
                    let own = solve(&constants, [*second, *first]);
                    let found = [own.ph, own.pco2, own.aragonite, own.carbonate, own.alkalinity, own.dic];
                    for (own, exact) in found.iter().zip([ph, pco2, aragonite, carbonate, alkalinity, dic]) {
                        assert!((own / exact - 1.0).abs() < 1e-8, "{first:?} {second:?}: {own} {exact}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_has_no_solution_is_missing() {
        let constants = Constants::at(10.0, 35.0, 0.0);
        for known in [
            [(Variable::Alkalinity, 50.0), (Variable::Ph, 8.1)],
            [(Variable::Dic, 5.0), (Variable::Pco2, 4000.0)],
            [(Variable::Alkalinity, f64::NAN), (Variable::Dic, 2000.0)],
        ] {
            let own = solve(&constants, known);
            assert!(own.ph.is_nan() && own.aragonite.is_nan() && own.dic.is_nan(), "{known:?}");
        }
    }
}
