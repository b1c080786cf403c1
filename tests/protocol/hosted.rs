//! Peers cannot make a player work without end, accumulate threads, or exceed its limits.

use crate::served::{Served, kif, legal, options};
use ggp::play::{Deadline, LastTurn, Player, PlayerError, PlayerKind, PlayerSpec, Start, ThreadGroups};
use ggp::protocol::http::ConnectionLimits;
use ggp::protocol::{Host, HostLimits, HostOptions, Message, Refusal, Reply};
use ggp::quantity::Size;
use ggp::rules::GroundTerm;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Every fifth tuple of 60 constants holds next: 777,600,000 facts, more than any machine can store.
fn heavy_next() -> String {
    let facts: String = (0..60).map(|index| format!("(n {index}) ")).collect();
    format!(
        "(role r) (init (s 0 0 0 0 0)) {facts} (legal r x) (<= terminal (true (s z z z z z))) (goal r 100) \
         (<= (next (s ?a ?b ?c ?d ?e)) (true (s ?z ?y ?x ?w ?v)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))"
    )
}

/// Setting up these rules takes hours: a static relation of 60 facts, derived in 60 to the seventh ways.
pub(crate) fn heavy_set_up() -> String {
    let facts: String = (0..60).map(|index| format!("(n {index}) ")).collect();
    format!(
        "(role r) (init s) {facts} (legal r x) (<= terminal (big a)) (goal r 100) (<= (next s) (true s)) \
         (<= (big ?g) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (distinct ?a ?b) (distinct ?b ?c) (distinct ?c ?d) \
         (distinct ?d ?e) (distinct ?e ?f) (distinct ?f ?g) (distinct ?a ?g))"
    )
}

/// From the second state on there are more moves than any budget of grounding is enough for; the first state has one.
fn endless_grounding() -> String {
    let facts: String = (0..60).map(|index| format!("(n {index}) ")).collect();
    format!(
        "(role r) (init off) {facts} (<= (legal r wait) (true off)) (<= (next on) (true off)) (<= terminal (true end)) (goal r 0) \
         (<= (legal r (dial ?a ?b ?c ?d ?e ?f)) (true on) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))"
    )
}

fn host(limits: HostLimits) -> Host {
    let options = HostOptions { limits, ..options() };
    Host::new(|_| PlayerSpec::from(PlayerKind::Legal).make(0), options)
}

fn say(host: &Host, message: &str) -> Result<Reply, Refusal> {
    host.answer(&Message::parse(message).expect("it is a message"), Instant::now())
}

fn small(id: &str) -> String {
    format!("(start {id} xplayer ({}) 20 20)", kif("tic_tac_toe"))
}

/// Waits until this number of threads work; at most 20 s.
fn wait_for_works(host: &Host, works: usize) {
    let end = Deadline::after(Duration::from_secs(20));
    while host.works() != works {
        assert!(!end.is_over(), "{} threads work, not {works}", host.works());
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn stopping_or_aborting_a_match_ends_its_work() {
    for end in ["(stop m (x))", "(abort m)"] {
        let host = host(HostLimits::default());
        assert_eq!(say(&host, &format!("(start m r ({}) 1 1)", heavy_next())), Ok(Reply::Ready));
        assert_eq!(say(&host, "(play m nil)"), Ok(Reply::Move(ggp::rules::GroundTerm::symbol("x"))));
        assert_eq!(host.works(), 2);
        assert!(say(&host, end).is_ok());
        wait_for_works(&host, 0);
        assert_eq!(say(&host, &small("n")), Ok(Reply::Ready));
    }
}

#[test]
fn players_of_other_matches_and_roles_draw_other_numbers() {
    let numbers = Arc::<Mutex<BTreeSet<u64>>>::default();
    // As on two machines: each host counts its own matches.
    for role in ["xplayer", "oplayer"] {
        let kept = numbers.clone();
        let host = Host::new(
            move |number| {
                kept.lock().expect("no test panics with it").insert(number);
                legal()
            },
            options(),
        );
        for id in ["m", "n"] {
            let start = format!("(start {id} {role} ({}) 20 20)", kif("tic_tac_toe"));
            assert_eq!(say(&host, &start), Ok(Reply::Ready));
            assert_eq!(say(&host, &format!("(abort {id})")), Ok(Reply::Aborted));
        }
    }
    assert_eq!(numbers.lock().expect("no test panics with it").len(), 4);
}

#[test]
fn a_question_beyond_the_memory_limit_does_not_block_the_match() {
    let host = host(HostLimits { memory: 64 << 20, ..HostLimits::default() });
    assert_eq!(say(&host, &format!("(start m r ({}) 20 20)", heavy_next())), Ok(Reply::Ready));
    assert!(say(&host, "(play m nil)").is_ok());
    let refusal = say(&host, "(play m (x))").expect_err("the facts exceed the memory limit");
    assert!(refusal.to_string().contains("8 MiB of memory"), "{refusal}");
    assert_eq!(say(&host, "(stop m (x))"), Ok(Reply::Done));
    wait_for_works(&host, 0);
}

#[test]
fn a_match_aborted_during_set_up_leaves_no_thread() {
    let host = host(HostLimits::default());
    for round in 0..5 {
        let start = format!("(start m{round} r ({}) 60 60)", heavy_set_up());
        thread::scope(|scope| {
            let starting = scope.spawn(|| say(&host, &start));
            // The match has not begun yet if the thread of the previous match has not ended.
            while say(&host, &format!("(abort m{round})")) != Ok(Reply::Aborted) {
                assert!(host.works() <= 1 && !starting.is_finished());
                thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(starting.join().expect("no thread panics"), Ok(Reply::Busy), "there is no such match any more");
        });
    }
    wait_for_works(&host, 0);
    assert_eq!(say(&host, &small("n")), Ok(Reply::Ready));
    assert_eq!(host.works(), 2, "a thread for the match, and one for the player");
}

#[test]
fn there_is_one_preview_at_a_time_and_a_match_ends_it() {
    let host = host(HostLimits::default());
    let preview = format!("(preview ({}) 60)", heavy_set_up());
    thread::scope(|scope| {
        let previewing = scope.spawn(|| say(&host, &preview));
        wait_for_works(&host, 1);
        for _ in 0..20 {
            assert_eq!(say(&host, &preview), Ok(Reply::Busy));
        }
        assert_eq!(host.works(), 1);
        assert_eq!(say(&host, &small("m")), Ok(Reply::Ready));
        assert_eq!(previewing.join().expect("no thread panics"), Ok(Reply::Busy), "it has made room");
        assert_eq!(host.works(), 2, "those of the match");
        assert_eq!(say(&host, &preview), Ok(Reply::Busy));
    });
}

#[test]
fn a_preview_ends_with_its_clock() {
    let host = host(HostLimits::default());
    assert_eq!(say(&host, &format!("(preview ({}) 1)", heavy_set_up())), Ok(Reply::Ready));
    wait_for_works(&host, 0);
}

/// A player that never returns from one of its methods, until the flag is set.
struct Stuck {
    released: Arc<AtomicBool>,
    in_play: bool,
}

impl Stuck {
    fn hang(&self) {
        while !self.released.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Player for Stuck {
    fn name(&self) -> String {
        "stuck".to_string()
    }

    fn start(&mut self, _start: &Start, _deadline: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    fn play(&mut self, _last: &LastTurn, _deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        self.hang();
        Err(PlayerError::Late)
    }

    fn stop(&mut self, _last: &LastTurn, _deadline: Deadline) -> Result<(), PlayerError> {
        self.abort();
        Ok(())
    }

    fn abort(&mut self) {
        if !self.in_play {
            self.hang();
        }
    }
}

/// A host of stuck players, and what releases them.
fn stuck(in_play: bool, grace: Duration) -> (Host, Arc<AtomicBool>) {
    let released = Arc::new(AtomicBool::new(false));
    let flag = released.clone();
    let limits = HostLimits { grace, ..HostLimits::default() };
    let host =
        Host::new(move |_| Box::new(Stuck { released: flag.clone(), in_play }), HostOptions { limits, ..options() });
    (host, released)
}

#[test]
fn a_player_that_never_returns_loses_its_match_and_not_the_place() {
    for end in ["(stop m ((mark 1 1) noop))", "(abort m)"] {
        let (host, released) = stuck(true, Duration::from_millis(200));
        assert_eq!(say(&host, &format!("(start m xplayer ({}) 20 1)", kif("tic_tac_toe"))), Ok(Reply::Ready));
        assert!(matches!(say(&host, "(play m nil)"), Ok(Reply::Move(_))), "a legal move in its place");
        assert!(say(&host, end).is_ok());
        assert_eq!(say(&host, &small("n")), Ok(Reply::Ready), "the place is free after the grace");
        assert_eq!(host.works(), 3, "two threads of this match, and one that hangs");
        assert_eq!(say(&host, &small("o")), Ok(Reply::Busy), "there is one match at a time all the same");
        released.store(true, Ordering::Relaxed);
        wait_for_works(&host, 2);
    }
}

#[test]
fn players_that_never_return_do_not_pile_up_for_ever() {
    let (host, released) = stuck(false, Duration::ZERO);
    let start = |id: usize| say(&host, &format!("(start m{id} xplayer ({}) 2 2)", kif("tic_tac_toe")));
    for id in 0..ThreadGroups::MOST_ABANDONED {
        assert_eq!(start(id), Ok(Reply::Ready));
        assert_eq!(say(&host, &format!("(abort m{id})")), Ok(Reply::Aborted));
        wait_for_works(&host, id + 1);
    }
    assert_eq!(start(100), Ok(Reply::Busy));
    released.store(true, Ordering::Relaxed);
    wait_for_works(&host, 0);
    assert_eq!(start(101), Ok(Reply::Ready));
}

#[test]
fn a_network_that_is_set_up_in_the_background_counts_as_work() {
    let limits = HostLimits::default();
    let host =
        Host::new(|_| PlayerSpec::from(PlayerKind::Growing).make(0), HostOptions { limits, ..HostOptions::default() });
    thread::scope(|scope| {
        let starting = scope.spawn(|| say(&host, &format!("(start m r ({}) 60 60)", endless_grounding())));
        wait_for_works(&host, 3);
        assert_eq!(say(&host, "(abort m)"), Ok(Reply::Aborted));
        assert_eq!(starting.join().expect("no thread panics"), Ok(Reply::Busy));
    });
    wait_for_works(&host, 0);
}

#[test]
fn a_search_may_keep_what_the_engines_of_its_match_may_not() {
    let limits = HostLimits { memory: 64 << 20, ..HostLimits::default() };
    assert_eq!(limits.search_memory(), 16 << 20);
    let with_default = |text: &str| {
        let spec: PlayerSpec = text.parse().expect("it is a player");
        spec.with_default("memory", &Size::new(limits.search_memory()).to_string()).to_string()
    };
    assert_eq!(with_default("mcts"), "mcts:memory=16M");
    assert_eq!(with_default("alphabeta:depth=3"), "alphabeta:depth=3,memory=16M");
    assert_eq!(with_default("mcts:memory=512M"), "mcts:memory=512M");
    assert_eq!(with_default("random"), "random", "it keeps nothing");
}

#[test]
fn rules_and_clocks_beyond_the_limits_are_rejected_at_once() {
    let limits = HostLimits { rules: 10_000, clock: Duration::from_secs(100), ..HostLimits::default() };
    let player = Served::with(legal, HostOptions { limits, ..options() }, ConnectionLimits::default());
    let rules = kif("tic_tac_toe");
    let long = format!("{rules}{}", " (padding a)".repeat(1_000));
    let too_long = format!("; the rules have {} bytes, and the limit is 10000", long.len());
    let clock = |seconds: u64| format!("; a clock of {seconds} s exceeds the limit of 100 s");
    for (message, expected) in [
        (format!("(start m xplayer ({long}) 5 5)"), too_long.clone()),
        (format!("(preview ({long}) 5)"), too_long),
        (format!("(start m xplayer ({rules}) 4000000000 5)"), clock(4_000_000_000)),
        (format!("(start m xplayer ({rules}) 5 101)"), clock(101)),
        (format!("(preview ({rules}) 101)"), clock(101)),
    ] {
        assert_eq!(player.post(&message), (422, expected));
        assert_eq!(player.say("(info)"), "((name ggp) (status available))");
    }
    assert_eq!(player.say(&format!("(start m xplayer ({rules}) 100 100)")), "ready");
}
