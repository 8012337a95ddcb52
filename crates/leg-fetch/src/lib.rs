//! The HTTP port with its wrappers: scripted answers and cassettes.
