//! Units of credit, as a number of them or as a size in bytes.

use hopflow_units::Bytes;

use super::{OnLink, ReadIn, taken};
use crate::diagnostic::Sink;
use crate::tab::Ty;
use crate::value::Item;

taken! { @type
    /// Units of credit from `LEAST` to `MOST`, as a number or in bytes: whole units, rounded up.
    Units [LEAST: u32, MOST: u32] is u32,
        Ty::AnyOf(&[Ty::Count(LEAST as u64, MOST as u64), Ty::BYTES])
}

impl<const LEAST: u32, const MOST: u32> ReadIn<OnLink> for Units<LEAST, MOST> {
    fn read(item: &Item<'_>, link: &OnLink, sink: &mut Sink) -> Option<u32> {
        let [least, most] = [LEAST, MOST].map(u64::from);
        if item.value.as_str().is_none() {
            return item.count(least, most, sink).map(|count| count as u32);
        }
        let bytes = item.bytes(Bytes(least), Bytes(most * link.unit.0), sink)?;
        Some(bytes.0.div_ceil(link.unit.0) as u32)
    }
}
