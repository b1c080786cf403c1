//! The tournament of a class: its file, its matches, and what it writes.

use crate::faults::{Peer, read_request};
use crate::ggp::ggp;
use crate::served::{Served, legal, options};
use ggp::play::{Deadline, LastTurn, Player, PlayerError, Start};
use ggp::protocol::http::ConnectionLimits;
use ggp::rules::GroundTerm;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

/// A folder for a tournament, which is empty at first, and the file in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, file: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tournament_{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("class.txt"), file).expect("a file can be written");
        Self(folder)
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let file = self.0.join("class.txt").display().to_string();
        let first = ["server", "--engine", "interpreter", "--tournament"].map(str::to_string);
        first.into_iter().chain([file]).chain(more.iter().map(|text| text.to_string())).collect()
    }

    fn run(&self, more: &[&str]) -> Output {
        ggp().args(self.arguments(more)).output().expect("the program ends")
    }

    /// The answer of a tournament that is played to its end.
    fn played(&self, more: &[&str]) -> String {
        let output = self.run(more);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        self.shown(&output.stdout)
    }

    /// The message of a tournament that cannot be played.
    fn refused(&self, more: &[&str]) -> String {
        let output = self.run(more);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        self.shown(&output.stderr)
    }

    /// A text with a short name for the folder.
    fn shown(&self, text: &[u8]) -> String {
        String::from_utf8_lossy(text).replace(&self.0.display().to_string(), "DIR")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join("class.results").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of the records with their texts, sorted.
    fn records(&self) -> Vec<(String, String)> {
        let Ok(entries) = fs::read_dir(self.0.join("class.results/matches")) else { return Vec::new() };
        let names =
            entries.map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("text"));
        // Files that are being written have other endings.
        let names = names.filter(|name| name.ends_with(".json"));
        let mut records: Vec<_> = names.map(|name| (name.clone(), self.read(&format!("matches/{name}")))).collect();
        records.sort();
        records
    }
}

/// A player that takes some time for each move.
struct Slow(Box<dyn Player>);

impl Player for Slow {
    fn name(&self) -> String {
        self.0.name()
    }

    fn start(&mut self, start: &Start, deadline: Deadline) -> Result<(), PlayerError> {
        self.0.start(start, deadline)
    }

    fn play(&mut self, last: &LastTurn, deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        std::thread::sleep(Duration::from_millis(60));
        self.0.play(last, deadline)
    }

    fn stop(&mut self, last: &LastTurn, deadline: Deadline) -> Result<(), PlayerError> {
        self.0.stop(last, deadline)
    }

    fn abort(&mut self) {
        self.0.abort();
    }
}

/// Answers the messages of a match; `play` with this text, or never.
fn answering(play: Option<&'static str>) -> Peer {
    Peer::new(move |mut stream| {
        let request = String::from_utf8_lossy(&read_request(&mut stream)).into_owned();
        let (_, message) = request.split_once("\r\n\r\n").expect("it is a request");
        let answer = match message.split([' ', ')']).next() {
            Some("(info") => Some("((name peer) (status available))"),
            Some("(start") => Some("ready"),
            Some("(play") => play,
            _ => Some("done"),
        };
        match answer {
            Some(answer) => {
                let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", answer.len());
                let _ = stream.write_all(format!("{head}{answer}").as_bytes());
            }
            None => _ = stream.read_to_end(&mut Vec::new()),
        }
    })
}

#[cfg(unix)]
#[test]
fn a_tournament_that_was_stopped_goes_on() {
    let slow = Served::with(|| Box::new(Slow(legal())), options(), ConnectionLimits::default());
    let players = [slow, Served::player("alphabeta:depth=2"), Served::player("alphabeta:depth=1")];
    let [slow, deep, short] = players.each_ref().map(|player| player.port);
    let folder = Folder::new(
        "stopped",
        &format!(
            "% Three players on two games.\n\
             games = tic_tac_toe, nim\nstart clock = 20\nplay clock = 20\nwait = 20\n\n\
             player slow = 127.0.0.1:{slow}\nplayer deep = 127.0.0.1:{deep}\nplayer short = 127.0.0.1:{short}\n"
        ),
    );
    let child = ggp().args(folder.arguments(&[])).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    while folder.records().len() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().expect("there is a `kill`").success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let before = folder.records();
    assert!((2..12).contains(&before.len()), "it was stopped in the middle: {}", before.len());
    let text = folder.shown(&output.stdout);
    assert!(text.contains(&format!("{} of 12 matches", before.len())), "{text}");

    insta::assert_snapshot!("a_tournament_that_went_on", folder.played(&[]));
    let after = folder.records();
    assert_eq!(after.len(), 12);
    for record in &before {
        assert!(after.contains(record), "{} was not played again", record.0);
    }
    assert_eq!(folder.read("table.csv").lines().count(), 4);
    assert_eq!(folder.read("matches.csv").lines().count(), 25);
    assert!(folder.read("index.html").contains("<a href=\"reports/deep.txt\">deep</a>"));
    insta::assert_snapshot!("the_report_of_a_player", folder.read("reports/slow.txt"));
    // Everything is there, so nothing is played.
    drop(players);
    let json: serde_json::Value = serde_json::from_str(&folder.played(&["--json"])).expect("it is JSON");
    assert_eq!([&json["played"], &json["of"], &json["players"][0]["wins"]], [12, 12, 6], "{json}");
    assert_eq!(folder.records(), after);
}

#[test]
fn absent_and_faulty_players_are_counted_and_reported() {
    let illegal = answering(Some("(mark 9 9)"));
    let silent = answering(None);
    let missing = Peer::new(drop).port;
    let file = format!(
        "kind = ours\nours = ggp\ngames = tic_tac_toe\nstart clock = 5\nplay clock = 0.2\ngrace = 0\nwait = 0\n\
         player ggp = legal\nplayer wrong = 127.0.0.1:{}\nplayer silent = 127.0.0.1:{}\nplayer away = 127.0.0.1:{missing}\n",
        illegal.port, silent.port
    );
    let folder = Folder::new("faulty", &file);
    let answer = folder.played(&[]);
    // The reason is in the words of the system.
    let (before, reason) = answer.split_once(" (cannot connect: ").expect("it says why the player was absent");
    let (_, after) = reason.split_once(")\n").expect("the reason ends");
    insta::assert_snapshot!("absent_and_faulty_players", format!("{before}\n{after}"));
    let reports = ["wrong", "silent", "away"].map(|player| folder.read(&format!("reports/{player}.txt")));
    insta::assert_snapshot!("the_reports_of_faulty_players", reports.join("---\n"));
    for (name, _) in folder.records() {
        let file = folder.0.join("class.results/matches").join(name);
        let replayed = ggp().arg("replay").arg(file).output().expect("the program ends");
        assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    }
}

#[test]
fn a_swiss_tournament_pairs_players_who_have_not_met() {
    for (players, matches) in [(4, 8), (5, 8)] {
        let names = ["legal", "random", "alphabeta:depth=1", "deliberation", "alphabeta:depth=2"];
        let lines = (0..players).map(|index| format!("player p{index} = {}\n", names[index])).collect::<String>();
        let file = format!("kind = swiss\nrounds = 2\ngames = tic_tac_toe\nstart clock = 20\nplay clock = 20\n{lines}");
        let folder = Folder::new(&format!("swiss{players}"), &file);
        let answer = folder.played(&["--jobs", "2"]);
        assert!(
            answer.contains(&format!(
                "Swiss, 2 rounds; tic_tac_toe; 20 s to start, 20 s a move; {matches} of {matches} "
            )),
            "{answer}"
        );
        let pairs = folder.records().into_iter().map(|(name, _)| {
            let parts: Vec<String> = name.split('.').map(str::to_string).collect();
            (parts[1].clone(), parts[2].clone())
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort();
        pairs.dedup();
        assert_eq!(pairs.len(), matches, "no pair meets twice in the same seats");
        for (first, second) in &pairs {
            assert!(pairs.contains(&(second.clone(), first.clone())), "both seats: {first} {second}");
        }
    }
}

#[test]
fn games_of_one_and_of_three_roles_are_played_in_all_seats() {
    let players = "start clock = 20\nplay clock = 20\nplayer a = legal\nplayer b = random\nplayer c = legal\n";
    let cases = [
        ("", ["a.b.c", "b.c.a", "c.a.b"].to_vec()),
        ("kind = ours\nours = c\n", vec!["a.c.c", "b.c.c", "c.a.c", "c.b.c", "c.c.a", "c.c.b"]),
    ];
    for (kind, arranged) in cases {
        let folder =
            Folder::new("roles", &format!("{kind}games = three_player_tree, minimax_tree, lights_out\n{players}"));
        folder.played(&["--review-nodes", "0"]);
        let names: Vec<String> = folder.records().into_iter().map(|(name, _)| name).collect();
        let of = |game: &str| {
            let names = names.iter().filter_map(|name| name.strip_prefix(game)?.strip_suffix(".1.json"));
            names.map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of("three_player_tree."), arranged);
        assert_eq!(of("lights_out."), ["a", "b", "c"], "everyone plays alone");
        assert_eq!(of("minimax_tree.").len(), if kind.is_empty() { 6 } else { 4 });
    }
}

/// The guesser wins by the side that is not hidden, which it cannot know: its wrong guess threw no value away that it
/// could have kept.
#[test]
fn games_with_hidden_information_are_not_reviewed() {
    let file = "games = coin.hrf\nstart clock = 20\nplay clock = 20\nplayer one = legal\nplayer two = legal\n";
    let folder = Folder::new("hidden", file);
    let coin = "role(hider) role(guesser) side(a) side(b) init(hides)
        legal(hider,hide(S)) :- true(hides) & side(S) legal(hider,noop) :- true(guesses)
        legal(guesser,noop) :- true(hides) legal(guesser,guess(S)) :- true(guesses) & side(S)
        next(guesses) :- true(hides) next(over) :- true(guesses)
        next(hidden(S)) :- does(hider,hide(S)) next(hidden(S)) :- true(hidden(S))
        next(won) :- does(guesser,guess(S)) & true(hidden(T)) & distinct(S,T)
        sees(guesser,ready) :- does(hider,hide(S)) terminal :- true(over)
        goal(guesser,100) :- true(won) goal(guesser,0) :- ~true(won)
        goal(hider,0) :- true(won) goal(hider,100) :- ~true(won)\n";
    let report = |sheet: &str| {
        fs::write(folder.0.join("coin.hrf"), sheet).expect("a file can be written");
        let _ = fs::remove_dir_all(folder.0.join("class.results"));
        folder.played(&[]);
        folder.read("reports/one.txt")
    };
    let hidden = report(coin);
    assert!(hidden.contains("coin is left out: roles see only their percepts"), "{hidden}");
    assert!(!hidden.contains("leads from"), "{hidden}");
    let open = report(&coin.replace("sees(guesser,ready) :- does(hider,hide(S))", ""));
    assert!(open.contains("guess(a) leads from 100 to 0; guess(b) keeps 100"), "{open}");
}

#[test]
fn a_tournament_without_end_is_refused() {
    let players: String = (0..2_000).map(|player| format!("player p{player} = legal\n")).collect();
    for (file, count) in [
        (format!("games = nim, tic_tac_toe\n{players}"), "7,996,000"),
        (
            "games = nim\nmatches = 1000000000000\nplayer a = legal\nplayer b = random\n".to_string(),
            "2,000,000,000,000",
        ),
    ] {
        let folder = Folder::new("endless", &file);
        let talk = folder.refused(&[]);
        assert!(talk.contains(&format!("would have {count} matches, and may have 1,000,000")), "{talk}");
        assert!(folder.records().is_empty());
    }
}

#[test]
fn results_of_pages_are_in_the_table() {
    let file = "games = tic_tac_toe\nstart clock = 20\nplay clock = 20\npages = pages.jsonl\n\
                player legal = legal\nplayer other = legal\nplayer mcts = page\nplayer own = page\n";
    let folder = Folder::new("pages", file);
    let lines = "{\"game\":\"tictactoe\",\"players\":[\"mcts\",\"own\"],\"scores\":[0,100],\"over\":true,\"illegal\":[2,0],\"timeouts\":[1,0]}\n\
                 {\"game\":\"tictactoe\",\"players\":[\"own\",\"mcts\"],\"scores\":[50,50],\"over\":true}\n";
    fs::write(folder.0.join("pages.jsonl"), lines).expect("a file can be written");
    let answer = folder.played(&["--review-nodes", "0"]);
    insta::assert_snapshot!("a_table_with_pages", answer + &folder.read("reports/mcts.txt"));
    fs::write(folder.0.join("pages.jsonl"), lines.replace("own", "others")).expect("a file can be written");
    let talk = folder.refused(&[]);
    assert!(talk.contains("pages.jsonl:1: the tournament has no player `others`"), "{talk}");
}

#[test]
fn records_of_other_tournaments_are_refused() {
    let file = "games = tic_tac_toe\nplay clock = 20\nplayer one = legal\nplayer two = legal\n";
    let folder = Folder::new("other", file);
    folder.played(&["--review-nodes", "0"]);
    fs::write(folder.0.join("class.txt"), file.replace("20", "5")).expect("a file can be written");
    let talk = folder.refused(&[]);
    assert!(talk.contains("tic_tac_toe.one.two.1.json: this is not the record of the match"), "{talk}");
    assert!(talk.contains("with 30 s to start and 20 s a move"), "{talk}");
    fs::write(folder.0.join("class.txt"), file).expect("a file can be written");
    let path = folder.0.join("class.results/matches/tic_tac_toe.one.two.1.json");
    let record = fs::read_to_string(&path).expect("there is a record");
    fs::write(&path, record.replace("[100,0]", "[0,100]")).expect("a file can be written");
    assert!(folder.refused(&[]).contains("the goal values are [0, 100], and the rules give [100, 0]"));
    let own = folder.0.join("own");
    fs::create_dir_all(own.join("notes")).expect("a folder can be made");
    let talk = folder.refused(&["--results", own.to_str().expect("the path is text")]);
    assert!(talk.contains("this is not the folder of a tournament"), "{talk}");
}

#[test]
fn mistakes_in_the_file_have_positions() {
    let players = "player a = legal\nplayer b = random\n";
    let files = [
        "",
        "% Nothing but a comment.\n",
        "games = tic_tac_toe\nplayer a = legal\n",
        "games = tic_tac_toe\nplayer a = legal\nplayer a = random\n",
        "games = tic_tac_toe\nplayer a b = legal\n",
        "games = tic_tac_toe\nplayer a = legl\n",
        "games = tic_tac_toe\nplayer a = localhost:1\nplayer b = localhost:1\n",
        "games = tic_tac_toe\nplayer a = page\nplayer b = legal\n",
        "games tic_tac_toe\n",
        "game = tic_tac_toe\n",
        "games =\n",
    ];
    let settings = [
        "games = tic_tac_to",
        "games = tic_tac_toe, , nim",
        "games = tic_tac_toe\ngames = tic_tac_toe",
        "games = tic_tac_toe\nplay clock = soon",
        "games = tic_tac_toe\nplay clock = 5\nplay clock = 6",
        "games = tic_tac_toe\nkind = swis",
        "games = tic_tac_toe\nkind = swiss",
        "games = tic_tac_toe\nkind = swiss\nrounds = 7",
        "games = lights_out\nkind = swiss\nrounds = 1",
        "games = tic_tac_toe\nkind = ours",
        "games = tic_tac_toe\nkind = ours\nours = c",
        "games = tic_tac_toe\nrounds = 2",
        "games = tic_tac_toe\nmatches = 0",
    ];
    let settings = settings.iter().map(|text| format!("{text}\n{players}"));
    let mut shown = String::new();
    for file in files.iter().map(|text| text.to_string()).chain(settings) {
        let folder = Folder::new("mistakes", &file);
        shown += &folder.refused(&[]);
        shown += "\n";
        assert!(!folder.0.join("class.results").exists(), "nothing is written");
    }
    insta::assert_snapshot!("mistakes_in_the_file", shown);
    let folder = Folder::new("missing", "");
    fs::remove_file(folder.0.join("class.txt")).expect("it is there");
    let talk = folder.refused(&[]);
    assert!(talk.contains("cannot read DIR/class.txt"), "{talk}");
    let output = folder.run(&["tic_tac_toe"]);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{talk}");
    assert!(talk.contains("cannot be used with"), "{talk}");
    for option in ["--results", "--jobs", "--review-nodes"] {
        let output = ggp().args(["server", "tic_tac_toe", "legal", "legal", option, "1"]).output();
        let output = output.expect("the program ends");
        let talk = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && talk.contains("cannot be used with"), "{option}: {talk}");
    }
}
