//! The system's name for itself and the version of its kernel.

use super::told;

/// As Linux tells it, "Debian GNU/Linux 12 (bookworm)".
pub fn release() -> Option<String> {
    pretty_name(&told("/etc/os-release")?)
}

/// The name in the lines `NAME="value"` of `/etc/os-release`.
fn pretty_name(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let name = lines.find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

/// The version of the kernel, "6.1.0-18-amd64".
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub fn kernel() -> Option<String> {
    let release = rustix::system::uname().release().to_str().ok()?.to_owned();
    Some(release)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub fn kernel() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_known_by_its_pretty_name() {
        let text = "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n";
        assert_eq!(pretty_name(text).as_deref(), Some("Debian GNU/Linux 12"));
        assert_eq!(pretty_name(""), None);
    }
}
