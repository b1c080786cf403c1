//! An editor as far as the language server is concerned: it starts the program and exchanges messages with it.

use crate::ggp::ggp;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The longest time that an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    received: Receiver<Value>,
    /// Notifications that have arrived and were not asked for yet.
    told: VecDeque<Value>,
    next: i64,
}

impl Editor {
    /// Starts the server and greets it. `snippets`: whether the editor knows snippets.
    pub(crate) fn start(snippets: bool) -> Self {
        let mut editor = Self::launch();
        let capabilities =
            json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": snippets } } } });
        let greeting = editor.ask("initialize", &json!({ "capabilities": capabilities }));
        assert_eq!(greeting["serverInfo"]["name"], "ggp", "{greeting}");
        editor.tell("initialized", &json!({}));
        editor
    }

    /// Starts the server.
    pub(crate) fn launch() -> Self {
        let mut child = ggp()
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("there is a pipe"));
        let (sender, received) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self { child, input, received, told: VecDeque::new(), next: 1 }
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the connection is open");
        // A server that has gone away is noticed by the missing answer.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(crate) fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting for its answer; its number.
    pub(crate) fn begin(&mut self, method: &str, params: &Value) -> i64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The response to a request.
    pub(crate) fn response(&mut self, id: i64) -> Value {
        loop {
            let message = self.received.recv_timeout(PATIENCE).expect("the server answers");
            if message["id"] == id {
                return message;
            }
            self.told.push_back(message);
        }
    }

    /// The result of a request that succeeds.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        let mut response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].take()
    }

    /// The error of a request that fails.
    pub(crate) fn ask_in_vain(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        let mut response = self.response(id);
        assert!(response.get("error").is_some(), "{method}: {response}");
        response["error"].take()
    }

    /// The next error that belongs to no request.
    pub(crate) fn stray_error(&mut self) -> Value {
        loop {
            let message = self.received.recv_timeout(PATIENCE).expect("the server answers");
            if message["id"].is_null() && message.get("error").is_some() {
                return message["error"].clone();
            }
            self.told.push_back(message);
        }
    }

    /// The next notification of a kind that `is_meant` accepts; others of that kind are dropped.
    pub(crate) fn told(&mut self, method: &str, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = match self.told.pop_front() {
                Some(message) => message,
                None => self.received.recv_timeout(PATIENCE).expect("the server tells something"),
            };
            if message["method"] == method && is_meant(&message["params"]) {
                return message["params"].clone();
            }
        }
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "gdl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Changes a text: each change is a range and its replacement, or `null` and the whole text.
    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: &[(Value, &str)]) {
        let changes: Vec<Value> = changes
            .iter()
            .map(|(range, text)| match range {
                Value::Null => json!({ "text": text }),
                range => json!({ "range": range, "text": text }),
            })
            .collect();
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The problems of a version of a text that are published first.
    pub(crate) fn problems(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let told =
            self.told("textDocument/publishDiagnostics", |told| told["uri"] == uri && told["version"] == version);
        told["diagnostics"].as_array().expect("a list").clone()
    }

    /// Says goodbye; the exit code of the server.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        drop(self.input.take());
        self.child.wait().expect("the program ends").code()
    }

    /// Closes the connection without a word; the exit code of the server.
    pub(crate) fn hang_up(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("the program ends").code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            header => {
                if let Some(number) = header.strip_prefix("Content-Length: ") {
                    length = number.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
