//! The model form of a specialist: a language model that calls the specialist's tools.

mod model;

pub use model::ModelSpecialist;
