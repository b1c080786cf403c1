//! Searches that estimate by random play: flat Monte Carlo and Monte Carlo tree search.

mod guided;
mod monte_carlo;
mod playouts;
mod uct;

pub use guided::Guided;
pub use monte_carlo::monte_carlo;
pub use playouts::{Playouts, SinglePlayouts};
pub use uct::{Advice, Rated, Uct, UctOptions};
