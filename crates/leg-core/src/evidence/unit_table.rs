//! The units that evidence and sentences are written in: what each is worth, and how CF and prose spell it.

/// Exponents of length, mass, time, temperature, amount of substance, angle, practical salinity, mass fraction; the
/// last stands for units that only the evidence knows.
pub(crate) type Dimensions = [i8; 9];

pub(crate) const PURE: Dimensions = [0; 9];
const LENGTH: Dimensions = [1, 0, 0, 0, 0, 0, 0, 0, 0];
const MASS: Dimensions = [0, 1, 0, 0, 0, 0, 0, 0, 0];
pub(crate) const TIME: Dimensions = [0, 0, 1, 0, 0, 0, 0, 0, 0];
pub(crate) const TEMPERATURE: Dimensions = [0, 0, 0, 1, 0, 0, 0, 0, 0];
const AMOUNT: Dimensions = [0, 0, 0, 0, 1, 0, 0, 0, 0];
const ANGLE: Dimensions = [0, 0, 0, 0, 0, 1, 0, 0, 0];
const SALINITY: Dimensions = [0, 0, 0, 0, 0, 0, 1, 0, 0];
const SPEED: Dimensions = [1, 0, -1, 0, 0, 0, 0, 0, 0];
const TRANSPORT: Dimensions = [3, 0, -1, 0, 0, 0, 0, 0, 0];
const PRESSURE: Dimensions = [-1, 1, -2, 0, 0, 0, 0, 0, 0];
const FORCE: Dimensions = [1, 1, -2, 0, 0, 0, 0, 0, 0];
const ENERGY: Dimensions = [2, 1, -2, 0, 0, 0, 0, 0, 0];
const POWER: Dimensions = [2, 1, -3, 0, 0, 0, 0, 0, 0];
const FREQUENCY: Dimensions = [0, 0, -1, 0, 0, 0, 0, 0, 0];
const VOLUME: Dimensions = [3, 0, 0, 0, 0, 0, 0, 0, 0];
/// Grams in a kilogram: absolute salinity, humidity. It is not ‰ of a pure number, and not practical salinity.
pub(crate) const MASS_FRACTION: Dimensions = [0, 0, 0, 0, 0, 0, 0, 1, 0];

/// A unit that cannot be taken apart.
#[derive(Debug)]
pub(crate) struct Atom {
    pub dimensions: Dimensions,
    /// Its worth in SI; of a mass fraction in g/kg.
    pub factor: f64,
    /// Where its zero lies, in SI: only of temperatures.
    pub offset: f64,
    /// How data spell it; the first is the canonical one.
    pub cf: &'static [&'static str],
    /// How prose spells it.
    pub prose: &'static [&'static str],
}

const fn atom(
    dimensions: Dimensions,
    factor: f64,
    cf: &'static [&'static str],
    prose: &'static [&'static str],
) -> Atom {
    Atom { dimensions, factor, offset: 0.0, cf, prose }
}

const fn scale(
    factor: f64,
    offset: f64,
    cf: &'static [&'static str],
    prose: &'static [&'static str],
) -> Atom {
    Atom { dimensions: TEMPERATURE, factor, offset, cf, prose }
}

/// Seconds of a year: 365.2425 days, as in the Gregorian calendar.
pub(crate) const YEAR: f64 = 365.2425 * 86_400.0;

/// All units.
pub(crate) const ATOMS: &[Atom] = &[
    scale(
        1.0,
        273.15,
        &[
            "degC",
            "celsius",
            "Celsius",
            "degree_C",
            "degrees_C",
            "deg_C",
            "degree_Celsius",
            "degrees_Celsius",
            "degree_celsius",
            "degrees_celsius",
        ],
        &[
            "°C",
            "℃",
            "° C",
            "ºC",
            "degC",
            "deg C",
            "degrees Celsius",
            "degree Celsius",
            "degrees C",
            "degrees celsius",
            "C",
        ],
    ),
    scale(
        5.0 / 9.0,
        459.67 * 5.0 / 9.0,
        &["degF", "fahrenheit", "degree_F", "degrees_F", "degree_Fahrenheit", "degrees_Fahrenheit"],
        &["°F", "℉", "ºF", "degF", "deg F", "degrees Fahrenheit", "degree Fahrenheit", "degrees F", "F"],
    ),
    scale(1.0, 0.0, &["K", "kelvin", "Kelvin", "degK", "degree_K", "degrees_K"], &["K", "kelvin", "kelvins"]),
    atom(
        LENGTH,
        1.0,
        &["m", "meter", "meters", "metre", "metres"],
        &["m", "metres", "metre", "meters", "meter"],
    ),
    atom(
        LENGTH,
        1000.0,
        &["km", "kilometer", "kilometers", "kilometre", "kilometres"],
        &["km", "kilometres", "kilometre", "kilometers", "kilometer"],
    ),
    atom(LENGTH, 0.1, &["dm"], &["dm", "decimetres"]),
    atom(
        LENGTH,
        0.01,
        &["cm", "centimeter", "centimeters", "centimetre"],
        &["cm", "centimetres", "centimetre", "centimeters", "centimeter"],
    ),
    atom(
        LENGTH,
        0.001,
        &["mm", "millimeter", "millimeters", "millimetre"],
        &["mm", "millimetres", "millimetre", "millimeters", "millimeter"],
    ),
    atom(LENGTH, 0.3048, &["ft", "foot", "feet", "international_foot"], &["ft", "feet", "foot"]),
    atom(LENGTH, 0.0254, &["inch", "in", "inches"], &["inches", "inch"]),
    atom(LENGTH, 0.9144, &["yd", "yard", "yards"], &["yards", "yard", "yd"]),
    atom(LENGTH, 1609.344, &["mile", "mi", "miles"], &["miles", "mile", "mi", "statute miles"]),
    atom(
        LENGTH,
        1852.0,
        &["nautical_mile", "nmile", "nmi"],
        &["nautical miles", "nautical mile", "nmi", "NM", "n mi"],
    ),
    atom(LENGTH, 1.8288, &["fathom", "fathoms"], &["fathoms", "fathom"]),
    atom(MASS, 1.0, &["kg", "kilogram"], &["kg", "kilograms", "kilogram"]),
    atom(MASS, 1e-3, &["g", "gram"], &["g", "grams", "gram"]),
    atom(MASS, 1e-6, &["mg", "milligram"], &["mg", "milligrams", "milligram"]),
    atom(MASS, 1e-9, &["ug", "microgram"], &["µg", "μg", "ug", "micrograms"]),
    atom(MASS, 1e12, &["Gt", "gigatonne"], &["Gt", "gigatonnes"]),
    atom(TIME, 1.0, &["s", "second", "seconds", "sec"], &["s", "seconds", "second"]),
    atom(TIME, 60.0, &["min", "minute", "minutes"], &["min", "minutes", "minute"]),
    atom(TIME, 3600.0, &["h", "hour", "hours", "hr"], &["h", "hours", "hour", "hr", "hrs"]),
    atom(TIME, 86_400.0, &["day", "days", "d"], &["days", "day", "d"]),
    atom(TIME, 604_800.0, &["week", "weeks"], &["weeks", "week"]),
    atom(TIME, YEAR / 12.0, &["month", "months", "mon"], &["months", "month"]),
    atom(TIME, YEAR, &["year", "years", "yr", "a"], &["years", "year", "yr", "yrs"]),
    atom(TIME, YEAR * 10.0, &["decade", "decades"], &["decades", "decade"]),
    atom(TIME, YEAR * 100.0, &["century", "centuries"], &["centuries", "century"]),
    atom(SPEED, 1852.0 / 3600.0, &["knot", "knots", "kt", "kts"], &["knots", "knot", "kt", "kts", "kn"]),
    atom(SPEED, 1609.344 / 3600.0, &["mph"], &["mph"]),
    atom(SPEED, 1000.0 / 3600.0, &["kph"], &["kph", "kmh"]),
    atom(PRESSURE, 1.0, &["Pa", "pascal"], &["Pa", "pascals", "pascal"]),
    atom(
        PRESSURE,
        100.0,
        &["hPa", "mb", "mbar", "millibar", "millibars"],
        &["hPa", "mb", "mbar", "millibars", "millibar", "hectopascals"],
    ),
    atom(PRESSURE, 1000.0, &["kPa"], &["kPa"]),
    atom(PRESSURE, 1e4, &["dbar", "decibar"], &["dbar", "decibars", "decibar"]),
    atom(PRESSURE, 1e5, &["bar"], &["bar"]),
    atom(PRESSURE, 3386.389, &["inHg", "inch_Hg", "in_Hg"], &["inHg", "inches of mercury", "in Hg"]),
    atom(PRESSURE, 133.322_387_415, &["mmHg", "mm_Hg"], &["mmHg"]),
    atom(PRESSURE, 101_325.0, &["atm"], &["atm"]),
    atom(PRESSURE, 0.101_325, &["uatm"], &["µatm", "μatm", "uatm"]),
    atom(FORCE, 1.0, &["N", "newton"], &["N"]),
    atom(ENERGY, 1.0, &["J", "joule"], &["J", "joules"]),
    atom(ENERGY, 1e21, &["ZJ"], &["ZJ", "zettajoules"]),
    atom(POWER, 1.0, &["W", "watt"], &["W", "watts"]),
    atom(POWER, 1e12, &["TW"], &["TW"]),
    atom(POWER, 1e15, &["PW"], &["PW", "petawatts"]),
    atom(TRANSPORT, 1e6, &["Sv", "sverdrup"], &["Sv", "sverdrups", "sverdrup"]),
    atom(TRANSPORT, 0.028_316_846_592, &["cfs"], &["cfs"]),
    atom(VOLUME, 1e-3, &["L", "l", "liter", "litre"], &["L", "litres", "litre", "liters", "liter"]),
    atom(AMOUNT, 1.0, &["mol", "mole"], &["mol", "moles"]),
    atom(AMOUNT, 1e-3, &["mmol", "millimole"], &["mmol"]),
    atom(AMOUNT, 1e-6, &["umol", "micromol", "micromole"], &["µmol", "μmol", "umol"]),
    atom(AMOUNT, 1e-9, &["nmol"], &["nmol"]),
    atom(FREQUENCY, 1.0, &["Hz", "hertz"], &["Hz"]),
    atom(FREQUENCY, 1.0 / 86_400.0, &["cpd"], &["cpd", "cycles per day"]),
    atom(
        ANGLE,
        1.0,
        &[
            "degree",
            "degrees",
            "deg",
            "degree_east",
            "degrees_east",
            "degree_north",
            "degrees_north",
            "arc_degree",
            "degree_true",
            "degrees_true",
            "degT",
        ],
        &["°", "º", "degrees", "degree", "deg"],
    ),
    atom(ANGLE, 57.295_779_513_082_32, &["rad", "radian", "radians"], &["rad", "radians"]),
    atom(
        SALINITY,
        1.0,
        &["psu", "PSU", "practical_salinity_unit", "pss", "PSS-78"],
        &["psu", "PSU", "PSS-78"],
    ),
    atom(
        PURE,
        0.01,
        &["%", "percent"],
        &["%", "percent", "per cent", "percentage points", "percentage point"],
    ),
    atom(
        PURE,
        1e-3,
        &["1e-3", "0.001", "10-3", "ppt", "permille"],
        &["‰", "1e-3", "ppt", "parts per thousand"],
    ),
    atom(PURE, 1e-6, &["1e-6", "ppm"], &["ppm", "parts per million"]),
    atom(PURE, 1e-9, &["1e-9", "ppb"], &["ppb", "parts per billion"]),
];

/// How we write units that have a usual spelling in prose; others stay as CF writes them.
pub(crate) const WRITTEN: &[(&str, &str)] = &[
    ("degC", "°C"),
    ("degF", "°F"),
    ("K", "K"),
    ("%", "%"),
    ("m", "m"),
    ("km", "km"),
    ("cm", "cm"),
    ("mm", "mm"),
    ("ft", "ft"),
    ("inch", "inches"),
    ("km2", "km²"),
    ("m2", "m²"),
    ("m3", "m³"),
    ("m s-1", "m/s"),
    ("cm s-1", "cm/s"),
    ("km h-1", "km/h"),
    ("knot", "knots"),
    ("mph", "mph"),
    ("m3 s-1", "m³/s"),
    ("ft3 s-1", "ft³/s"),
    ("m2 s-1", "m²/s"),
    ("m2 s-2", "m²/s²"),
    ("s-1", "s⁻¹"),
    ("s-2", "s⁻²"),
    ("hPa", "hPa"),
    ("inHg", "inHg"),
    ("dbar", "dbar"),
    ("uatm", "µatm"),
    ("g kg-1", "g/kg"),
    ("psu", "psu"),
    ("1e-3", "‰"),
    ("kg m-3", "kg/m³"),
    ("mg m-3", "mg/m³"),
    ("mmol m-3", "mmol/m³"),
    ("umol kg-1", "µmol/kg"),
    ("N m-2", "N/m²"),
    ("W m-2", "W/m²"),
    ("J m-2", "J/m²"),
    ("Sv", "Sv"),
    ("s", "seconds"),
    ("min", "minutes"),
    ("hour", "hours"),
    ("day", "days"),
    ("month", "months"),
    ("year", "years"),
    ("degree", "°"),
    ("degree_east", "°E"),
    ("degree_north", "°N"),
];

/// Spans of time that a rate is given over, and how prose says it.
pub(crate) const RATES: &[(&str, &str)] = &[
    ("(10 year)-1", " per decade"),
    ("decade-1", " per decade"),
    ("(100 year)-1", " per century"),
    ("century-1", " per century"),
    ("year-1", " per year"),
    ("yr-1", " per year"),
    ("month-1", " per month"),
    ("day-1", " per day"),
    ("d-1", " per day"),
];
