//! The one place where files that a user names are opened to be read: regular files only.
//!
//! A pipe that nobody writes to keeps its reader waiting, and a device such as `/dev/zero` never
//! ends. What a path leads to is looked at before it is opened, because opening a pipe waits too,
//! and again in the handle that is read, in case the path was replaced meanwhile.
//!
//! A scenario itself is the exception (`file/bytes.rs`): `<(...)` of a shell is a pipe. It is read
//! once, up to a limit.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file to be read; a link to one is followed.
pub fn open(path: &Path) -> io::Result<File> {
    judge(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    judge(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let mut bytes = Vec::new();
    // Too little memory for a large file is an error here, and ends no process.
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file.
pub fn read_text(path: &Path) -> io::Result<String> {
    let not_text = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    String::from_utf8(read(path)?).map_err(not_text)
}

/// An error if something other than a regular file is where one is to be written: opening a pipe
/// to write waits for its reader.
pub fn may_be_written(path: &Path) -> io::Result<()> {
    fs::metadata(path).map_or(Ok(()), |metadata| judge(&metadata))
}

fn judge(metadata: &Metadata) -> io::Result<()> {
    let (kind, what) = if metadata.is_file() {
        return Ok(());
    } else if metadata.is_dir() {
        (io::ErrorKind::IsADirectory, "a directory")
    } else {
        (io::ErrorKind::InvalidInput, "a pipe or a device")
    };
    Err(io::Error::new(kind, format!("it is {what}: name a regular file")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a regular file and a link to one are read; a directory, a device and a socket are
    /// refused with what they are, before they are opened. (A pipe: `hopflow-cli/tests`.)
    #[test]
    fn regular_files_alone_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        fs::write(&file, "text").unwrap();
        assert_eq!(read_text(&file).unwrap(), "text");
        assert!(may_be_written(&file).is_ok() && may_be_written(&folder.path().join("b")).is_ok());
        let refused = |path: &Path| open(path).unwrap_err().to_string();
        assert_eq!(refused(folder.path()), "it is a directory: name a regular file");
        assert_eq!(read(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&file, &link).unwrap();
            assert_eq!(read(&link).unwrap(), b"text");
            let socket = folder.path().join("socket");
            let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            for path in [Path::new("/dev/null"), &socket] {
                assert_eq!(refused(path), "it is a pipe or a device: name a regular file");
                assert!(may_be_written(path).is_err());
            }
        }
        fs::write(&file, b"\xff").unwrap();
        assert_eq!(read_text(&file).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
