//! `ggp serve`: whom it answers, and what a page may ask. The page itself is tested in a browser (`web/test`).

use crate::ggp::ggp;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// `ggp serve` on a free port.
struct Workbench {
    child: Child,
    port: u16,
    token: String,
}

impl Workbench {
    fn start(arguments: &[&str]) -> Self {
        let mut child = ggp()
            .args(["serve", "--port", "0", "--no-open", "--log", "off"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("there is a pipe");
        BufReader::new(output).read_line(&mut line).expect("the program prints its address");
        let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("no address: {line}"));
        let (port, token) = rest.split_once("/?token=").expect("the address has a secret");
        Self { child, port: port.parse().expect("a port is a number"), token: token.to_string() }
    }

    /// The status and the body of the response to a request with these headers.
    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String) {
        let (mut stream, length) = (self.connect(), body.len());
        let head = format!("{request} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n");
        stream.write_all((head + body).as_bytes()).expect("the server reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("the server answers");
        let status = response.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("there is a status");
        let (_, body) = response.split_once("\r\n\r\n").expect("there is a body");
        (status, body.to_string())
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout can be set");
        stream
    }

    /// The lines of the response to a line of the prompt whose progress is told.
    fn begin(&self, session: &str, line: &str) -> impl Iterator<Item = String> + use<> {
        let (mut stream, body) = (self.connect(), json!({ "line": line }).to_string());
        let (token, length) = (&self.token, body.len());
        let head = format!("POST {session}/run HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n");
        let request = format!("{head}Content-Length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).expect("the server reads");
        BufReader::new(stream).lines().map(|line| line.expect("the server answers"))
    }

    /// The statuses of all responses to requests on one connection, which are sent together or one after another.
    fn statuses(&self, requests: &[&str], at_once: bool) -> Vec<u16> {
        let stream = self.connect();
        let mut responses = BufReader::new(stream.try_clone().expect("it has another handle"));
        let mut statuses = Vec::new();
        let send = |text: &str| {
            // The server may have closed the connection.
            let _ = (&stream).write_all(text.as_bytes());
        };
        if at_once {
            send(&requests.concat());
        }
        for request in requests {
            if !at_once {
                send(request);
            }
            let Some(status) = next_status(&mut responses) else { break };
            statuses.push(status);
        }
        statuses
    }

    /// The answer to a request of the page.
    fn page(&self, request: &str, body: &Value) -> (u16, Value) {
        let headers = format!(
            "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n",
            port = self.port,
            token = self.token
        );
        let (status, text) = self.ask(request, &headers, &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// The path of a new session.
    fn session(&self) -> String {
        let (status, answer) = self.page("POST /api/sessions", &json!({}));
        assert_eq!(status, 200, "{answer}");
        format!("/api/sessions/{}", answer["session"].as_str().expect("a session has a name"))
    }

    /// The records of lines.
    fn lines(&self, session: &str, lines: &[&str]) -> Vec<Value> {
        let (status, answer) = self.page(&format!("POST {session}/lines"), &json!({ "lines": lines }));
        assert_eq!(status, 200, "{answer}");
        answer["records"].as_array().expect("there are records").clone()
    }
}

impl Drop for Workbench {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The status of the next response, whose body is read; `None` if the connection is closed.
fn next_status(responses: &mut impl BufRead) -> Option<u16> {
    let (mut status, mut length) = (None, 0);
    loop {
        let mut line = String::new();
        // The server may reset a connection that it closes.
        if responses.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(' ') {
            Some(("content-length:", text)) => length = text.parse().expect("a length is a number"),
            Some(("HTTP/1.1", text)) => status = text[..3].parse().ok(),
            None => break,
            _ => {}
        }
    }
    responses.read_exact(&mut vec![0; length]).expect("the body has arrived");
    status
}

#[test]
fn only_those_who_know_the_secret_are_answered() {
    let workbench = Workbench::start(&[]);
    let host = format!("Host: localhost:{}\r\n", workbench.port);
    let (status, page) = workbench.ask("GET /", &host, "");
    assert!(status == 200 && page.contains("<!doctype html>"), "{page}");
    for token in ["", "Authorization: Bearer 0\r\n", "Authorization: Basic 0\r\n"] {
        let (status, answer) = workbench.ask("POST /api/sessions", &format!("{host}{token}"), "{}");
        assert!(status == 401 && answer.contains("ggp serve"), "{answer}");
    }
    let right = format!("Authorization: Bearer {}\r\n", workbench.token);
    for (headers, expected) in [
        (host.clone(), 200),
        ("Host: pages.example\r\n".to_string(), 421),
        (format!("{host}Origin: http://pages.example\r\n"), 403),
        (format!("{host}Origin: http://localhost:1\r\n"), 403),
        (format!("{host}Origin: http://localhost:{}\r\n", workbench.port), 200),
    ] {
        assert_eq!(workbench.ask("POST /api/sessions", &format!("{headers}{right}"), "{}").0, expected, "{headers}");
    }
    assert_eq!(workbench.ask("GET /../Cargo.toml", &host, "").0, 404);
}

/// A page of a player runs its own scripts; only files of its folder are sent.
#[test]
fn pages_of_players_are_sent_from_their_folder() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages_of_players");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("sent/players")).expect("a folder can be made");
    for (name, text) in
        [("sent/players/my own.html", "a player"), ("sent/.hidden", "secret"), ("outside.txt", "secret")]
    {
        fs::write(folder.join(name), text).expect("a file can be written");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("outside.txt"), folder.join("sent/link.txt")).expect("a link can be made");
    let sent = folder.join("sent");
    let workbench = Workbench::start(&["--pages", sent.to_str().expect("the path is text")]);
    let host = format!("Host: localhost:{}\r\n", workbench.port);
    let response = |path: &str| {
        let mut stream = workbench.connect();
        let request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{host}\r\n");
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("the server answers");
        response
    };
    let player = response("/players/my%20own.html");
    assert!(player.starts_with("HTTP/1.1 200") && player.ends_with("\r\n\r\na player"), "{player}");
    assert!(player.contains("content-type: text/html") && !player.contains("content-security-policy"), "{player}");
    assert!(response("/").contains("content-security-policy"), "the page itself runs its own scripts alone");
    for path in
        ["/.hidden", "/link.txt", "/../outside.txt", "/%2e%2e/outside.txt", "/players", "/players/", "/none", "/%"]
    {
        let response = response(path);
        assert!(response.starts_with("HTTP/1.1 404") && !response.contains("secret"), "{path}: {response}");
    }
    let missing = ggp().args(["serve", "--pages", "/no/such/folder"]).output().expect("the program ends");
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read the folder /no/such/folder"), "{missing:?}");
}

/// A page reads no files, so networks have no names there but that of the one for the game.
#[test]
fn a_page_plays_with_the_networks_of_its_server() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("networks_of_a_server");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("own.net");
    let _ = fs::remove_file(&file);
    let file = file.to_str().expect("the path is text");
    let trained = ggp().args(["train", "tic_tac_toe", "--games", "20", "--no-matches", "--out", file]).output();
    assert!(trained.expect("the program ends").status.success());
    let workbench = Workbench::start(&["--net", folder.to_str().expect("the path is text")]);
    let session = workbench.session();
    let view = || workbench.page(&format!("GET {session}/view"), &json!({})).1["view"].clone();
    let answer = |line: &str| Value::from(workbench.lines(&session, &[line])).to_string();
    answer("load tic_tac_toe");
    assert_eq!(view()["has_network"], true, "{}", view());
    let played = answer("play mcts --net trained --visits 50");
    assert!(!played.contains("error") && played.contains("mark("), "{played}");
    let own = answer(&format!("mcts --net {file} --visits 50"));
    assert!(own.contains("files of this machine are not read here"), "{own}");
    answer("load connect_four");
    assert_eq!(view()["has_network"], false, "{}", view());
    let other = answer("mcts --net trained --visits 50");
    assert!(other.contains("this server has no network that has learned this game"), "{other}");
    fs::remove_file(file).expect("it can be removed");
    let empty = ggp().args(["serve", "--net", folder.to_str().expect("the path is text")]).output();
    let empty = empty.expect("the program ends");
    assert_eq!(empty.status.code(), Some(2), "{empty:?}");
    assert!(String::from_utf8_lossy(&empty.stderr).contains("is a network of `ggp train`"), "{empty:?}");
    let missing = ggp().args(["serve", "--net", "/no/such/file"]).output().expect("the program ends");
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    assert!(String::from_utf8_lossy(&missing.stderr).contains("/no/such/file"), "{missing:?}");
}

/// The rules of a position as a page of Stanford's course reads them.
#[test]
fn rules_are_sent_from_the_position_on() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    let ruleset = || workbench.page(&format!("GET {session}/ruleset"), &json!({})).1;
    assert!(ruleset()["error"].as_str().is_some_and(|error| error.starts_with("no game is loaded")), "{}", ruleset());
    workbench.lines(&session, &["load tic_tac_toe", "do mark(2,2)"]);
    let text = ruleset()["text"].as_str().expect("there are rules").to_string();
    assert!(text.starts_with("role(xplayer),role(oplayer),"), "{text}");
    assert!(text.contains(" :: ") && text.contains(" ==> ") && !text.contains('\n'), "{text}");
    let facts: Vec<&str> = text.split(",init(").skip(1).collect();
    assert_eq!(facts.len(), 10, "{text}");
    assert!(facts.contains(&"cell(2,2,x))") && facts.contains(&"control(oplayer))"), "{text}");
    workbench.lines(&session, &["load rock_paper_scissors"]);
    assert!(ruleset()["diagnostics"].as_array().is_some_and(|problems| !problems.is_empty()), "roles choose at once");
}

#[test]
fn every_head_of_a_connection_is_checked() {
    let workbench = Workbench::start(&[]);
    let body = r#"{"name":"sheet","text":"(role r) ; GET / HTTP/1.1"}"#;
    let host = "Host: localhost\r\n";
    let authorised = format!("{host}Authorization: Bearer {}\r\n", workbench.token);
    let length = body.len();
    let sized = format!("POST /api/check HTTP/1.1\r\n{authorised}Content-Length: {length}\r\n\r\n{body}");
    let chunked = "Transfer-Encoding: chunked\r\n";
    let chunks = format!("POST /api/check HTTP/1.1\r\n{authorised}{chunked}\r\n{length:x}\r\n{body}\r\n0\r\n\r\n");
    let get = format!("GET /index.html HTTP/1.1\r\n{host}\r\n");
    // Beside a chunked body, a length of zero makes the next request of the body.
    let hidden = format!("GET / HTTP/1.1\r\n{host}Content-Length: 0\r\n{chunked}\r\n{get}");
    let twice = format!("GET / HTTP/1.1\r\n{host}{host}\r\n");
    let cases: [(&[&str], &[u16]); 5] = [
        (&[&sized, &get, &sized], &[200, 200, 200]),
        (&[&get, &hidden, &get], &[200, 400]),
        (&[&sized, &twice, &get], &[200, 400]),
        (&[&sized, &chunks, &get], &[200, 200]),
        (&[&chunks, &hidden], &[200]),
    ];
    for (requests, expected) in cases {
        for at_once in [true, false] {
            assert_eq!(workbench.statuses(requests, at_once), expected, "{requests:#?}");
        }
    }
}

#[test]
fn idle_connections_make_room_and_answers_are_not_cut_off() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    workbench.lines(&session, &["load connect_four"]);
    let mut searching = workbench.begin(&session, "minimax");
    assert!(searching.any(|line| line.contains(r#""progress""#)));
    let mut idle: Vec<TcpStream> = Vec::new();
    for number in 0..1_000 {
        let mut stream = workbench.connect();
        if number % 2 == 0 {
            // It is idle again after the response.
            stream.write_all(b"GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("the server reads");
            let mut status = [0; 15];
            stream.read_exact(&mut status).expect("each new connection is answered");
            assert_eq!(&status, b"HTTP/1.1 200 OK");
        }
        idle.push(stream);
    }
    assert_eq!(workbench.ask("GET /", "Host: localhost\r\n", "").0, 200);
    assert!(searching.any(|line| line.contains(r#""progress""#)), "the search still tells its progress");
    let last = idle.last_mut().expect("there are connections");
    last.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("it is open");
    let mut answer = String::new();
    last.read_to_string(&mut answer).expect("the oldest have made room");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

#[test]
fn sheets_are_formatted_in_both_dialects() {
    let workbench = Workbench::start(&[]);
    let format = |text: &str, dialect: Value| {
        workbench.page("POST /api/format", &json!({ "name": "a.gdl", "text": text, "dialect": dialect }))
    };
    let infix = "legal(R,a) :- role(R)\n";
    assert_eq!(format("(<= (legal ?r a) (role ?r))", json!("infix")).1["text"], infix);
    assert_eq!(format("legal(R , a):-role(R)", Value::Null).1["text"], infix);
    assert_eq!(format(infix, json!("prefix")).1["text"], "(<= (legal ?r a) (role ?r))\n");
    let (status, answer) = format("role(a", Value::Null);
    assert_eq!(
        (status, &answer["text"], &answer["diagnostics"][0]["line"]),
        (200, &Value::Null, &json!(1)),
        "{answer}"
    );
    assert_eq!(format("role(a)", json!("klingon")).0, 400);
}

#[test]
fn lines_are_answered_as_at_the_prompt() {
    let workbench = Workbench::start(&["nim"]);
    let session = workbench.session();
    let records = workbench.lines(&session, &["load tic_tac_toe", "do mark(2,2)", "do mark(2,2)", "legal"]);
    assert_eq!(records.len(), 3, "after an error the rest is not begun: {records:?}");
    assert_eq!(records[1]["answer"]["ply"], 1);
    assert!(records[2]["error"].as_str().is_some_and(|error| error.contains("not legal")), "{records:?}");
    assert!(records[2]["text"].as_str().is_some_and(|text| text.starts_with("error")), "{records:?}");
    let (_, view) = workbench.page(&format!("GET {session}/view"), &json!({}));
    assert_eq!(view["view"]["changed"], json!([[0, 1, 1]]));
    assert_eq!(view["view"]["plies"], json!([["mark(2,2)", "noop"]]));
    let (_, targets) = workbench.page(&format!("GET {session}/targets"), &json!({}));
    let square = json!([[0, 0, 0]]);
    let corner = json!({ "role": "oplayer", "move": "mark(1,1)", "squares": square, "carried": [], "placed": square });
    assert_eq!(targets["targets"][0], corner);
    let other = workbench.session();
    assert!(workbench.lines(&other, &["legal"])[0]["error"].as_str().is_some_and(|error| error.contains("no game")));
}

#[test]
fn a_page_gets_the_text_of_the_sheet_that_it_begins_with() {
    let (_, answer) = Workbench::start(&["nim"]).page("POST /api/sessions", &json!({}));
    assert_eq!(answer["first"], json!({ "game": "nim" }));
    let workbench = Workbench::start(&["gdl/nim.gdl"]);
    let (_, answer) = workbench.page("POST /api/sessions", &json!({}));
    let sheet = &answer["first"]["sheet"];
    assert_eq!(sheet["text"], include_str!("../../gdl/nim.gdl"), "{answer}");
    let session = format!("/api/sessions/{}", answer["session"].as_str().expect("a session has a name"));
    let (_, judged) = workbench.page(&format!("POST {session}/sheet"), sheet);
    assert!(!judged["loaded"].is_null(), "{judged}");
}

#[test]
fn a_match_is_a_record_that_replay_verifies() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    let moves = ["mark(1,1)", "mark(2,2)", "mark(1,2)", "mark(3,3)", "mark(1,3)"].map(|chosen| format!("do {chosen}"));
    let lines: Vec<&str> = std::iter::once("load tic_tac_toe").chain(moves.iter().map(String::as_str)).collect();
    workbench.lines(&session, &lines);
    let players = json!({ "players": ["a person", "mcts"] });
    let (_, answer) = workbench.page(&format!("POST {session}/record"), &players);
    assert_eq!(answer["record"]["goalValues"], json!([100, 0]), "{answer}");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("page.json");
    std::fs::write(&file, answer["record"].to_string()).expect("it can be written");
    let replayed = ggp().arg("replay").arg(&file).output().expect("it ends");
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    // The page opens what it has saved, and the prompt as well.
    let (_, opened) = workbench.page("POST /api/match", &json!({ "text": answer["record"].to_string() }));
    assert_eq!(opened["game"], "tic_tac_toe", "{opened}");
    assert_eq!((&opened["lines"][1], opened["lines"].as_array().map(Vec::len)), (&json!("do noop mark(2,2)"), Some(5)));
    let restore = format!("restore {}", file.display());
    let restored = ggp().args(["eval", "tic_tac_toe", &restore, "goal"]).output();
    let restored = restored.expect("it ends");
    assert!(String::from_utf8_lossy(&restored.stdout).contains("xplayer: 100"), "{restored:?}");
    let (_, opened) = workbench.page("POST /api/match", &json!({ "text": "role(robot)" }));
    assert!(opened["error"].as_str().is_some_and(|error| error.contains("neither")), "{opened}");
    let _ = std::fs::remove_file(&file);
    workbench.lines(&session, &["set control(xplayer)"]);
    let (_, answer) = workbench.page(&format!("POST {session}/record"), &players);
    assert!(answer["error"].as_str().is_some_and(|error| error.contains("a jump to a state")), "{answer}");
}

#[test]
fn a_sheet_with_errors_does_not_replace_the_game() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    workbench.lines(&session, &["load tic_tac_toe"]);
    let load = |text: &str| {
        let sheet = json!({ "name": "mine.gdl", "text": text });
        workbench.page(&format!("POST {session}/sheet"), &sheet).1
    };
    let judged = load("role(r)\nlegal(r,");
    assert!(judged["loaded"].is_null() && judged["diagnostics"][0]["line"] == 2, "{judged}");
    assert_eq!(workbench.lines(&session, &["roles"])[0]["answer"]["roles"], json!(["xplayer", "oplayer"]));
    let judged = load("role(r)\ninit(a)\nlegal(r,go)\nnext(b) :- does(r,go)\ngoal(r,100)\nterminal :- true(b)\n");
    assert!(!judged["loaded"].is_null(), "{judged}");
    assert_eq!(workbench.lines(&session, &["legal"])[0]["answer"]["roles"][0]["moves"], json!(["go"]));
    let (_, judged) = workbench.page("POST /api/check", &json!({ "name": "x", "text": "role(X)" }));
    assert!(judged["diagnostics"].as_array().is_some_and(|all| !all.is_empty()), "{judged}");
}

#[test]
fn no_command_reads_or_writes_files_of_this_machine() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    let file = "workbench-test.svg";
    let (_, answer) = workbench.page(
        &format!("POST {session}/lines"),
        &json!({ "lines": ["load tic_tac_toe", format!("show --svg {file}")] }),
    );
    assert_eq!(answer["files"][0][0], file);
    assert!(answer["files"][0][1].as_str().is_some_and(|text| text.starts_with("<svg")), "{answer}");
    assert!(!std::path::Path::new(file).exists());
    for line in ["load Cargo.toml", "load -", "restore x.json", "load nim --from-db .", "minimax --eval ./x.gdl"] {
        let records = workbench.lines(&session, &[line]);
        assert!(records[0]["error"].is_string(), "{line}: {records:?}");
    }
}

#[test]
fn a_search_tells_its_progress_and_stops_when_the_page_goes_away() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    workbench.lines(&session, &["load connect_four"]);
    let mut lines = workbench.begin(&session, "minimax");
    assert!(lines.any(|line| line.contains(r#""progress""#)));
    drop(lines);
    // Minimax would take years: the session is free because it was stopped.
    assert_eq!(workbench.lines(&session, &["terminal"])[0]["text"], "false\n");
}

/// A page draws histograms of random games while they are played; in the end they are those of the command.
#[test]
fn a_watched_simulation_tells_its_results_so_far() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    workbench.lines(&session, &["load connect_four"]);
    let mut lines = workbench.begin(&session, "simulate --playouts 1000000000 --watch");
    assert!(lines.any(|line| line.contains(r#""progress""#) && line.contains(r#""histograms":[{"#)));
    drop(lines);
    assert_eq!(workbench.lines(&session, &["terminal"])[0]["text"], "false\n");
    let said = workbench
        .lines(&session, &["simulate --playouts 500000 --seed 3 --watch", "simulate --playouts 500000 --seed 3"]);
    assert_eq!(said[0]["text"], said[1]["text"]);
    assert_eq!(said[0]["answer"]["histograms"][2]["bins"].as_array().map(Vec::len), Some(18));
}

/// A page draws the results of a tournament while it is played.
#[test]
fn a_tournament_tells_its_results_so_far() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    workbench.lines(&session, &["load tic_tac_toe"]);
    let mut lines = workbench.begin(&session, "tournament (random),(minimax --depth 2) --games 100000");
    let told = |line: &String| line.contains(r#""of":100000"#) && line.contains(r#""score":{"#);
    assert!(lines.any(|line| line.contains(r#""progress""#) && told(&line)));
    drop(lines);
    assert_eq!(workbench.lines(&session, &["terminal"])[0]["text"], "false\n");
}

#[test]
fn mistakes_are_named() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    assert_eq!(workbench.page(&format!("POST {session}/lines"), &json!({ "line": "legal" })).0, 400);
    assert_eq!(workbench.page("POST /api/sessions/none/lines", &json!({ "lines": [] })).0, 410);
    assert_eq!(workbench.page("GET /api/nothing", &json!({})).0, 404);
    assert_eq!(workbench.page(&format!("DELETE {session}"), &json!({})).0, 200);
    assert_eq!(workbench.page(&format!("GET {session}/view"), &json!({})).0, 410);
    let output = ggp().args(["serve", "tic_tac_to"]).output().expect("it ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && talk.contains("did you mean tic_tac_toe"), "{talk}");
}

#[test]
fn a_new_session_ends_the_one_that_was_unused_for_longest() {
    let workbench = Workbench::start(&["--sessions", "3"]);
    let [first, second, third] = [(); 3].map(|()| workbench.session());
    workbench.lines(&second, &["load connect_four"]);
    let mut searching = workbench.begin(&second, "minimax");
    assert!(searching.any(|line| line.contains(r#""progress""#)));
    workbench.lines(&first, &["load tic_tac_toe"]);
    let status = |session: &str| workbench.page(&format!("GET {session}/view"), &json!({})).0;
    // The second is older than the third, and works; the first was used since.
    let fourth = workbench.session();
    assert_eq!([&first, &third, &fourth].map(|session| status(session)), [200, 410, 200]);
}

#[test]
fn a_server_whose_sessions_all_work_says_so() {
    let workbench = Workbench::start(&["--sessions", "1"]);
    let session = workbench.session();
    workbench.lines(&session, &["load connect_four"]);
    let mut searching = workbench.begin(&session, "minimax");
    assert!(searching.any(|line| line.contains(r#""progress""#)));
    let (status, answer) = workbench.page("POST /api/sessions", &json!({}));
    assert!(status == 503 && answer["error"].as_str().is_some_and(|error| error.contains("in use")), "{answer}");
    drop(searching);
}

/// More requests wait for one session than commands may run at a time.
#[test]
fn a_busy_session_does_not_delay_the_others() {
    let workbench = Workbench::start(&[]);
    let (busy, other) = (workbench.session(), workbench.session());
    workbench.lines(&busy, &["load connect_four"]);
    workbench.lines(&other, &["load tic_tac_toe"]);
    let mut searching = workbench.begin(&busy, "minimax");
    assert!(searching.any(|line| line.contains(r#""progress""#)));
    let body = r#"{"lines":["terminal"]}"#;
    let request = format!(
        "POST {busy}/lines HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{body}",
        workbench.token,
        body.len()
    );
    let send = |_| {
        let mut stream = workbench.connect();
        stream.write_all(request.as_bytes()).expect("the server reads");
        stream
    };
    let asked: Vec<TcpStream> = (0..100).map(send).collect();
    let records = workbench.lines(&other, &["terminal"]);
    assert_eq!(records[0]["text"], "false\n");
    // The search still runs, so what waits has no answer; the rest was refused at once.
    assert!(searching.any(|line| line.contains(r#""progress""#)));
    let mut waiting = Vec::new();
    for mut stream in asked {
        stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a timeout can be set");
        let mut head = [0; 4096];
        let Ok(length) = stream.read(&mut head) else {
            waiting.push(stream);
            continue;
        };
        let head = String::from_utf8_lossy(&head[..length]).to_lowercase();
        assert!(head.starts_with("http/1.1 429") && head.contains("retry-after: 1\r\n"), "{head}");
    }
    assert_eq!(waiting.len(), 16);
    drop(searching);
    for mut stream in waiting {
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout can be set");
        let mut status = [0; 15];
        stream.read_exact(&mut status).expect("those that waited are answered");
        assert_eq!(&status, b"HTTP/1.1 200 OK");
    }
}

#[test]
fn an_editor_asks_the_language_service_in_units_of_its_page() {
    let workbench = Workbench::start(&[]);
    let text = "% \u{1f3b2} dice\nrole(a)\nlegal(a,go) :- good(1)\ngood(1)\n";
    let ask = |question: Value| {
        let body = json!({ "name": "sheet.gdl", "text": text, "question": question });
        let (status, answer) = workbench.page("POST /api/language", &body);
        assert_eq!(status, 200, "{answer}");
        answer
    };
    let words = ask(json!("words"));
    assert_eq!((&words["dialect"], &words["words"][0]), (&json!("infix"), &json!([0, 9, "comment"])));
    assert_eq!(words["words"][1], json!([10, 14, "keyword"]));
    let used = text.find("good").expect("it is used") as u32 - 2;
    assert_eq!(ask(json!({ "definitions": used }))["definitions"], json!([[41, 45]]));
    assert!(ask(json!({ "description": used }))["text"].as_str().is_some_and(|text| text.contains("good(_)")));
    let names = ask(json!({ "completions": used }))["candidates"].to_string();
    assert!(names.contains(r#""name":"good""#) && names.contains("good(${1:_})"), "{names}");
}

#[test]
fn a_fact_has_the_rule_that_made_it() {
    let workbench = Workbench::start(&[]);
    let session = workbench.session();
    workbench.lines(&session, &["load tic_tac_toe"]);
    let origin = |fact: &str| workbench.page(&format!("POST {session}/origin"), &json!({ "fact": fact })).1;
    assert_eq!(origin("cell(1,1,b)")["answer"]["question"], "init(cell(1,1,b))");
    workbench.lines(&session, &["do mark(1,1)"]);
    let made = origin("cell(1,1,x)");
    assert_eq!((&made["answer"]["holds"], &made["answer"]["claims"][0]["reason"]), (&json!(true), &json!("clause")));
    assert!(origin("cell(")["error"].is_string());
}
