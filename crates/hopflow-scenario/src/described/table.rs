//! Tables of described keys: each key is one row, which makes its constant and its place in the
//! list that readers, schema and documents go by.

/// The kinds of keys that every kind has.
pub(crate) const EVERY: &[&str] = &[];

/// Makes a [`Described`] key of each row, and the list of all: the rows of kinds, in order. A row
/// is the constant, what the key takes, its name, what it means, and calls of [`Described`].
///
/// [`Described`]: super::Described
macro_rules! keys {
    ($vis:vis $all:ident: $(of $kinds:expr => {$(
        $(#[$attribute:meta])*
        $key:ident: $taken:ty = $name:expr, $doc:literal $(, $fact:ident($($with:tt)*))*;
    )+})+) => {
        $($(
            $(#[$attribute])*
            $vis const $key: $crate::described::Described<$taken> =
                $crate::described::Described::new($name, $doc).of($kinds)$(.$fact($($with)*))*;
        )+)+

        $vis const $all: &[$crate::tab::Key] = &[$($($key.key),+),+];
    };
}

pub(crate) use keys;
