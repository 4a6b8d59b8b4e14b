//! The laws of units, and that what is written is read again.

use mondo_dialect_units::ratio::Ratio;
use mondo_dialect_units::unit::{BASES, Dimension, Unit};
use proptest::prelude::*;

fn unit(text: &str) -> Unit {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    text.parse::<Unit>().unwrap_err()
}

#[test]
fn units_are_what_they_mean() {
    assert_eq!(unit("N"), unit("kg*m/s^2"));
    assert_eq!(unit("W"), unit("V*A"));
    assert_eq!(
        unit("J"),
        unit("kWh/3600000".replace("kWh", "kW*h").as_str())
    );
    assert_eq!(unit("L"), unit("dm^3"));
    assert_eq!(unit("W/(m*K)"), unit("kg*m/s^3/K"));
    assert_eq!(unit(" m / s "), unit("m*s^-1"));
    assert_eq!(unit("mi"), unit("5280*ft"));
    assert_ne!(unit("km/h"), unit("m/s"));
    assert_eq!(unit("km/h").dimension, unit("m/s").dimension);
}

#[test]
fn units_are_written_in_one_way() {
    for (read, written) in [
        ("N", "kg*m/s^2"),
        ("km/h", "km/h"),
        ("1000*m/(3600*s)", "km/h"),
        ("Hz", "1/s"),
        ("kHz", "1/ms"),
        ("1", "1"),
        ("rad", "1"),
        ("m/m", "1"),
        ("1/3", "1/3"),
        ("km*m", "1000*m^2"),
        ("km^2", "km^2"),
        ("mg/cm^3", "kg/m^3"),
        ("mi", "201168/125*m"),
        ("min", "min"),
        ("d", "d"),
        ("7/s", "7/s"),
        ("s^-2*m", "m/s^2"),
        ("µm", "um"),
    ] {
        assert_eq!(unit(read).to_string(), written, "{read}");
    }
}

#[test]
fn what_is_no_unit_is_refused_with_the_place() {
    assert_eq!(refused(""), "expected a unit at the end of the unit ''");
    assert_eq!(refused("m/"), "expected a unit at the end of the unit 'm/'");
    assert_eq!(
        refused("m s"),
        "expected '*' or '/' before 's' in the unit 'm s'"
    );
    assert_eq!(refused("parsec/s"), "unknown unit 'parsec' in 'parsec/s'");
    assert_eq!(refused("kmin"), "unknown unit 'kmin' in 'kmin'");
    assert_eq!(
        refused("m^"),
        "expected an exponent at the end of the unit 'm^'"
    );
    assert_eq!(refused("(m"), "expected ')' at the end of the unit '(m'");
    assert_eq!(
        refused("m^0.5"),
        "expected '*' or '/' before '.5' in the unit 'm^0.5'"
    );
    let too_large = "is too large or too small to be exact";
    for text in [
        "m^101",
        "km^7",
        "0",
        "m/0",
        "99999999999999999999999",
        "m^9999999999999",
    ] {
        assert_eq!(refused(text), format!("the unit '{text}' {too_large}"));
    }
    assert!(refused(&"(".repeat(100_000)).starts_with("too many parentheses"));
}

#[test]
fn roots_are_only_of_squares() {
    assert_eq!(unit("m^2/s^4").square_root(), Some(unit("m/s^2")));
    assert_eq!(unit("km^2").square_root(), Some(unit("km")));
    assert_eq!(unit("m^3").square_root(), None);
    assert_eq!(unit("km*m").square_root(), None);
}

#[test]
fn numbers_are_converted_between_units_of_one_dimension() {
    let to_metres_per_second = unit("km/h").factor_to(unit("m/s")).unwrap();
    assert_eq!(to_metres_per_second.scale(36.0), 10.0);
    assert_eq!(to_metres_per_second.scale(-1.0), -5.0 / 18.0);
    assert_eq!(unit("m").factor_to(unit("s")), None);
}

#[test]
fn numbers_are_converted_to_the_nearest_one() {
    let third = Ratio::new(1, 3).unwrap();
    assert_eq!(third.scale(f64::MIN_POSITIVE), f64::MIN_POSITIVE / 3.0);
    assert_eq!(third.scale(f64::from_bits(1)), 0.0);
    assert_eq!(third.scale(f64::from_bits(2)), f64::from_bits(1));
    assert_eq!(third.inverse().scale(f64::MAX), f64::INFINITY);
    assert_eq!(third.scale(f64::MAX), f64::MAX / 3.0);
}

#[test]
fn zeros_infinities_and_nan_stay_what_they_are() {
    let third = Ratio::new(1, 3).unwrap();
    assert_eq!(third.scale(-0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(third.scale(f64::INFINITY), f64::INFINITY);
    assert!(third.scale(f64::NAN).is_nan());
}

fn ratios() -> impl Strategy<Value = Ratio> {
    (1..1_000_000u128, 1..1_000_000u128).prop_filter_map("fits", |(n, d)| Ratio::new(n, d))
}

fn units() -> impl Strategy<Value = Unit> {
    let dimension = prop::array::uniform7(-4..=4i8).prop_map(Dimension);
    let named = prop::sample::select(vec!["km/h", "g", "mm^2", "min", "N", "kW*h", "1/ms"]);
    prop_oneof![
        (dimension, ratios()).prop_map(|(dimension, scale)| Unit { dimension, scale }),
        dimension_of_scale_one(),
        named.prop_map(unit),
    ]
}

fn dimension_of_scale_one() -> impl Strategy<Value = Unit> {
    prop::array::uniform7(-4..=4i8).prop_map(|exponents: [i8; BASES]| Unit {
        dimension: Dimension(exponents),
        scale: Ratio::ONE,
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(it in units()) {
        prop_assert_eq!(unit(&it.to_string()), it);
    }

    #[test]
    fn nothing_that_is_read_panics(text in "[a-zA-Z0-9*/^() .µ-]{0,24}") {
        if let Ok(it) = text.parse::<Unit>() {
            prop_assert_eq!(unit(&it.to_string()), it);
        }
    }

    #[test]
    fn products_and_quotients_obey_their_laws(a in units(), b in units(), c in units()) {
        prop_assert_eq!(a.times(Unit::ONE), Some(a));
        prop_assert_eq!(a.over(a), Some(Unit::ONE));
        prop_assert_eq!(a.times(b), b.times(a));
        prop_assert_eq!(a.inverse().inverse(), a);
        if let Some(product) = a.times(b) {
            prop_assert_eq!(product.over(b), Some(a));
            if let (Some(all), Some(right)) = (product.times(c), b.times(c)) {
                prop_assert_eq!(a.times(right), Some(all));
            }
        }
        if let Some(square) = a.power(2) {
            prop_assert_eq!(a.times(a), Some(square));
            prop_assert_eq!(square.square_root(), Some(a));
        }
        prop_assert_eq!(a.power(-1), Some(a.inverse()));
        prop_assert_eq!(a.power(0), Some(Unit::ONE));
    }

    /// The nearest double: the exact error is no more than that of either neighbour.
    #[test]
    fn scaling_rounds_once(value in -1_000_000_000i64..1_000_000_000, ratio in ratios()) {
        let scaled = ratio.scale(value as f64);
        // value * n / d against scaled, both times d * 2^60, in integers.
        let exact = (i128::from(value) * i128::from(ratio.numerator())) << 60;
        let error = |it: f64| {
            let fraction = it * 2f64.powi(60);
            // All of these are integers: more than 53 bits of them are zeros.
            (fraction.fract() == 0.0 && fraction.abs() < 2f64.powi(107)).then(|| {
                (fraction as i128 * i128::from(ratio.denominator()) - exact).abs()
            })
        };
        if let (Some(mine), Some(up), Some(down)) =
            (error(scaled), error(scaled.next_up()), error(scaled.next_down()))
        {
            prop_assert!(mine <= up && mine <= down, "{value} * {ratio} = {scaled}");
        }
        prop_assert_eq!(ratio.scale(-(value as f64)), -scaled);
    }
}
