//! The processor's name and clock, as Linux tells them. Elsewhere they are unknown.
//!
//! An x86 processor names its model. An ARM one has two numbers, that of the company which
//! designed the core and that which this gave to it.

use super::told;

/// What `/proc/cpuinfo` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Processor {
    pub model: Option<String>,
    /// How many of them Linux knows; 0 where it tells nothing.
    pub logical_cores: usize,
    /// The clock of the fastest core at this moment.
    pub clock_mhz: Option<u64>,
    /// Who decides how fast the cores run.
    pub governor: Option<String>,
}

impl Processor {
    /// Looks around.
    pub fn detect() -> Processor {
        let read = |path| told(path).unwrap_or_default();
        let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Processor {
            governor: Some(governor.trim().to_owned()).filter(|name| !name.is_empty()),
            ..Processor::read(&read("/proc/cpuinfo"))
        }
    }

    fn read(cpuinfo: &str) -> Processor {
        let named = ["model name", "Model", "cpu model", "uarch"];
        let mut names = named.iter().filter_map(|name| fields(cpuinfo, name).next());
        let model = names.next().map(str::to_owned);
        let clocks = fields(cpuinfo, "cpu MHz").filter_map(|clock| clock.parse::<f64>().ok());
        Processor {
            model: arm_cores(cpuinfo).or(model),
            logical_cores: fields(cpuinfo, "processor").count(),
            clock_mhz: clocks.reduce(f64::max).map(|clock| clock.round() as u64),
            governor: None,
        }
    }
}

/// The kinds of ARM cores, in the order of their first one: "ARM Cortex-A55, ARM Cortex-A76".
fn arm_cores(cpuinfo: &str) -> Option<String> {
    let number = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let implementers = fields(cpuinfo, "CPU implementer").filter_map(number);
    let parts = fields(cpuinfo, "CPU part").filter_map(number);
    let mut kinds: Vec<String> = Vec::new();
    for kind in implementers.zip(parts).map(|(by, part)| arm_core(by, part)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    (!kinds.is_empty()).then(|| kinds.join(", "))
}

/// A core by its numbers, which stay where a name is unknown.
fn arm_core(implementer: u32, part: u32) -> String {
    let company = match implementer {
        0x41 => "ARM",
        0x42 => "Broadcom",
        0x43 => "Cavium",
        0x46 => "Fujitsu",
        0x48 => "HiSilicon",
        0x4e => "NVIDIA",
        0x50 => "Applied Micro",
        0x51 => "Qualcomm",
        0x53 => "Samsung",
        0x61 => "Apple",
        0x6d => "Microsoft",
        0xc0 => "Ampere",
        _ => return format!("ARM core, implementer {implementer:#04x}, part {part:#05x}"),
    };
    let core = match (implementer, part) {
        (0x41, 0xd03) => "Cortex-A53",
        (0x41, 0xd04) => "Cortex-A35",
        (0x41, 0xd05) => "Cortex-A55",
        (0x41, 0xd07) => "Cortex-A57",
        (0x41, 0xd08) => "Cortex-A72",
        (0x41, 0xd09) => "Cortex-A73",
        (0x41, 0xd0a) => "Cortex-A75",
        (0x41, 0xd0b) => "Cortex-A76",
        (0x41, 0xd0c) => "Neoverse N1",
        (0x41, 0xd0d) => "Cortex-A77",
        (0x41, 0xd40) => "Neoverse V1",
        (0x41, 0xd41) => "Cortex-A78",
        (0x41, 0xd44) => "Cortex-X1",
        (0x41, 0xd46) => "Cortex-A510",
        (0x41, 0xd47) => "Cortex-A710",
        (0x41, 0xd48) => "Cortex-X2",
        (0x41, 0xd49) => "Neoverse N2",
        (0x41, 0xd4f) => "Neoverse V2",
        (0x46, 0x001) => "A64FX",
        (0x48, 0xd01) => "TaiShan v110",
        (0xc0, 0xac3) => "Ampere-1",
        _ => return format!("{company} part {part:#05x}"),
    };
    format!("{company} {core}")
}

/// The values of every "name : value" line.
pub fn fields<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.filter_map(move |(key, value)| (key.trim() == name).then_some(value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As recorded; lines in between that nobody reads are left out.
    const EPYC: &str = "\
processor\t: 0
vendor_id\t: AuthenticAMD
model\t\t: 1
model name\t: AMD EPYC 7763 64-Core Processor
cpu MHz\t\t: 2445.404

processor\t: 1
vendor_id\t: AuthenticAMD
model\t\t: 1
model name\t: AMD EPYC 7763 64-Core Processor
";
    const GRAVITON: &str = "\
processor\t: 0
BogoMIPS\t: 243.75
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x3
CPU part\t: 0xd0c
CPU revision\t: 1
";
    const ROCK: &str = "\
processor\t: 0
CPU implementer\t: 0x41
CPU part\t: 0xd05

processor\t: 1
CPU implementer\t: 0x41
CPU part\t: 0xd05

processor\t: 2
CPU implementer\t: 0x41
CPU part\t: 0xd0b

Serial\t\t: 0123456789abcdef
";
    const RASPBERRY: &str = "\
processor\t: 0
CPU implementer\t: 0x41
CPU part\t: 0xd08

Hardware\t: BCM2835
Model\t\t: Raspberry Pi 4 Model B Rev 1.1
";

    fn model(cpuinfo: &str) -> Option<String> {
        Processor::read(cpuinfo).model
    }

    #[test]
    fn a_processor_is_named_by_its_model_or_by_what_its_cores_are() {
        let epyc = Processor::read(EPYC);
        assert_eq!(
            epyc.model.as_deref(),
            Some("AMD EPYC 7763 64-Core Processor")
        );
        assert_eq!((epyc.logical_cores, epyc.clock_mhz), (2, Some(2445)));
        assert_eq!(model(GRAVITON).as_deref(), Some("ARM Neoverse N1"));
        assert_eq!(
            model(ROCK).as_deref(),
            Some("ARM Cortex-A55, ARM Cortex-A76")
        );
        assert_eq!(model(RASPBERRY).as_deref(), Some("ARM Cortex-A72"));
    }

    #[test]
    fn numbers_without_a_name_are_shown() {
        let odd = "CPU implementer : 0x41\nCPU part : 0xfff\n";
        assert_eq!(model(odd).as_deref(), Some("ARM part 0xfff"));
        let odd = "CPU implementer : 0x99\nCPU part : 0x012\n";
        assert_eq!(
            model(odd).as_deref(),
            Some("ARM core, implementer 0x99, part 0x012")
        );
        for nothing in ["", "CPU part : 0xd0c\n", "CPU implementer : ?\n"] {
            assert_eq!(model(nothing), None);
        }
    }
}
