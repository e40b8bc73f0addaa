//! Size: the buffer of one VC whose credit counts units of packets of any size.
//!
//! The law is in `hopflow-scenario/src/credit_loop.rs`, its formula that of a lane of its own whose
//! blocks are units. Checked by: `hopflow/tests/units.rs`, `docs/models/n23.md`.

use hopflow_control::credit::CreditScheme;
use hopflow_scenario::CreditLoop;
use hopflow_units::{Cells, Rate};

use super::{Size, SizeError, alike, size_of_loop};

/// The buffer for packets of any size. For cells as [`size_of_loop`].
pub fn size_of_packets(
    scheme: CreditScheme,
    law: &CreditLoop,
    target: Rate,
    n2: Cells,
) -> Result<Size, SizeError> {
    let CreditLoop { wire, unit, round_trip, .. } = *law;
    if law.is_of_cells() {
        return size_of_loop(scheme, round_trip, wire, target, n2);
    }
    if n2 == Cells::ZERO {
        return Err(SizeError::NoN2);
    }
    if target > wire.rate {
        return Err(SizeError::TargetAboveLink { target, rate: wire.rate });
    }
    let too_many = SizeError::TooManyCells { round_trip, rate: wire.rate };
    let need = law.need(target, n2).ok_or(too_many)?;
    let whole = |units: Option<u64>| {
        units.and_then(|units| u32::try_from(units).ok()).map(Cells).ok_or(too_many)
    };
    let n3 = whole(law.n3(target, n2))?;
    let n1_rate = scheme.facts().n1.map(|n1| n1.rate(wire.rate, target));
    let n1 = n1_rate.map_or(Ok(Cells::ZERO), |rate| whole(law.n1(rate)))?;
    let buffer = n1.checked_add(n2).and_then(|sum| sum.checked_add(n3)).ok_or(too_many)?;
    let (round_trip, scheme) = (law.round_trip_of_packet(), alike(scheme));
    let mut size = Size { scheme, round_trip, unit, n1, n2, n3, buffer, formula: String::new() };
    let lines = need.formula.replace("blocks", "units").replace("block", "unit");
    let lines = lines.replace("update", "N2").replace("buffer = ", "N2 + N3 = ");
    let lines = lines.replace(" + T(credit)", "").replace(" + 0 ps", "");
    let lines = lines.replace("delays", "(R of a cell - its T)");
    let n1_line = match n1 {
        Cells::ZERO => String::new(),
        n1 => format!("\nN1 = {} units, those of the packets of R", n1.0),
    };
    size.formula = format!(
        "{lines}{n1_line}\nbuffer = {} units of {} B = {} bytes",
        buffer.0,
        unit.0,
        size.bytes().0
    );
    Ok(size)
}
