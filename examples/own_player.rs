//! A player of one's own: it plays a match against a player of this library, and a match over the GGP protocol.
//!
//!     cargo run --release --example own_player

use ggp::game::JointMoves;
use ggp::play::Strategy;
use ggp::play::{Arena, Clocks, Deadline, MatchRecord, Participant, Player, PlayerError, PlayerSpec, Position, Seat};
use ggp::protocol::http::{Access, ConnectionLimits, serve};
use ggp::protocol::{Host, HostOptions, RemotePlayer};
use ggp::{Game, Move, Reasoner};
use std::error::Error;
use std::io::{self, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Leaves the others as few moves as it can.
struct Confining;

impl Strategy for Confining {
    fn name(&self) -> String {
        "confining".to_string()
    }

    /// Asked only where the role has a choice; the participant around it answers when time is over.
    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let Position { engine, state, role, .. } = position;
        let mut joint_moves = JointMoves::in_state(engine, state)?;
        let mut best: Option<(usize, Move)> = None;
        for (index, chosen) in joint_moves.legal(*role).to_vec().into_iter().enumerate() {
            if stop.is_over() {
                break;
            }
            joint_moves.hold(*role, index);
            let next = engine.next_state(state, joint_moves.current())?;
            // An end of the game leaves them no move at all.
            let freedom = if engine.is_terminal(&next)? { 0 } else { JointMoves::in_state(engine, &next)?.count() };
            if best.is_none_or(|(least, _)| freedom < least) {
                best = Some((freedom, chosen));
            }
        }
        Ok(best.map(|(_, chosen)| chosen))
    }
}

fn player() -> Box<dyn Player> {
    Box::new(Participant::new(Confining))
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}

/// Plays both matches and writes their results.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    // Both players of the match are in this process.
    let mut game = Game::library("tic_tac_toe")?;
    game.engine()?;
    let clocks = Clocks { start: Duration::from_secs(5), play: Duration::from_secs(5) };
    let arena = Arena::new(Arc::new(game), clocks, 1);
    let random = || Seat::new("random".parse::<PlayerSpec>().expect("there is such a player").make(1));
    let here = arena.play(&mut [Seat::new(player()), random()])?;
    write_result(out, &here)?;

    // The player listens on a port, as `ggp player` does, and whoever knows the protocol can invite it: here a manager
    // in this process.
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string().parse()?;
    let host =
        Arc::new(Host::new(|_| player(), HostOptions { name: "confining".to_string(), ..HostOptions::default() }));
    let done = AtomicBool::new(false);
    let there = thread::scope(|scope| {
        let server = scope.spawn(|| serve(listener, host, Access::default(), ConnectionLimits::default(), &done));
        let mut seats = [Seat::new(Box::new(RemotePlayer::new(address)?)), random()];
        let record = arena.play(&mut seats);
        done.store(true, Ordering::Relaxed);
        server.join().expect("the server does not panic")?;
        Ok::<MatchRecord, Box<dyn Error>>(record?)
    })?;
    write_result(out, &there)?;
    Ok(())
}

/// Who played, how many moves, and what the end was worth.
fn write_result(out: &mut impl Write, record: &MatchRecord) -> io::Result<()> {
    for (name, utility) in record.player_names_from_host.iter().zip(&record.goal_values) {
        write!(out, "{name}: {} ", utility.map_or("none".to_string(), |utility| utility.to_string()))?;
    }
    writeln!(out, "after {} joint moves", record.moves.len())
}
