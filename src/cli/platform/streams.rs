//! Streams and files that are more than bytes: terminals that obey, pipes, open
//! descriptors, modes.

use std::{
    env::var_os,
    fs::Metadata,
    io::{IsTerminal, Stdout},
    path::Path,
};

/// Whether this is a terminal that understands escape codes. Consoles of Windows do not
/// always; those that do, say so.
pub fn obeys(stream: &impl IsTerminal) -> bool {
    let terminal = var_os("TERM");
    let says_so = terminal.is_some() || var_os("WT_SESSION").is_some();
    let is_dumb = terminal.is_some_and(|name| name == "dumb");
    stream.is_terminal() && !is_dumb && (says_so || cfg!(not(windows)))
}

/// Whether standard output is neither a terminal nor a file.
#[cfg(unix)]
pub fn is_pipe(stdout: &Stdout) -> bool {
    use std::{fs::File, os::fd::AsFd};

    let file = stdout.as_fd().try_clone_to_owned().map(File::from);
    let about = file.and_then(|file| file.metadata());
    about.is_ok_and(|about| !about.is_file()) && !stdout.is_terminal()
}

#[cfg(not(unix))]
pub fn is_pipe(_: &Stdout) -> bool {
    false
}

/// Whether this names something that is open already, as a shell does for `<(command)`.
pub fn is_descriptor(path: &Path) -> bool {
    let folders = ["/dev/fd", "/proc/self/fd"];
    let streams = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
    folders.iter().any(|folder| path.starts_with(folder))
        || streams.iter().any(|stream| path == Path::new(stream))
}

/// Whether this is a pipe by name, which would have to wait for its other end.
#[cfg(unix)]
pub fn is_fifo(about: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&about.file_type())
}

#[cfg(not(unix))]
pub fn is_fifo(_: &Metadata) -> bool {
    false
}

/// Whether this is a device, which may have no end.
#[cfg(unix)]
pub fn is_device(about: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    let kind = about.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
pub fn is_device(_: &Metadata) -> bool {
    false
}

/// Whether standard input is one.
#[cfg(unix)]
pub fn stdin_is_device() -> bool {
    use std::{fs::File, io::stdin, os::fd::AsFd};

    let file = stdin().as_fd().try_clone_to_owned().map(File::from);
    let about = file.and_then(|file| file.metadata());
    about.is_ok_and(|about| is_device(&about))
}

#[cfg(not(unix))]
pub fn stdin_is_device() -> bool {
    false
}

/// As for any other new file, the umask decides who may read it.
#[cfg(unix)]
pub fn open_to_all(file: &mut tempfile::Builder) {
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
}

#[cfg(not(unix))]
pub fn open_to_all(_: &mut tempfile::Builder) {}
