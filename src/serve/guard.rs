//! The check of requests: a page of another site must neither command the server nor read its answers.

use ggp_play::protocol::http::{Access, HeadError};
use hyper::header::{self, HeaderMap};
use hyper::{StatusCode, Uri};
use std::fmt;
use std::io;

/// The secret of a server: 128 random bits, as hexadecimal digits.
#[derive(Clone)]
pub(crate) struct ServerSecret(String);

impl ServerSecret {
    /// A new secret.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub(crate) fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// True if a text is the secret. The time does not depend on how much of it is right, so that it cannot be guessed
    /// piece by piece.
    fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |all, (own, other)| all | (own ^ other));
        text.len() == self.0.len() && differences == 0
    }
}

impl fmt::Display for ServerSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Decides which requests are answered: those to an allowed host, from no other page, with the token.
pub(crate) struct Guard {
    pub(crate) token: ServerSecret,
    pub(crate) access: Access,
}

/// Reason for which a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RequestRefusal {
    #[error(transparent)]
    Head(#[from] HeadError),
    #[error("requests for the host `{0}` are not answered here")]
    Host(String),
    #[error("pages of `{0}` may not ask this server")]
    Origin(String),
    #[error("the token is missing or wrong: open the address that `ggp serve` has printed")]
    Token,
}

impl RequestRefusal {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::Head(_) => StatusCode::BAD_REQUEST,
            Self::Host(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::Origin(_) => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
        }
    }
}

impl Guard {
    /// Checks the host that a request names and the page that sends it. Browsers always send the first, and the second
    /// with every request that could change something.
    pub(super) fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), RequestRefusal> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text(header::HOST).unwrap_or_default();
        for name in [Some(host), uri.authority().map(|authority| authority.as_str())].into_iter().flatten() {
            if !self.access.allows_host(name) {
                return Err(RequestRefusal::Host(name.to_string()));
            }
        }
        match text(header::ORIGIN) {
            Some(origin) if origin != format!("http://{host}") => Err(RequestRefusal::Origin(origin.to_string())),
            _ => Ok(()),
        }
    }

    /// Checks the token of a request that is not for a file of the page.
    pub(super) fn authorise(&self, headers: &HeaderMap) -> Result<(), RequestRefusal> {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        if given.is_some_and(|given| self.token.is(given)) { Ok(()) } else { Err(RequestRefusal::Token) }
    }
}
