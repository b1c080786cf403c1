//! Command `tournament`: searches play games against each other, and a table fills while they play.

use super::mover::{Mover, play_out};
use super::{ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::{AnswerContent, TextStyle, interval, repeats_warning, share};
use crate::repl::output::{Screen, ScreenContent};
use crate::repl::{Answer, CommandError, Session};
use crate::table::Table;
use gdl::limits::Stop;
use gdl::quantity::counted_as;
use ggp_game::Role;
use ggp_game::statistics::Interval;
use ggp_play::ask::spec::{NamedOption, list};
use ggp_play::{SeatSchedule, Standing, Tally};
use serde::Serialize;
use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::sync::Arc;

pub(super) const TOURNAMENT: Command = Command {
    name: "tournament",
    operands: "SEARCH|random,…",
    options: &[OptionGroup::own(&[GAMES, SEED])],
    summary: "let searches play games against each other from the current position, each in all seats, and list their results with confidence intervals",
    example: "tournament mcts:visits=20+single,random --games 4",
    takes: ArgumentKind::Algorithm,
    ..Command::search(tournament)
};

const GAMES: NamedOption =
    NamedOption::number("--games", "N", "a number of games from 1 on", "how many games to play").default("20");
const SEED: NamedOption = NamedOption::number(
    "--seed",
    "N",
    "a whole number",
    "the seed of the first game; each further game has the next seed",
)
.default("that of the session");
/// The default number of games.
const PLAYED: u64 = 20;

/// The games, and who plays them.
struct TournamentGames {
    schedule: SeatSchedule,
    /// The seed of the first game.
    seed: u64,
    players: Vec<Mover>,
    /// The roles that players take.
    seats: Vec<Role>,
}

fn tournament(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let of = arguments.number::<NonZeroU64>(&GAMES)?.map_or(PLAYED, NonZeroU64::get);
    let seed = arguments.number(&SEED)?.unwrap_or(session.seed());
    let players = list(arguments.operands()).map(|text| Mover::read(text, arguments.command()));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = players.iter().map(Mover::name).collect();
    let current = session.current()?;
    let game = current.game.name.clone();
    let seats: Vec<Role> = Role::players(current.roles()).collect();
    if players.len() < seats.len() {
        let roles: Vec<String> = seats.iter().map(|role| current.roles()[role.index()].to_string()).collect();
        let roles = roles.join(", ");
        return Err(arguments.wrong(format!("this game needs {} players, one for each of {roles}", seats.len())));
    }
    let schedule = SeatSchedule::of_all_orders(of, players.len(), seats.len());
    let games = TournamentGames { schedule, seed, players, seats };
    let own_seed = session.seed();
    let own_random = session.random.clone();
    let board = Scoreboard { screen: session.screen(), game, of };
    let mut tally = Tally::new(&names);
    let mut different = BTreeSet::new();
    let played = games.play(session, &mut tally, &mut different, &board);
    // The random play of the session goes on as if there had been no tournament.
    session.set_seed(own_seed);
    session.random = own_random;
    let stopped = match played {
        Err(error) if tally.games + tally.aborted > 0 => Some(error.stop().ok_or(error)?),
        played => played.map(|()| None)?,
    };
    let warnings = repeats_warning(&different, tally.games + tally.aborted).into_iter().collect();
    Ok(Answer::new(Tournament { warnings, ..board.answer(&tally, stopped) }))
}

impl TournamentGames {
    /// Plays all games; each is counted when it is over, and is added to those that differ.
    fn play(
        &self,
        session: &mut Session,
        tally: &mut Tally,
        different: &mut BTreeSet<(Vec<usize>, Vec<String>)>,
        board: &Scoreboard,
    ) -> Result<(), CommandError> {
        for game in self.schedule.iter() {
            board.show(tally);
            session.set_seed(self.seed.wrapping_add(game.number));
            let played = play_out(session, |session, role, joint_moves| {
                let seat = self.seats.iter().position(|&seat| seat == role);
                let player = seat.map_or(&Mover::Random, |seat| &self.players[game.order[seat]]);
                player.choose(session, role, joint_moves)
            })?;
            let utilities: Option<Vec<_>> =
                played.utilities.map(|utilities| utilities.into_iter().map(Result::ok).collect());
            tally.add_game(game.order, utilities.as_deref());
            different.insert((game.order.to_vec(), played.moves));
        }
        Ok(())
    }
}

/// Screen with the results so far; it is cleared when this value is dropped.
struct Scoreboard {
    screen: Arc<Screen>,
    /// The name of the game.
    game: String,
    /// The number of games to play.
    of: u64,
}

impl Scoreboard {
    fn answer(&self, tally: &Tally, stopped: Option<Stop>) -> Tournament {
        Tournament::from_tally(&self.game, self.of, tally, stopped)
    }

    fn show(&self, tally: &Tally) {
        let answer = self.answer(tally, None);
        let heading = heading(&answer);
        let rows = rows(&answer);
        let answer = Some(Answer::new(answer));
        self.screen.set(Some(ScreenContent { heading, unit: "nodes", rows, answer }));
    }
}

impl Drop for Scoreboard {
    fn drop(&mut self) {
        self.screen.set(None);
    }
}

/// The results of games between searches.
#[derive(Clone, Debug, Serialize)]
struct Tournament {
    /// The name of the game.
    game: String,
    /// The number of games that ended.
    games: u64,
    /// The number of games that were abandoned because they were too long.
    abandoned: u64,
    /// The number of games that were asked for.
    of: u64,
    /// The players, in the order in which they were named.
    players: Vec<Contender>,
    /// The limit because of which not all games were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// A warning if the games repeat each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// The results of a player.
#[derive(Clone, Debug, Serialize)]
struct Contender {
    /// The player as it was named.
    player: String,
    /// The games in which its utility was greater than that of every other player; with one role, those worth 100.
    wins: u64,
    /// The games in which its utility was the greatest, shared with another player.
    draws: u64,
    /// The other games.
    losses: u64,
    /// The share of the points, from 0 to 1; `None` without a game.
    score: Option<Interval>,
    /// The mean utility; `None` without a game.
    mean: Option<Interval>,
}

impl Tournament {
    /// The results so far.
    fn from_tally(game: &str, of: u64, tally: &Tally, stopped: Option<Stop>) -> Self {
        let contender = |standing: &Standing| Contender {
            player: standing.player.clone(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            score: standing.score(),
            mean: standing.mean(),
        };
        Self {
            game: game.to_string(),
            games: tally.games,
            abandoned: tally.aborted,
            of,
            players: tally.standings.iter().map(contender).collect(),
            stopped,
            warnings: Vec::new(),
        }
    }
}

const COLUMNS: [&str; 6] = ["player", "wins", "draws", "losses", "score", "utility"];

/// The name of the game, and the numbers of games that were played and abandoned.
fn heading(answer: &Tournament) -> String {
    let &Tournament { ref game, games, abandoned, of, stopped, .. } = answer;
    let done = if games + abandoned == of { String::new() } else { format!("{} of ", games + abandoned) };
    let mut text = format!("{game}: {done}{}", counted_as(of, "game", "games"));
    if abandoned > 0 {
        text += &format!(", {abandoned} abandoned after too many plies");
    }
    if let Some(stop) = stopped {
        text += &format!(" ({stop})");
    }
    text
}

/// A row for each player.
fn rows(answer: &Tournament) -> String {
    Table::of_numbers(COLUMNS.len()).row(COLUMNS).rows(answer.players.iter().map(row)).to_string()
}

fn row(contender: &Contender) -> [String; 6] {
    let &Contender { ref player, wins, draws, losses, score, mean } = contender;
    let (score, mean) = (score.map(share), mean.map(interval));
    let [wins, draws, losses] = [wins, draws, losses].map(|games| games.to_string());
    [player.clone(), wins, draws, losses, score.unwrap_or_default(), mean.unwrap_or_default()]
}

impl AnswerContent for Tournament {
    fn kind(&self) -> &'static str {
        "tournament"
    }

    /// The heading and the table.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        format!("{}\n{}", heading(self), rows(self))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }
}
