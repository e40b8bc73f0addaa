//! Statistics, series and digest of a run (no I/O).
