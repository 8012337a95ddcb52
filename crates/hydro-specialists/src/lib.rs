//! Specialists for public storm-surge services.
