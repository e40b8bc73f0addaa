//! A value with many holders, which is copied only when one of them changes it.
//!
//! Descriptions of a million VCs repeat the same values. Each value is stored once, and a copy of a
//! whole network costs no more than a reference count.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that reads like a plain one. A change makes a copy first, unless there is no other
/// holder.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Shared<T>(Arc<T>);

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: PartialEq> Shared<T> {
    /// Shares the value of `other`, if it is equal.
    pub fn join(&mut self, other: &Shared<T>) {
        if *self == *other {
            self.0 = Arc::clone(&other.0);
        }
    }
}

impl<T> Shared<T> {
    /// Whether both share the same value, not just equal ones.
    pub fn is_same(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The number of holders of the value, at least 1.
    pub fn holders(&self) -> usize {
        Arc::strong_count(&self.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Shared<T> {
        Shared(Arc::new(value))
    }
}

impl<T: PartialEq> PartialEq<T> for Shared<T> {
    fn eq(&self, other: &T) -> bool {
        *self.0 == *other
    }
}

impl<E> FromIterator<E> for Shared<Vec<E>> {
    fn from_iter<I: IntoIterator<Item = E>>(elements: I) -> Shared<Vec<E>> {
        Vec::from_iter(elements).into()
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

#[expect(clippy::into_iter_without_iter, reason = "what is shared has its own `iter`")]
impl<'a, T> IntoIterator for &'a Shared<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (&*self.0).into_iter()
    }
}

#[expect(clippy::into_iter_without_iter, reason = "what is shared has its own `iter_mut`")]
impl<'a, T: Clone> IntoIterator for &'a mut Shared<T>
where
    &'a mut T: IntoIterator,
{
    type Item = <&'a mut T as IntoIterator>::Item;
    type IntoIter = <&'a mut T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        Arc::make_mut(&mut self.0).into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a copy is the same value until one of the two is changed; the other keeps the old
    /// value.
    #[test]
    fn a_copy_is_made_by_the_first_change() {
        let first: Shared<Vec<u8>> = [1, 2].into_iter().collect();
        let mut second = first.clone();
        assert!(second.is_same(&first));
        second.push(3);
        assert!(!second.is_same(&first));
        assert_eq!((&first[..], &second[..]), (&[1, 2][..], &[1, 2, 3][..]));
        let mut third = Shared::from(vec![1, 2]);
        assert!(third == first && !third.is_same(&first));
        third.join(&first);
        assert!(third.is_same(&first));
        third.join(&second);
        assert!(third.is_same(&first));
        assert_eq!((first.holders(), second.holders()), (2, 1));
    }
}
