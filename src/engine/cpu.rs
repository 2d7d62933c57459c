//! Which instruction set the kernels use: found once, at run time, and never
//! changed during a run. Every kernel gives the same counts; they differ in speed.

use std::{fmt, str::FromStr};

use crate::error::Error;

/// Hands the features that the AVX2 kernel needs to another macro: the only list of them,
/// for finding them and for compiling.
macro_rules! avx2_features {
    ($then:ident $($arguments:tt)*) => {
        $then! { ("avx2" "bmi1" "bmi2" "popcnt" "lzcnt") $($arguments)* }
    };
}

/// The same for the AVX-512 kernel, which is compiled for those of AVX2, too.
macro_rules! avx512_features {
    ($then:ident $($arguments:tt)*) => {
        $then! {
            ("avx2" "bmi1" "bmi2" "popcnt" "lzcnt"
            "avx512f" "avx512bw" "avx512vl" "avx512bitalg" "avx512vbmi2")
            $($arguments)*
        }
    };
}

/// The same for the NEON kernel.
macro_rules! neon_features {
    ($then:ident $($arguments:tt)*) => {
        $then! { ("neon") $($arguments)* }
    };
}

/// Each of these features, with whether this processor has it: asked with a macro of the
/// standard library, which exists on one architecture.
macro_rules! detected {
    (($($name:tt)*) $is_detected:ident on $architecture:meta) => {
        vec![$((
            $name,
            #[cfg($architecture)]
            std::arch::$is_detected!($name),
            #[cfg(not($architecture))]
            false,
        )),*]
    };
}

/// A function that is compiled for these features.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! with_features {
    (($($name:tt)*) $($function:tt)*) => {
        #[target_feature($(enable = $name),*)]
        $($function)*
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use {avx2_features, avx512_features, with_features};
#[cfg(target_arch = "aarch64")]
pub(crate) use {neon_features, with_features};

/// An instruction set that a kernel is built for.
///
/// ```
/// use queens::Cpu;
///
/// assert!(Cpu::Portable.is_available());
/// assert!(Cpu::detect().is_available());
/// assert_eq!("portable".parse::<Cpu>()?, Cpu::Portable);
/// # Ok::<(), queens::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cpu {
    /// Plain 64-bit arithmetic: runs everywhere.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL, BITALG and VBMI2: from Ice Lake and Zen 4 on.
    Avx512,
    /// 64-bit ARM with NEON: nearly all of them.
    Neon,
}

impl Cpu {
    /// Every kernel for this architecture, the fastest last.
    ///
    /// ```
    /// use queens::Cpu;
    ///
    /// assert!(Cpu::ALL.is_sorted());
    /// assert_eq!(Cpu::ALL.contains(&Cpu::Neon), cfg!(target_arch = "aarch64"));
    /// ```
    pub const ALL: &[Cpu] = if cfg!(target_arch = "x86_64") {
        &[Cpu::Portable, Cpu::Avx2, Cpu::Avx512]
    } else if cfg!(target_arch = "aarch64") {
        &[Cpu::Portable, Cpu::Neon]
    } else {
        &[Cpu::Portable]
    };

    /// Every kernel for any architecture.
    const ANYWHERE: &[Cpu] = &[Cpu::Portable, Cpu::Avx2, Cpu::Avx512, Cpu::Neon];

    /// The fastest kernel that this processor can run.
    ///
    /// ```
    /// use queens::Cpu;
    ///
    /// let available = Cpu::ALL.iter().copied().filter(|cpu| cpu.is_available());
    /// assert_eq!(available.max(), Some(Cpu::detect()));
    /// ```
    pub fn detect() -> Cpu {
        let available = Cpu::ALL
            .iter()
            .copied()
            .rev()
            .find(|cpu| cpu.is_available());
        available.unwrap_or(Cpu::Portable)
    }

    /// Whether this processor can run the kernel.
    ///
    /// ```
    /// use queens::{Count, Cpu};
    ///
    /// for &cpu in Cpu::ALL {
    ///     assert_eq!(Count::new(8)?.cpu(cpu).run().is_ok(), cpu.is_available());
    /// }
    /// assert!(!(Cpu::Avx2.is_available() && Cpu::Neon.is_available()));
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn is_available(self) -> bool {
        self.features().iter().all(|(_, found)| *found)
    }

    /// What the kernel needs of a processor, each with whether this one has it.
    ///
    /// ```
    /// use queens::Cpu;
    ///
    /// assert!(Cpu::Portable.features().is_empty());
    /// let lacks = Cpu::Avx512.features().into_iter().find(|(_, found)| !found);
    /// assert_eq!(lacks.is_none(), Cpu::Avx512.is_available());
    /// ```
    pub fn features(self) -> Vec<(&'static str, bool)> {
        match self {
            Cpu::Portable => Vec::new(),
            Cpu::Avx2 => {
                avx2_features!(detected is_x86_feature_detected on target_arch = "x86_64")
            }
            Cpu::Avx512 => {
                avx512_features!(detected is_x86_feature_detected on target_arch = "x86_64")
            }
            // The kernel takes words apart into bytes, lowest first.
            Cpu::Neon => neon_features!(
                detected is_aarch64_feature_detected
                on all(target_arch = "aarch64", target_endian = "little")
            ),
        }
    }

    /// Its name on the command line, which is understood on every architecture.
    ///
    /// ```
    /// use queens::Cpu;
    ///
    /// assert_eq!(Cpu::Avx2.name(), "avx2");
    /// assert_eq!("avx2".parse::<Cpu>()?, Cpu::Avx2);
    /// assert_eq!("neon".parse::<Cpu>()?, Cpu::Neon);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Cpu::Portable => "portable",
            Cpu::Avx2 => "avx2",
            Cpu::Avx512 => "avx512",
            Cpu::Neon => "neon",
        }
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Cpu {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let mut all = Cpu::ANYWHERE.iter().copied();
        let found = all.find(|cpu| cpu.name() == name);
        found.ok_or_else(|| Error::UnknownCpu(name.to_owned()))
    }
}
