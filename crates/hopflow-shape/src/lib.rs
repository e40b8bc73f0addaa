//! `#[derive(Shaped)]`: what a struct looks like as JSON, from the same fields and attributes of
//! serde that write it. So a schema has no list of keys of its own.
//!
//! | attribute                          | meaning for the shape                               |
//! |------------------------------------|-----------------------------------------------------|
//! | a doc comment                      | the meaning of the key or of the table              |
//! | `serde(rename, rename_all)`        | the name of the key or of the word                  |
//! | `serde(skip_serializing_if)`       | the key may be missing                              |
//! | `serde(flatten)`                   | the keys of the field are those of the table        |
//! | `serde(skip)`                      | there is no such key                                |
//! | `serde(with = "...integer")`       | a number, above 2^53 a text of digits               |
//! | `serde(with = "...digits")`        | always a text of digits                             |
//! | `shape(name = "...")`              | the name of the table, in place of the struct's     |
//! | `shape(any)`                       | any value: it is described elsewhere                |
//!
//! Structs with named fields, and enums of words. The trait and its values are in
//! `hopflow-units/src/shape.rs`. Not covered: tagged enums and tuple structs, which are errors.

mod attribute;
mod derive;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `hopflow_units::shape::Shaped`.
#[proc_macro_derive(Shaped, attributes(shape))]
pub fn shaped(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive::shaped(&input).unwrap_or_else(|wrong| wrong.to_compile_error()).into()
}
