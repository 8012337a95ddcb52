//! Skills, planners and report writers, in their rules form.
