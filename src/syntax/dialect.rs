//! The two ways in which GDL is written.

/// A concrete syntax of GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// KIF, as the GGP protocol speaks it: `(<= (legal ?r noop) (role ?r) (not (true (control ?r))))`.
    Prefix,
    /// HRF, as Genesereth's book writes it: `legal(R,noop) :- role(R) & ~true(control(R))`.
    Infix,
}
