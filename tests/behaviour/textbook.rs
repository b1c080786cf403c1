//! Connect Four as the coursework's programs search it, written out here: `--depth N` searches the same nodes and finds
//! the same scores, also where a side has one column left.

use crate::sessions::{json, say, session};
use ggp::repl::{Session, evaluate};

const WIDTH: i32 = 7;
const HEIGHT: i32 = 6;

/// Columns from the bottom: 1 for a disc of red, -1 for one of yellow.
#[derive(Clone, Default)]
struct Board([Vec<i32>; 7]);

impl Board {
    /// Reads rows from the top, as `set board` does.
    fn read(rows: &str) -> Self {
        let mut board = Self::default();
        for row in rows.split('/').rev() {
            for (column, disc) in board.0.iter_mut().zip(row.chars()).filter(|(_, disc)| *disc != '.') {
                column.push(if disc == 'R' { 1 } else { -1 });
            }
        }
        board
    }

    fn disc(&self, (x, y): (i32, i32)) -> i32 {
        let column = usize::try_from(x).ok().and_then(|x| self.0.get(x));
        column.zip(usize::try_from(y).ok()).and_then(|(column, y)| column.get(y)).copied().unwrap_or(0)
    }

    fn has_four(&self, side: i32) -> bool {
        lines().any(|line| line.into_iter().all(|square| self.disc(square) == side))
    }

    /// The weights of the discs of red less those of yellow.
    fn score(&self) -> i32 {
        lines().flatten().map(|square| self.disc(square)).sum()
    }
}

/// The squares of each line of four.
fn lines() -> impl Iterator<Item = [(i32, i32); 4]> {
    let squares = (0..WIDTH).flat_map(|x| (0..HEIGHT).map(move |y| (x, y)));
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let all = squares.flat_map(move |(x, y)| {
        directions.map(move |(right, up)| [0, 1, 2, 3].map(|step| (x + step * right, y + step * up)))
    });
    all.filter(|line| line.iter().all(|&(x, y)| (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y)))
}

/// The number of lines of four through a square.
fn weight(square: (i32, i32)) -> usize {
    lines().filter(|line| line.contains(&square)).count()
}

/// The variants of the coursework.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Variant {
    Negamax,
    AlphaBeta,
    /// Moves to squares of greater weight first.
    Ordered,
}

struct Search {
    board: Board,
    variant: Variant,
    calls: u64,
}

impl Search {
    /// The score for the side to move.
    fn negamax(&mut self, side: i32, depth: u32, mut alpha: f64, beta: f64) -> f64 {
        self.calls += 1;
        if self.board.has_four(-side) {
            return f64::NEG_INFINITY;
        }
        let mut open: Vec<usize> = (0..7).filter(|&column| self.board.0[column].len() < 6).collect();
        if open.is_empty() {
            return 0.0;
        }
        if depth == 0 {
            return f64::from(side * self.board.score());
        }
        if self.variant == Variant::Ordered {
            let landing = |column: usize| (column as i32, self.board.0[column].len() as i32);
            open.sort_by_key(|&column| std::cmp::Reverse(weight(landing(column))));
        }
        let mut best = f64::NEG_INFINITY;
        for column in open {
            self.board.0[column].push(side);
            best = best.max(-self.negamax(-side, depth - 1, -beta, -alpha));
            self.board.0[column].pop();
            alpha = alpha.max(best);
            if self.variant != Variant::Negamax && alpha >= beta {
                break;
            }
        }
        best
    }
}

/// The coursework's position, in which yellow is to move and three columns are open.
const ROWS: &str = ".Y.Y.YY/.Y.Y.YR/.R.R.RY/.Y.Y.YR/RR.YRRR/RRYRYRR";
/// Moves from there, behind which two columns are open, and after the last one only one.
const MOVES: [usize; 8] = [5, 5, 5, 5, 1, 1, 1, 1];

/// A session in the position after the first of the moves.
fn session_after(moves: usize) -> Session {
    let set = format!("set board {ROWS} [control(yellow)]");
    let moves = MOVES[..moves].iter().map(|column| format!("do drop({column})"));
    let lines: Vec<String> = ["load connect_four".to_string(), set].into_iter().chain(moves).collect();
    session(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_depth_is_a_number_of_joint_moves() {
    for moves in [0, 4, 6, 7, 8] {
        let (mut session, mut side) = (session_after(moves), -1);
        let mut board = Board::read(ROWS);
        for column in &MOVES[..moves] {
            board.0[column - 1].push(side);
            side = -side;
        }
        for depth in 1..=9 {
            for (variant, command) in [
                (Variant::Negamax, "negamax"),
                (Variant::Negamax, "minimax"),
                (Variant::AlphaBeta, "alphabeta"),
                (Variant::Ordered, "alphabeta --order estimate"),
            ] {
                let mut textbook = Search { board: board.clone(), variant, calls: 0 };
                let score = textbook.negamax(side, depth, f64::NEG_INFINITY, f64::INFINITY);
                let mover = if side > 0 { "red" } else { "yellow" };
                let line = format!("{command} {mover} --depth {depth} --eval connect_four_weights");
                let answer = json(&mut session, &line);
                let found = match (answer["utility"].as_f64(), answer["estimate"].as_f64()) {
                    (Some(100.0), _) => f64::INFINITY,
                    (Some(0.0), _) => f64::NEG_INFINITY,
                    (Some(_), _) => 0.0,
                    (None, estimate) => estimate.unwrap_or(f64::NAN),
                };
                assert_eq!(
                    (found, answer["cost"]["nodes"].as_u64()),
                    (score, Some(textbook.calls)),
                    "after {moves} moves: {line}"
                );
            }
        }
    }
}

#[test]
fn forced_moves_are_followed_if_that_is_asked_for() {
    let mut session = session_after(6);
    let mut cost = |search: &str, count: &str| json(&mut session, search)["cost"][count].as_u64().expect("a cost");
    for search in ["minimax", "negamax", "alphabeta", "paranoid", "maxn", "expectimax", "expectiminimax", "nash"] {
        let [plain, extended, whole] = [" --depth 3", " --depth 3 --extend-forced", ""]
            .map(|limit| cost(&format!("{search} yellow{limit}"), "nodes"));
        assert!(plain < extended && extended <= whole, "{search}: {plain}, {extended}, {whole}");
    }
    for search in ["iterative", "analyse --algorithm alphabeta"] {
        assert_eq!(cost(&format!("{search} --depth 3"), "depth"), 3, "{search}");
        assert!(cost(&format!("{search} --depth 3 --extend-forced"), "depth") > 3, "{search}");
    }
}

#[test]
fn the_option_is_for_searches_of_several_players() {
    let mut session = session(&["load eight_puzzle"]);
    let error = evaluate(&mut session, "bfs --extend-forced").expect_err("it has no such option").to_string();
    assert!(error.contains("`bfs` has no option `--extend-forced`"), "{error}");
    say(&mut session, "load tic_tac_toe");
    let error =
        evaluate(&mut session, "analyse --algorithm mcts --extend-forced").expect_err("not for games at random");
    assert!(error.to_string().contains("`--extend-forced` is for `alphabeta`"), "{error}");
}
