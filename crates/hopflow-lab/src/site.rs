//! The files that are served, with the type and the caching of each.

use std::collections::BTreeMap;

use hyper::body::Bytes;

/// The name that stands for `/`.
const INDEX: &str = "index.html";
/// The folder whose names contain a hash of the content, so that the files never change.
const HASHED: &str = "assets/";

/// The files that are served, by name. Names are compared as written: nothing is decoded, and no
/// path of the file system is derived from a request.
#[derive(Clone, Debug, Default)]
pub struct Site {
    files: BTreeMap<String, Bytes>,
}

/// A file of a [`Site`].
pub(crate) struct File<'a> {
    pub(crate) name: &'a str,
    pub(crate) content: Bytes,
}

impl Site {
    /// A site of files, each with its name below `/`, such as `assets/index-1a2b.js`.
    pub fn new(files: impl IntoIterator<Item = (String, &'static [u8])>) -> Site {
        let files = files.into_iter().map(|(name, content)| (name, Bytes::from_static(content)));
        Site { files: files.collect() }
    }

    /// The names of all files, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The file that a path requests. The path begins with `/` and has no query.
    pub(crate) fn file(&self, path: &str) -> Option<File<'_>> {
        let asked = path.strip_prefix('/')?;
        let asked = if asked.is_empty() { INDEX } else { asked };
        let (name, content) = self.files.get_key_value(asked)?;
        Some(File { name, content: content.clone() })
    }

    /// Whether the suffix of `name` is known. A file with another suffix is sent as plain bytes.
    pub fn knows_type_of(name: &str) -> bool {
        known_type(name).is_some()
    }
}

impl File<'_> {
    /// The value of `Content-Type`.
    pub(crate) fn content_type(&self) -> &'static str {
        known_type(self.name).unwrap_or("application/octet-stream")
    }

    /// The value of `Cache-Control`. A new version of the page has new names below `assets/`.
    pub(crate) fn cache_control(&self) -> &'static str {
        if self.name.starts_with(HASHED) {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        }
    }
}

fn known_type(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "md" | "toml" | "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}
