//! Fakes, conformance suites and generators for the tests of the other crates.
