//! Refusals: why a player cannot fulfil a request.

use crate::PlayerError;
use gdl::diagnostic::Diagnostic;
use gdl::rules::GroundTerm;
use ggp_engine::LoadError;

/// Why a valid message cannot be fulfilled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The rule sheet violates the restrictions of GDL, or cannot be interpreted.
    #[error("the rules are refused: {0}")]
    Rules(String),
    /// The rules do not have this role.
    #[error("the game has no role {0}")]
    Role(GroundTerm),
    /// The joint move does not fit the position: it has too few or too many moves, one was not legal, or the game is
    /// over.
    #[error("the message does not fit the position: {0}")]
    Moves(String),
    /// The message requests more than a peer may use ([`super::HostLimits`]).
    #[error("{0}")]
    Limit(String),
    /// The deadline has passed before the rules have been set up, so no legal move is known.
    #[error("the game is still being set up")]
    NotReady,
    /// An internal error, such as a panic of the player.
    #[error("{0}")]
    Failed(String),
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        let LoadError::Rejected { source_text, diagnostics } = &error else { return Self::Rules(error.to_string()) };
        let Some(first) = diagnostics.iter().find(|diagnostic| diagnostic.is_error()) else {
            return Self::Rules(error.to_string());
        };
        let more = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count() - 1;
        let Diagnostic { code, message, labels, .. } = first;
        let location = labels.first().map_or_else(String::new, |label| {
            let position = source_text.position(label.span.start);
            format!("{}:{}: ", position.line, position.column)
        });
        let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
        Self::Rules(format!("{location}{message} [{}]{more}", code.id))
    }
}

impl From<PlayerError> for Refusal {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::WrongNumber { .. } | PlayerError::Illegal { .. } | PlayerError::Over => {
                Self::Moves(error.to_string())
            }
            error => Self::Failed(error.to_string()),
        }
    }
}
