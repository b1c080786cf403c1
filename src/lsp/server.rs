//! The event loop of the server: messages from the editor and findings of the examiner, one after another.
//!
//! A change of a text is applied at once. Its problems are found when no other message waits, or before the next request,
//! so that a burst of changes costs one check.

use super::ServerError;
use super::commands::{self, EVALUATE, LensJob, RUN};
use super::convert::TOKEN_TYPES;
use super::coverage::{self, COVERAGE, CoverageJob};
use super::examiner::{Examination, Examiner, Finding, GameValues};
use super::sheets;
use super::texts::{OpenText, TextKind};
use ggp_engine::Coverage;
use ggp_game::threads;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types as lsp;
use lsp_types::Uri;
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// Input of the event loop.
enum ServerEvent {
    Message(Message),
    Report(Examination),
    /// The work of the lens that this request started is done.
    Done(RequestId),
    /// The games of a version of a text have been played.
    Covered {
        uri: Uri,
        version: i32,
        coverage: Box<Coverage>,
    },
    /// The editor has gone away.
    Closed,
}

/// State of the server.
struct Server {
    /// Sends a message to the editor.
    send: Arc<dyn Fn(Message) + Send + Sync>,
    /// The open texts, by URI.
    texts: BTreeMap<String, OpenText>,
    /// URIs of the texts whose problems are to be published.
    changed: BTreeSet<String>,
    examiner: Examiner,
    /// The values of the arguments in each text, for the last version that was examined.
    values: BTreeMap<String, GameValues>,
    /// The stop flags of the games that are played for the coverage of texts, by URI.
    covering: BTreeMap<String, Arc<AtomicBool>>,
    /// True if the editor knows snippets, which have places for the arguments.
    has_snippets: bool,
    /// True if the editor asks for lenses again when it is told so.
    refreshes_lenses: bool,
    /// The number of requests to the editor so far.
    asked: u32,
    /// The requests whose lenses are at work, with their stop flags.
    jobs: Vec<(RequestId, Arc<AtomicBool>)>,
    events: Sender<ServerEvent>,
}

/// Serves an editor until it sends `exit` or goes away.
pub(super) fn serve(connection: Connection) -> Result<(), ServerError> {
    let (id, parameters) = connection.initialize_start()?;
    connection.initialize_finish(id, serde_json::to_value(greeting())?)?;
    let (events, received) = channel();
    let Connection { sender, receiver } = connection;
    let of_editor = events.clone();
    threads::start(move || {
        while let Ok(message) = receiver.recv() {
            if of_editor.send(ServerEvent::Message(message)).is_err() {
                return;
            }
        }
        // This fails only if the server has ended.
        let _ = of_editor.send(ServerEvent::Closed);
    })?;
    let of_examiner = events.clone();
    // Only these capabilities are read: code that parses all of them would be a hundredth of the library.
    let is_able = |path: &str| parameters.pointer(path) == Some(&true.into());
    let server = Server {
        send: Arc::new(move |message| {
            // An editor that has gone away needs no answer.
            let _ = sender.send(message);
        }),
        texts: BTreeMap::new(),
        changed: BTreeSet::new(),
        examiner: Examiner::start(move |report| of_examiner.send(ServerEvent::Report(report)).is_ok())?,
        values: BTreeMap::new(),
        covering: BTreeMap::new(),
        has_snippets: is_able("/capabilities/textDocument/completion/completionItem/snippetSupport"),
        refreshes_lenses: is_able("/capabilities/workspace/codeLens/refreshSupport"),
        asked: 0,
        jobs: Vec::new(),
        events,
    };
    server.run(&received);
    Ok(())
}

/// The capabilities of the server.
fn greeting() -> lsp::InitializeResult {
    let tokens = lsp::SemanticTokensOptions {
        legend: lsp::SemanticTokensLegend {
            token_types: TOKEN_TYPES.to_vec(),
            token_modifiers: vec![lsp::SemanticTokenModifier::DEFINITION],
        },
        full: Some(lsp::SemanticTokensFullOptions::Delta { delta: Some(true) }),
        range: None,
        ..lsp::SemanticTokensOptions::default()
    };
    let kinds =
        [lsp::CodeActionKind::QUICKFIX, lsp::CodeActionKind::SOURCE_FIX_ALL, lsp::CodeActionKind::REFACTOR_REWRITE];
    let texts = |signs: &[&str]| Some(signs.iter().map(|sign| (*sign).to_string()).collect());
    lsp::InitializeResult {
        capabilities: lsp::ServerCapabilities {
            position_encoding: Some(lsp::PositionEncodingKind::UTF16),
            text_document_sync: Some(lsp::TextDocumentSyncKind::INCREMENTAL.into()),
            hover_provider: Some(true.into()),
            definition_provider: Some(lsp::OneOf::Left(true)),
            references_provider: Some(lsp::OneOf::Left(true)),
            document_highlight_provider: Some(lsp::OneOf::Left(true)),
            rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            })),
            document_symbol_provider: Some(lsp::OneOf::Left(true)),
            folding_range_provider: Some(true.into()),
            completion_provider: Some(lsp::CompletionOptions {
                trigger_characters: texts(&["(", ",", "?"]),
                ..lsp::CompletionOptions::default()
            }),
            signature_help_provider: Some(lsp::SignatureHelpOptions {
                trigger_characters: texts(&["(", ",", " "]),
                ..lsp::SignatureHelpOptions::default()
            }),
            semantic_tokens_provider: Some(tokens.into()),
            inlay_hint_provider: Some(lsp::OneOf::Left(true)),
            document_formatting_provider: Some(lsp::OneOf::Left(true)),
            document_range_formatting_provider: Some(lsp::OneOf::Left(true)),
            code_action_provider: Some(
                lsp::CodeActionOptions { code_action_kinds: Some(kinds.to_vec()), ..lsp::CodeActionOptions::default() }
                    .into(),
            ),
            code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: None }),
            execute_command_provider: Some(lsp::ExecuteCommandOptions {
                commands: vec![EVALUATE.to_string(), RUN.to_string(), COVERAGE.to_string()],
                ..lsp::ExecuteCommandOptions::default()
            }),
            ..lsp::ServerCapabilities::default()
        },
        server_info: Some(lsp::ServerInfo {
            name: "ggp".to_string(),
            version: Some(env!("CARGO_PKG_VERSION").to_string()),
        }),
    }
}

fn failure(code: ErrorCode, message: impl ToString) -> ResponseError {
    ResponseError { code: code as i32, message: message.to_string(), data: None }
}

impl Server {
    /// Handles events until the editor sends `exit` or goes away.
    fn run(mut self, events: &Receiver<ServerEvent>) {
        let mut has_shut_down = false;
        loop {
            let event = match events.try_recv() {
                Ok(event) => event,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    self.publish_changed();
                    match events.recv() {
                        Ok(event) => event,
                        Err(_) => return,
                    }
                }
            };
            match event {
                ServerEvent::Closed => break,
                ServerEvent::Message(Message::Notification(told)) if told.method == lsp::notification::Exit::METHOD => {
                    break;
                }
                ServerEvent::Message(Message::Request(asked)) if asked.method == lsp::request::Shutdown::METHOD => {
                    has_shut_down = true;
                    (self.send)(Response::new_ok(asked.id, ()).into());
                }
                ServerEvent::Message(Message::Request(asked)) if has_shut_down => {
                    let message = "the server has been shut down".to_string();
                    (self.send)(Response::new_err(asked.id, ErrorCode::InvalidRequest as i32, message).into());
                }
                ServerEvent::Message(Message::Request(asked)) => self.request(asked),
                ServerEvent::Message(Message::Notification(told)) => {
                    // A notification that panics is ignored, since it has no answer that could report it.
                    let _ = catch_unwind(AssertUnwindSafe(|| self.notification(told)));
                }
                ServerEvent::Message(Message::Response(_)) => {}
                ServerEvent::Report(report) => self.report(report),
                ServerEvent::Done(id) => self.jobs.retain(|(other, _)| *other != id),
                ServerEvent::Covered { uri, version, coverage } => self.take_coverage(uri, version, *coverage),
            }
        }
        let flags = self.jobs.iter().map(|(_, stop)| stop).chain(self.covering.values());
        flags.for_each(|stop| stop.store(true, Ordering::Relaxed));
    }

    /// Answers a request, with an error if it fails or panics.
    fn request(&mut self, request: Request) {
        // The editor gets the problems of a change before answers about it.
        self.publish_changed();
        let id = request.id.clone();
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
        let answer = answered.unwrap_or_else(|_| Some(Err(failure(ErrorCode::InternalError, BUG))));
        if let Some(response_result) = answer {
            (self.send)(Response { id, response_result }.into());
        }
    }

    /// The answer to a request; `None` if a lens works on it and answers later.
    fn answer(&mut self, request: Request) -> Option<Result<serde_json::Value, ResponseError>> {
        let Request { id, method, params } = request;
        if method == lsp::request::ExecuteCommand::METHOD {
            return self.execute(id, params).err().map(Err);
        }
        Some(self.answer_now(&method, params))
    }

    /// The answer to a request other than a lens. These take little time and run on the thread of the server.
    fn answer_now(&self, method: &str, params: serde_json::Value) -> Result<serde_json::Value, ResponseError> {
        use lsp::request as on;
        match method {
            on::HoverRequest::METHOD => self.at::<lsp::HoverParams, _>(params, |text, asked| {
                let at = asked.text_document_position_params.position;
                match text.kind {
                    TextKind::Script => commands::hover(text, at),
                    _ => sheets::hover(text, at, self.values.get(text.uri.as_str())),
                }
            }),
            on::GotoDefinition::METHOD => self.at::<lsp::GotoDefinitionParams, _>(params, |text, asked| {
                sheets::definition(text, asked.text_document_position_params.position)
            }),
            on::References::METHOD => self.at::<lsp::ReferenceParams, _>(params, |text, asked| {
                sheets::references(text, asked.text_document_position.position, asked.context.include_declaration)
            }),
            on::DocumentHighlightRequest::METHOD => self
                .at::<lsp::DocumentHighlightParams, _>(params, |text, asked| {
                    sheets::highlights(text, asked.text_document_position_params.position)
                }),
            on::PrepareRenameRequest::METHOD => self
                .tried::<lsp::TextDocumentPositionParams, _, _>(params, |text, asked| {
                    sheets::prepare_rename(text, asked.position)
                }),
            on::Rename::METHOD => self.tried::<lsp::RenameParams, _, _>(params, |text, asked| {
                sheets::rename(text, asked.text_document_position.position, &asked.new_name)
            }),
            on::DocumentSymbolRequest::METHOD => {
                self.at::<lsp::DocumentSymbolParams, _>(params, |text, _| sheets::symbols(text))
            }
            on::FoldingRangeRequest::METHOD => {
                self.at::<lsp::FoldingRangeParams, _>(params, |text, _| sheets::folds(text))
            }
            on::Completion::METHOD => self.at::<lsp::CompletionParams, _>(params, |text, asked| {
                let at = asked.text_document_position.position;
                match text.kind {
                    TextKind::Script => commands::completion(text, at),
                    _ => sheets::completion(text, at, self.has_snippets),
                }
            }),
            on::SignatureHelpRequest::METHOD => self.at::<lsp::SignatureHelpParams, _>(params, |text, asked| {
                sheets::signature(text, asked.text_document_position_params.position)
            }),
            on::SemanticTokensFullRequest::METHOD => {
                self.at::<lsp::SemanticTokensParams, _>(params, |text, _| sheets::tokens(text))
            }
            on::SemanticTokensFullDeltaRequest::METHOD => self
                .at::<lsp::SemanticTokensDeltaParams, _>(params, |text, asked| {
                    sheets::changed_tokens(text, &asked.previous_result_id)
                }),
            on::InlayHintRequest::METHOD => {
                self.at::<lsp::InlayHintParams, _>(params, |text, asked| sheets::hints(text, asked.range))
            }
            on::Formatting::METHOD => {
                self.at::<lsp::DocumentFormattingParams, _>(params, |text, _| sheets::format(text, None))
            }
            on::RangeFormatting::METHOD => self.at::<lsp::DocumentRangeFormattingParams, _>(params, |text, asked| {
                sheets::format(text, Some(asked.range))
            }),
            on::CodeActionRequest::METHOD => self.at::<lsp::CodeActionParams, _>(params, |text, asked| {
                sheets::actions(text, asked.range, &asked.context)
            }),
            on::CodeLensRequest::METHOD => {
                self.at::<lsp::CodeLensParams, _>(params, |text, _| Some(commands::lenses(text)))
            }
            #[cfg(debug_assertions)]
            PANIC => panic!("{PANIC}"),
            other => Err(failure(ErrorCode::MethodNotFound, format!("there is no request `{other}`"))),
        }
    }

    /// The answer to a request about a text; null for `None`.
    fn at<P: DeserializeOwned, R: Serialize>(
        &self,
        params: serde_json::Value,
        answer: impl FnOnce(&OpenText, P) -> Option<R>,
    ) -> Result<serde_json::Value, ResponseError> {
        self.tried(params, |text, asked| Ok::<_, Infallible>(answer(text, asked)))
    }

    /// As [`Server::at`], for an answer that may be an error.
    fn tried<P: DeserializeOwned, R: Serialize, E: ToString>(
        &self,
        params: serde_json::Value,
        answer: impl FnOnce(&OpenText, P) -> Result<Option<R>, E>,
    ) -> Result<serde_json::Value, ResponseError> {
        let uri = params.pointer("/textDocument/uri").and_then(serde_json::Value::as_str).unwrap_or_default();
        let text = self.texts.get(uri).ok_or_else(|| not_open(uri))?;
        let asked = serde_json::from_value(params).map_err(|error| failure(ErrorCode::InvalidParams, error))?;
        let answer = answer(text, asked).map_err(|error| failure(ErrorCode::RequestFailed, error.to_string()))?;
        serde_json::to_value(answer).map_err(|error| failure(ErrorCode::InternalError, error))
    }

    /// Starts the work of a lens in a thread of its own, which answers the request.
    fn execute(&mut self, id: RequestId, params: serde_json::Value) -> Result<(), ResponseError> {
        let invalid = |error: &dyn ToString| failure(ErrorCode::InvalidParams, error.to_string());
        let asked: lsp::ExecuteCommandParams = serde_json::from_value(params).map_err(|error| invalid(&error))?;
        let argument = |at: usize| asked.arguments.get(at).and_then(serde_json::Value::as_str);
        let uri = argument(0).unwrap_or_default();
        let text = self.texts.get(uri).ok_or_else(|| not_open(uri))?;
        if asked.command == COVERAGE {
            let uri = uri.to_string();
            return self.toggle_coverage(&uri, id);
        }
        let job = LensJob::new(&asked.command, text, argument(1)).map_err(|error| invalid(&error))?;
        let stop = Arc::new(AtomicBool::new(false));
        let job_id = id.clone();
        let flag = stop.clone();
        let events = self.events.clone();
        let tell = self.send.clone();
        let begun = threads::start(move || {
            let response = match catch_unwind(AssertUnwindSafe(|| job.run(&stop))) {
                Ok(answer) => {
                    tell(message(&answer));
                    Response::new_ok(id.clone(), answer)
                }
                Err(_) => Response::new_err(id.clone(), ErrorCode::InternalError as i32, BUG.to_string()),
            };
            tell(response.into());
            // The server may have ended.
            let _ = events.send(ServerEvent::Done(id));
        });
        begun.map_err(|error| failure(ErrorCode::RequestFailed, error))?;
        self.jobs.push((job_id, flag));
        Ok(())
    }

    /// Shows the coverage of a text, or hides it. If games are played for it, the answer to the request is sent after them.
    fn toggle_coverage(&mut self, key: &str, id: RequestId) -> Result<(), ResponseError> {
        let text = self.texts.get_mut(key).ok_or_else(|| not_open(key))?;
        let job = CoverageJob::new(text);
        if job.is_none() && !text.shows_coverage {
            return Err(failure(ErrorCode::RequestFailed, "this is no rule sheet without errors"));
        }
        text.shows_coverage = !text.shows_coverage;
        text.coverage = None;
        let is_shown = text.shows_coverage;
        let left = (text.uri.clone(), sheets::diagnostics(text), text.version);
        self.stop_covering(key);
        match job.filter(|_| is_shown) {
            Some(job) => self.cover(job, Some(id))?,
            None => {
                let (uri, diagnostics, version) = left;
                self.publish(uri, diagnostics, Some(version));
                (self.send)(Response::new_ok(id, "the coverage is hidden").into());
            }
        }
        self.refresh_lenses();
        Ok(())
    }

    /// Starts the games of a text in a thread of their own, which answers the request that asked for them.
    fn cover(&mut self, job: CoverageJob, id: Option<RequestId>) -> Result<(), ResponseError> {
        let stop = Arc::new(AtomicBool::new(false));
        let key = job.uri.as_str().to_string();
        let flag = stop.clone();
        let job_id = id.clone();
        let events = self.events.clone();
        let tell = self.send.clone();
        let begun = threads::start(move || {
            let found = catch_unwind(AssertUnwindSafe(|| job.run(&stop)));
            let response = match &found {
                Ok(Ok(coverage)) => Ok(coverage::summary(coverage)),
                Ok(Err(error)) if stop.load(Ordering::Relaxed) => Err((ErrorCode::RequestCanceled, error.as_str())),
                Ok(Err(error)) => Err((ErrorCode::RequestFailed, error.as_str())),
                Err(_) => Err((ErrorCode::InternalError, BUG)),
            };
            if let Some(id) = id {
                let answer = match response {
                    Ok(summary) => {
                        tell(message(&summary));
                        Response::new_ok(id.clone(), summary)
                    }
                    Err((code, error)) => Response::new_err(id.clone(), code as i32, error.to_string()),
                };
                tell(answer.into());
                // The server may have ended.
                let _ = events.send(ServerEvent::Done(id));
            }
            if let Ok(Ok(coverage)) = found {
                let CoverageJob { uri, version, .. } = job;
                let _ = events.send(ServerEvent::Covered { uri, version, coverage: Box::new(coverage) });
            }
        });
        begun.map_err(|error| failure(ErrorCode::RequestFailed, error))?;
        self.jobs.extend(job_id.map(|id| (id, flag.clone())));
        self.covering.insert(key, flag);
        Ok(())
    }

    /// Takes over the coverage of a text, unless the text has changed meanwhile or hides it.
    fn take_coverage(&mut self, uri: Uri, version: i32, coverage: Coverage) {
        let text = self.texts.get_mut(uri.as_str()).filter(|text| text.version == version && text.shows_coverage);
        let Some(text) = text else { return };
        text.coverage = Some(coverage);
        let found = sheets::diagnostics(text);
        self.publish(uri, found, Some(version));
    }

    /// Stops the games of a text.
    fn stop_covering(&mut self, key: &str) {
        if let Some(stop) = self.covering.remove(key) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Has the editor ask for the lenses again, if it can.
    fn refresh_lenses(&mut self) {
        if self.refreshes_lenses {
            self.asked += 1;
            let id = RequestId::from(format!("ggp {}", self.asked));
            (self.send)(Request::new(id, lsp::request::CodeLensRefresh::METHOD.to_string(), ()).into());
        }
    }

    /// Handles a notification. One that cannot be read is ignored, as the protocol wants it.
    fn notification(&mut self, told: Notification) {
        use lsp::notification as on;
        match told.method.as_str() {
            on::DidOpenTextDocument::METHOD => {
                let Some(lsp::DidOpenTextDocumentParams { text_document: opened }) = read(told.params) else { return };
                let key = opened.uri.as_str().to_string();
                let text = OpenText::new(opened.uri, &opened.language_id, opened.version, opened.text);
                self.examiner.stop(&text.uri);
                self.stop_covering(&key);
                self.values.remove(&key);
                self.texts.insert(key.clone(), text);
                self.changed.insert(key);
            }
            on::DidChangeTextDocument::METHOD => {
                let Some(lsp::DidChangeTextDocumentParams { text_document, content_changes }) = read(told.params)
                else {
                    return;
                };
                let Some(text) = self.texts.get_mut(text_document.uri.as_str()) else { return };
                self.examiner.stop(&text.uri);
                text.change(text_document.version, content_changes);
                self.stop_covering(text_document.uri.as_str());
                self.changed.insert(text_document.uri.as_str().to_string());
            }
            on::DidCloseTextDocument::METHOD => {
                let Some(lsp::DidCloseTextDocumentParams { text_document }) = read(told.params) else { return };
                let key = text_document.uri.as_str();
                self.examiner.stop(&text_document.uri);
                self.stop_covering(key);
                self.values.remove(key);
                self.changed.remove(key);
                if self.texts.remove(key).is_some() {
                    self.publish(text_document.uri, Vec::new(), None);
                }
            }
            on::Cancel::METHOD => {
                let Some(lsp::CancelParams { id }) = read(told.params) else { return };
                let id = match id {
                    lsp::NumberOrString::Number(number) => RequestId::from(number),
                    lsp::NumberOrString::String(text) => RequestId::from(text),
                };
                let stopped = self.jobs.iter().filter(|(other, _)| *other == id);
                stopped.for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
            }
            #[cfg(debug_assertions)]
            PANIC => panic!("{PANIC}"),
            _ => {}
        }
    }

    /// Publishes the problems of the texts that have changed, and has the examiner play those without errors.
    fn publish_changed(&mut self) {
        while let Some(key) = self.changed.pop_first() {
            let Some(text) = self.texts.get(&key) else { continue };
            let found = catch_unwind(AssertUnwindSafe(|| {
                let is_playable = text.is_playable();
                (sheets::diagnostics(text), is_playable)
            }));
            // If the check panics, the problems of the last version stay.
            let Ok((found, is_playable)) = found else { continue };
            let uri = text.uri.clone();
            let version = text.version;
            let name = text.game_name();
            let source = text.source.clone();
            self.publish(uri.clone(), found, Some(version));
            if is_playable {
                self.examiner.examine(uri, version, name, source);
            }
        }
    }

    /// Takes over a finding of the examiner, unless the text has changed meanwhile.
    fn report(&mut self, Examination { uri, version, finding }: Examination) {
        let Some(text) = self.texts.get_mut(uri.as_str()).filter(|text| text.version == version) else { return };
        match finding {
            Finding::Problems(None) => {}
            Finding::Problems(Some(problems)) => {
                text.examined = Some(problems);
                let found = sheets::diagnostics(text);
                self.publish(uri, found, Some(version));
            }
            Finding::Values(values) => {
                // The examination is over, so the games of the coverage do not slow it.
                let job = if text.shows_coverage && text.coverage.is_none() { CoverageJob::new(text) } else { None };
                let key = uri.as_str().to_string();
                if let Some(job) = job.filter(|_| !self.covering.contains_key(&key)) {
                    // Without a thread there are no hints.
                    let _ = self.cover(job, None);
                }
                self.values.insert(key, values);
            }
        }
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<lsp::Diagnostic>, version: Option<i32>) {
        let params = lsp::PublishDiagnosticsParams { uri, diagnostics, version };
        let method = lsp::notification::PublishDiagnostics::METHOD.to_string();
        (self.send)(Notification::new(method, params).into());
    }
}

/// Name of a request and of a notification that panic, with which tests check that the server goes on.
#[cfg(debug_assertions)]
const PANIC: &str = "ggp/panic";

/// Error message for a request that panicked.
const BUG: &str = "the request failed: this is a bug of ggp";

/// Maximum number of lines in a message; the response has the whole answer.
const SHOWN: usize = 20;

/// A message that the editor shows. A long answer is cut to its beginning and its last line, which has the result of a
/// game or the number of problems.
fn message(answer: &str) -> Message {
    let lines: Vec<&str> = answer.trim_end().lines().collect();
    let shown = match &lines[..] {
        [first @ .., last] if first.len() >= SHOWN => [&first[..SHOWN - 2], &["…", last][..]].concat().join("\n"),
        lines => lines.join("\n"),
    };
    let params = lsp::ShowMessageParams { typ: lsp::MessageType::INFO, message: shown };
    Notification::new(lsp::notification::ShowMessage::METHOD.to_string(), params).into()
}

fn not_open(uri: &str) -> ResponseError {
    failure(ErrorCode::InvalidParams, format!("the text `{uri}` is not open"))
}

fn read<P: DeserializeOwned>(params: serde_json::Value) -> Option<P> {
    serde_json::from_value(params).ok()
}
