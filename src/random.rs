//! Random numbers that are the same for the same seed, on every machine and for good.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a counter that
//! goes in steps of the golden ratio and a function that makes neighbouring counters
//! look unrelated. Its stream is part of what a seed means, so it is written out here
//! and belongs to no dependency.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
};

/// 2⁶⁴ over the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers.
///
/// ```
/// use queens::random::Random;
///
/// let mut random = Random::new(7);
/// let rolls: Vec<u64> = (0..9).map(|_| random.below(6) + 1).collect();
/// assert_eq!(rolls, [3, 1, 6, 4, 3, 2, 3, 2, 1]); // with seed 7, always
/// ```
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of this seed.
    ///
    /// ```
    /// use queens::random::Random;
    ///
    /// assert_eq!(Random::new(1).bits(), Random::new(1).bits());
    /// assert_ne!(Random::new(1).bits(), Random::new(2).bits());
    /// ```
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The same stream from this place on, so that threads can share its numbers.
    ///
    /// ```
    /// use queens::random::Random;
    ///
    /// let mut random = Random::new(1);
    /// random.bits();
    /// assert_eq!(random.bits(), Random::at(1, 1).bits());
    /// ```
    pub fn at(seed: u64, place: u64) -> Self {
        Random(seed.wrapping_add(place.wrapping_mul(STEP)))
    }

    /// 64 random bits.
    ///
    /// ```
    /// assert_eq!(queens::random::Random::new(0).bits(), 0xe220_a839_7b1d_cdaf);
    /// ```
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below this bound, each as likely as any other; 0 for the bound 0.
    ///
    /// The high half of bits · bound is it, if the few bits that would favour some
    /// numbers are drawn again (Lemire 2019).
    ///
    /// ```
    /// let mut random = queens::random::Random::new(1);
    /// assert!((0..100).all(|_| random.below(6) < 6));
    /// ```
    pub fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            let low = product as u64;
            // The remainder is less than the bound, so it is rarely needed.
            if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number from 0 to less than 1, a multiple of 2⁻⁵³.
    ///
    /// ```
    /// let mut random = queens::random::Random::new(1);
    /// assert!((0..100).all(|_| (0.0..1.0).contains(&random.unit())));
    /// ```
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts the items in a random order, each as likely as any other.
    ///
    /// ```
    /// let mut items = [1, 2, 3, 4];
    /// queens::random::Random::new(1).shuffle(&mut items);
    /// items.sort();
    /// assert_eq!(items, [1, 2, 3, 4]);
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

/// A seed that nobody has chosen, short enough to be typed again.
///
/// ```
/// assert!(queens::random::any_seed() < 1_000_000_000);
/// ```
pub fn any_seed() -> u64 {
    // The standard library's hash tables begin with the system's random numbers.
    Random::new(RandomState::new().build_hasher().finish()).below(1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let first = |seed, expected: &[u64]| {
            let mut random = Random::new(seed);
            assert!(expected.iter().all(|&bits| random.bits() == bits), "{seed}");
        };
        // The values of Vigna's reference implementation for two seeds.
        let of_zero = [
            0xe220_a839_7b1d_cdaf,
            0x6e78_9e6a_a1b9_65f4,
            0x06c4_5d18_8009_454f,
            0xf88b_b8a8_724c_81ec,
        ];
        let of_1234567 = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        first(0, &of_zero);
        first(1_234_567, &of_1234567);
    }

    #[test]
    fn any_place_of_the_stream_can_be_had_at_once() {
        let mut random = Random::new(9);
        for place in 0..100 {
            assert_eq!(random.bits(), Random::at(9, place).bits());
        }
    }

    #[test]
    fn bounded_draws_are_uniform() {
        let draws = 60_000;
        for bound in [1, 2, 3, 6, 7, 10] {
            let (mut random, mut seen) = (Random::new(bound), vec![0u32; bound as usize]);
            for _ in 0..draws {
                seen[random.below(bound) as usize] += 1;
            }
            let expected = f64::from(draws) / bound as f64;
            let tolerance = 5.0 * expected.sqrt();
            for times in seen {
                assert!((f64::from(times) - expected).abs() <= tolerance, "{bound}");
            }
        }
        // A third of all bits is drawn again here: without that, the lower half of the
        // numbers would come up twice as often.
        let (mut random, bound) = (Random::new(1), 3 << 62);
        let low = (0..draws).filter(|_| random.below(bound) < bound / 2);
        assert!((29_300..30_700).contains(&low.count()));
        assert_eq!(Random::new(1).below(0), 0);
    }

    #[test]
    fn every_order_is_as_likely() {
        let mut random = Random::new(3);
        let mut seen = std::collections::HashMap::new();
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *seen.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|times| (850..1_150).contains(times)));
    }
}
