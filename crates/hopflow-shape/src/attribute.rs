//! The attributes of a struct, a field or a word that its shape depends on.

use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Result};

/// What the attributes say.
#[derive(Default)]
pub(crate) struct Attributes {
    /// The doc comment, as one line.
    pub(crate) meaning: String,
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: Option<String>,
    /// The last part of `with`.
    pub(crate) with: Option<LitStr>,
    /// The condition under which the field is left out.
    pub(crate) left_out_if: Option<String>,
    pub(crate) flatten: bool,
    pub(crate) skip: bool,
    pub(crate) name: Option<String>,
    pub(crate) any: bool,
}

impl Attributes {
    pub(crate) fn read(all: &[Attribute]) -> Result<Attributes> {
        let mut found = Attributes::default();
        let mut lines: Vec<String> = Vec::new();
        for attribute in all {
            if attribute.path().is_ident("doc") {
                lines.extend(line(&attribute.meta));
            } else if attribute.path().is_ident("serde") {
                found.read_serde(attribute)?;
            } else if attribute.path().is_ident("shape") {
                found.read_shape(attribute)?;
            }
        }
        lines.join(" ").trim().clone_into(&mut found.meaning);
        Ok(found)
    }

    fn read_serde(&mut self, attribute: &Attribute) -> Result<()> {
        attribute.parse_nested_meta(|meta| {
            let value = if meta.input.peek(syn::Token![=]) {
                Some(meta.value()?.parse::<LitStr>()?)
            } else {
                None
            };
            let text = value.as_ref().map(LitStr::value);
            let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            match key.as_str() {
                "rename" => self.rename = text,
                "rename_all" => self.rename_all = text,
                "with" => self.with = value,
                "skip_serializing_if" => self.left_out_if = text,
                "flatten" => self.flatten = true,
                "skip" => self.skip = true,
                "default" | "deny_unknown_fields" | "borrow" => {}
                _ => return Err(meta.error("no shape is known for this attribute of serde")),
            }
            Ok(())
        })
    }

    fn read_shape(&mut self, attribute: &Attribute) -> Result<()> {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("any") {
                self.any = true;
            } else if meta.path.is_ident("name") {
                self.name = Some(meta.value()?.parse::<LitStr>()?.value());
            } else {
                return Err(meta.error("write `any` or `name = \"...\"`"));
            }
            Ok(())
        })
    }
}

/// A line of a doc comment; a macro may have put its text into a group.
fn line(meta: &Meta) -> Option<String> {
    let Meta::NameValue(pair) = meta else { return None };
    let mut value = &pair.value;
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
        _ => None,
    }
}
