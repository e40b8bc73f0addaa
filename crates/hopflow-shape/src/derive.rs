//! The implementation that is derived.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Fields, Result, Variant};

use crate::attribute::Attributes;

/// The implementation of `Shaped` for a struct with named fields, or an enum of words.
pub(crate) fn shaped(input: &DeriveInput) -> Result<TokenStream> {
    let attributes = Attributes::read(&input.attrs)?;
    let body = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => table(input, &attributes, fields.named.iter())?,
            _ => return Err(Error::new_spanned(input, "its fields have no names")),
        },
        Data::Enum(data) => words(&attributes, data.variants.iter())?,
        Data::Union(_) => return Err(Error::new_spanned(input, "a union has no shape")),
    };
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(::hopflow_units::shape::Shaped));
    }
    let (before, after, bounds) = generics.split_for_impl();
    Ok(quote! {
        impl #before ::hopflow_units::shape::Shaped for #name #after #bounds {
            fn shape() -> ::hopflow_units::shape::Shape {
                use ::hopflow_units::shape::{Key, Shape, Shaped, Table};
                #body
            }
        }
    })
}

fn table<'f>(
    input: &DeriveInput,
    attributes: &Attributes,
    fields: impl Iterator<Item = &'f Field>,
) -> Result<TokenStream> {
    let name = attributes.name.clone().unwrap_or_else(|| input.ident.to_string());
    let meaning = &attributes.meaning;
    let keys = fields.map(key).collect::<Result<Vec<TokenStream>>>()?;
    Ok(quote! {
        Shape::Table(Table {
            name: #name,
            meaning: #meaning,
            keys: [#(#keys),*].into_iter().flatten().collect(),
        })
    })
}

/// A list of the key of a field, or of the keys of a flattened one.
fn key(field: &Field) -> Result<TokenStream> {
    let attributes = Attributes::read(&field.attrs)?;
    if attributes.skip {
        return Ok(quote! { Vec::new() });
    }
    let shape = shape_of(field, &attributes)?;
    if attributes.flatten {
        return Ok(quote! { #shape.into_keys() });
    }
    let ident = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = attributes.rename.unwrap_or_else(|| ident.trim_start_matches("r#").to_owned());
    let meaning = &attributes.meaning;
    let may_be_missing = attributes.left_out_if.is_some();
    let shape = match attributes.left_out_if.as_deref() {
        Some("Option::is_none") => quote! { #shape.without_null() },
        _ => shape,
    };
    Ok(quote! {
        vec![Key {
            name: #name,
            meaning: #meaning,
            shape: #shape,
            may_be_missing: #may_be_missing,
        }]
    })
}

fn shape_of(field: &Field, attributes: &Attributes) -> Result<TokenStream> {
    if attributes.any {
        return Ok(quote! { Shape::Any });
    }
    let Some(with) = &attributes.with else {
        let ty = &field.ty;
        return Ok(quote! { <#ty as Shaped>::shape() });
    };
    let module = with.value();
    match module.rsplit("::").next() {
        Some("integer") => Ok(quote! { Shape::Exact }),
        Some("optional_integer") => Ok(quote! { Shape::Maybe(Box::new(Shape::Exact)) }),
        Some("digits") => Ok(quote! { Shape::Maybe(Box::new(Shape::Digits)) }),
        _ => Err(Error::new_spanned(with, "no shape is known for what this module writes")),
    }
}

fn words<'v>(
    attributes: &Attributes,
    variants: impl Iterator<Item = &'v Variant>,
) -> Result<TokenStream> {
    let rule = attributes.rename_all.as_deref();
    let words = variants.map(|variant| {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, "a word has no fields"));
        }
        let own = Attributes::read(&variant.attrs)?;
        let name = variant.ident.to_string();
        own.rename.map_or_else(|| renamed(&name, rule, variant), Ok)
    });
    let words = words.collect::<Result<Vec<String>>>()?;
    Ok(quote! { Shape::Words(vec![#(#words),*]) })
}

/// A name of a variant under a rule of serde.
fn renamed(name: &str, rule: Option<&str>, variant: &Variant) -> Result<String> {
    let between = match rule {
        None => return Ok(name.to_owned()),
        Some("lowercase") => "",
        Some("kebab-case") => "-",
        Some("snake_case") => "_",
        Some(_) => return Err(Error::new_spanned(variant, "no shape is known for `rename_all`")),
    };
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push_str(between);
        }
        word.extend(letter.to_lowercase());
    }
    Ok(word)
}
