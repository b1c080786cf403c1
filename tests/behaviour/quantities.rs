//! Numbers as people write them: sizes of memory, seconds, decimals; and limits, which say what was given.

use ggp::Utility;
use ggp::limits::{Limits, Stop};
use ggp::quantity::{QuantityError, Seconds, Size};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[test]
fn sizes_are_read_as_they_are_printed() {
    for (text, bytes, printed) in [
        ("500M", 500 << 20, "500M"),
        ("500", 500 << 20, "500M"),
        ("1024", 1 << 30, "1G"),
        ("2g", 2 << 30, "2G"),
        ("64KiB", 64 << 10, "64K"),
        ("100 MiB", 100 << 20, "100M"),
        ("1023B", 1023, "1023B"),
        ("0", 0, "0B"),
    ] {
        assert_eq!(text.parse(), Ok(Size::new(bytes)), "{text}");
        assert_eq!(Size::new(bytes).to_string(), printed);
        assert_eq!(printed.parse(), Ok(Size::new(bytes)));
    }
    for wrong in ["", "M", "-1", "1.5G", "2T", "lots", "99999999999G", "1 2"] {
        assert_eq!(wrong.parse::<Size>(), Err(QuantityError::NoSize), "{wrong}");
    }
}

#[test]
fn seconds_are_read_as_they_are_printed() {
    for (text, milliseconds, printed) in [("5", 5_000, "5"), ("0.5", 500, "0.5"), ("90s", 90_000, "90"), ("0", 0, "0")]
    {
        let time = Duration::from_millis(milliseconds);
        assert_eq!(text.parse(), Ok(Seconds::from(time)), "{text}");
        assert_eq!(Seconds::from(time).to_string(), printed);
    }
    for wrong in ["", "s", "-1", "inf", "NaN", "1e10", "5m", "soon"] {
        assert_eq!(wrong.parse::<Seconds>(), Err(QuantityError::NoSeconds), "{wrong}");
    }
}

#[test]
fn utilities_are_read_as_they_are_printed() {
    for text in ["0", "7", "-12", "54.5", "-0.25", "0.000001", "2147483647.999999"] {
        let utility: Utility = text.parse().unwrap();
        assert_eq!(utility.to_string(), text);
        let json = serde_json::to_string(&utility).unwrap();
        assert_eq!(serde_json::from_str::<Utility>(&json).unwrap(), utility, "{json}");
    }
    assert_eq!("+3.50".parse::<Utility>().unwrap().to_string(), "3.5");
    assert_eq!(serde_json::to_string(&[Utility::whole(8), "-1.5".parse().unwrap()]).unwrap(), "[8,-1.5]");
    assert_eq!(("-0.5".parse::<Utility>().unwrap().floor(), Utility::whole(4).floor()), (-1, 4));
    for text in ["", "-", ".5", "5.", "1e3", "0x1", "1 2", "--1", "1.2.3", "win"] {
        assert!(text.parse::<Utility>().unwrap_err().to_string().contains("number"), "{text}");
    }
    for text in ["0.1234567", "2147483648", "99999999999999999999"] {
        assert!(text.parse::<Utility>().is_err(), "{text}");
    }
}

#[test]
fn a_limit_says_what_was_given() {
    let limits = Limits::new().with_memory(3 << 20).with_time(Duration::ZERO);
    assert_eq!(limits.check(), Err(Stop::Time { limit: Duration::ZERO }));
    let stopped = limits.check_memory((3 << 20) + 1).unwrap_err();
    assert_eq!(stopped.to_string(), "the limit of 3 MiB of memory was reached");
    assert_eq!(Limits::none().check_memory(u64::MAX), Ok(()));
}

#[test]
fn a_watcher_is_called_before_each_check_is_answered() {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let limits = Limits::new().with_interrupt(flag).with_watch(Arc::new(move || set.store(true, Ordering::Relaxed)));
    assert_eq!(limits.check(), Err(Stop::Interrupted));
}
