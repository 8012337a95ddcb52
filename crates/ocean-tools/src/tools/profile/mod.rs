//! Single profiles and the profile of a region: gradients, overturns, mixing.

mod compute_density_gradient_profile;
mod compute_diffusivity_finescale;
mod compute_thorpe_scale;

crate::computation::tools![
    compute_density_gradient_profile::ComputeDensityGradientProfile,
    compute_diffusivity_finescale::ComputeDiffusivityFinescale,
    compute_thorpe_scale::ComputeThorpeScale,
];
