//! Which instruction set the kernels use: found once, at run time, and never
//! changed during a run. Every kernel gives the same counts; they differ in speed.

use std::{fmt, str::FromStr};

use crate::Error;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cpu {
    /// Plain 64-bit arithmetic: runs everywhere.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL, BITALG and VBMI2: from Ice Lake and Zen 4 on.
    Avx512,
}

impl Cpu {
    /// Every kernel, the fastest last.
    ///
    /// ```
    /// assert!(queens::Cpu::ALL.is_sorted());
    /// ```
    pub const ALL: [Cpu; 3] = [Cpu::Portable, Cpu::Avx2, Cpu::Avx512];

    /// The fastest kernel that this processor can run.
    ///
    /// ```
    /// use queens::Cpu;
    ///
    /// let available = Cpu::ALL.into_iter().filter(|cpu| cpu.is_available());
    /// assert_eq!(available.max(), Some(Cpu::detect()));
    /// ```
    pub fn detect() -> Cpu {
        let available = Cpu::ALL.into_iter().rev().find(|cpu| cpu.is_available());
        available.unwrap_or(Cpu::Portable)
    }

    /// Whether this processor can run the kernel.
    ///
    /// ```
    /// use queens::{Count, Cpu};
    ///
    /// for cpu in Cpu::ALL {
    ///     assert_eq!(Count::new(8)?.cpu(cpu).run().is_ok(), cpu.is_available());
    /// }
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn is_available(self) -> bool {
        match self {
            Cpu::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("lzcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => {
                Cpu::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bitalg")
                    && is_x86_feature_detected!("avx512vbmi2")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Cpu::Avx2 | Cpu::Avx512 => false,
        }
    }

    /// Its name on the command line.
    ///
    /// ```
    /// use queens::Cpu;
    ///
    /// assert_eq!(Cpu::Avx2.name(), "avx2");
    /// assert_eq!("avx2".parse::<Cpu>()?, Cpu::Avx2);
    /// # Ok::<(), queens::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Cpu::Portable => "portable",
            Cpu::Avx2 => "avx2",
            Cpu::Avx512 => "avx512",
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
        let found = Cpu::ALL.into_iter().find(|cpu| cpu.name() == name);
        found.ok_or_else(|| Error::UnknownCpu(name.to_owned()))
    }
}
