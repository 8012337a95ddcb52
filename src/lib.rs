//! `leg` facade.
