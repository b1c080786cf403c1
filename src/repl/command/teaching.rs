//! Commands and options that courses ask for: games of a player that plans again at every step, the size of a tree
//! estimated by hand, and searches repeated in random order.
