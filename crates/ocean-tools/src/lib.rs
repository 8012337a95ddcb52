//! Ocean kernels and the tools made from them.
