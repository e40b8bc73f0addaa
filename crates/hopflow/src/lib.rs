//! Simulates network flow control: load, check, run, results.
