//! Access control: a player on a user's machine must not obey every web page that the user opens.
//!
//! Two headers that web pages cannot forge decide. `Host` is the name under which the player was addressed: a page
//! whose own name resolves to this machine (DNS rebinding) sends that name. `Origin` is the page that sends the
//! request; programs send none.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The names under which a player may be addressed, and the web pages that may send requests.
///
/// The default allows the names of this machine's loopback interface and no web page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    bound: Option<IpAddr>,
    names: Vec<HostName>,
    origins: Vec<PageOrigin>,
}

/// A host as in a `Host` header, without the port: a name or an IP address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

/// A text that is not the name of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of a host: letters, digits, `.`, `-` and `_` are allowed, or an IP address; no port")]
pub struct HostNameError(String);

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<Self, HostNameError> {
        let plain = without_brackets(text);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let is_host = plain.parse::<IpAddr>().is_ok() || (!text.is_empty() && text.chars().all(is_name));
        if is_host { Ok(Self(normal(plain))) } else { Err(HostNameError(text.to_string())) }
    }
}

/// The web pages of one origin (`http://host:port`), or of any (`*`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageOrigin {
    /// All web pages, written `*`.
    Any,
    /// The pages of this origin.
    One(String),
}

/// A text that is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the origin of web pages: `SCHEME://HOST` or `SCHEME://HOST:PORT` without a path is needed, or `*`"
)]
pub struct PageOriginError(String);

impl FromStr for PageOrigin {
    type Err = PageOriginError;

    fn from_str(text: &str) -> Result<Self, PageOriginError> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let error = || PageOriginError(text.to_string());
        let (scheme, authority) = text.split_once("://").ok_or_else(error)?;
        let is_scheme = !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let is_authority =
            !authority.is_empty() && authority.chars().all(|c| c.is_ascii_graphic() && !"/?#@*".contains(c));
        if is_scheme && is_authority { Ok(Self::One(text.to_ascii_lowercase())) } else { Err(error()) }
    }
}

impl fmt::Display for PageOrigin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("*"),
            Self::One(origin) => formatter.write_str(origin),
        }
    }
}

impl Access {
    /// Allows requests to the address on which the player listens. If that is all addresses of the machine (`0.0.0.0`,
    /// `::`), allows requests to any IP address, since DNS rebinding needs a name.
    pub fn with_bound(mut self, address: IpAddr) -> Self {
        self.bound = Some(address);
        self
    }

    /// Allows requests under another name.
    pub fn with_name(mut self, name: HostName) -> Self {
        self.names.push(name);
        self
    }

    /// Allows requests from web pages of this origin.
    pub fn with_origin(mut self, origin: PageOrigin) -> Self {
        self.origins.push(origin);
        self
    }

    /// Whether a request under this authority (`HOST` or `HOST:PORT`) is for this player.
    pub fn allows_host(&self, authority: &str) -> bool {
        let host = normal(host_of(authority));
        let address: Option<IpAddr> = host.parse().ok();
        host == "localhost"
            || self.names.iter().any(|name| name.0 == host)
            || address.is_some_and(|address| {
                address.is_loopback() || self.bound.is_some_and(|bound| bound.is_unspecified() || bound == address)
            })
    }

    /// The value of the header `Access-Control-Allow-Origin` for pages of this origin, if they may send requests.
    pub(super) fn allowed_origin(&self, origin: &str) -> Option<String> {
        let found = self.origins.iter().find(|allowed| match allowed {
            PageOrigin::Any => true,
            PageOrigin::One(allowed) => allowed.eq_ignore_ascii_case(origin),
        });
        found.map(PageOrigin::to_string)
    }
}

/// The host of an authority: the part before the port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        // The last colon of `[::1]` is inside the brackets.
        Some((host, port)) if !port.contains(']') => without_brackets(host),
        _ => without_brackets(authority),
    }
}

fn without_brackets(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

/// A host in lower case, without the full stop that may end a complete name.
fn normal(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}
