// @ts-check
// The editor of rule sheets: CodeMirror, which knows nothing of GDL, and what the language service of the workbench says of
// the text. It stands in a shadow tree, where styles of scripts are style sheets of the tree: the policy of the page
// allows no others.

import {
  Compartment, Decoration, EditorSelection, EditorState, EditorView, StateEffect, StateField, ViewPlugin, autocompletion,
  bracketMatching, closeBrackets, closeBracketsKeymap, codeFolding, completionKeymap, defaultKeymap, drawSelection, foldGutter,
  foldKeymap, foldService, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, history, historyField,
  historyKeymap, hoverTooltip, indentWithTab, keymap, lineNumbers, lintGutter, lintKeymap, linter, search, searchKeymap,
  setDiagnostics, snippet,
} from "./codemirror.js";
import { element } from "./terms.js";

/** The time without a change after which words are asked for, in milliseconds. */
const PAUSE = 60;
/** The letters of a part of the text that are shown in words. */
const LONGEST = 60;

const COMMENT = { prefix: ";", infix: "%", operations: "%" };
const MARKS = Object.fromEntries(
  ["keyword", "connective", "relation", "function", "object", "number", "variable", "comment"].map((kind) => [kind, Decoration.mark({ class: `gdl-${kind}` })]));
const SHOWN_RULE = Decoration.line({ class: "shown-rule" });

/** What the language service has said of the text last: its words, folds and dialect; what is typed meanwhile moves them. */
const setWords = StateEffect.define();
const wordsField = StateField.define({
  create: () => ({ marks: Decoration.none, folds: [], dialect: "infix" }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setWords)) return effect.value;
    if (!transaction.docChanged) return value;
    const moved = (at, side) => transaction.changes.mapPos(at, side);
    return { ...value, marks: value.marks.map(transaction.changes), folds: value.folds.map(([from, to]) => [moved(from, 1), moved(to, -1)]) };
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ marks }) => marks),
    EditorState.languageData.of((state) => [{ commentTokens: { line: COMMENT[state.field(field).dialect] } }]),
    foldService.of((state, start, end) => {
      const fold = state.field(field).folds.find(([from]) => from >= start && from <= end);
      return fold && fold[1] > fold[0] ? { from: fold[0], to: fold[1] } : null;
    }),
  ],
});

/** The lines of rules that are shown because of a fact. */
const setShown = StateEffect.define();
const shownField = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setShown)) return Decoration.set(effect.value.map((at) => SHOWN_RULE.range(at)), true);
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editor {
  #view;
  #ask;
  #tell;
  #theme = new Compartment();
  #extensions;
  #timer = 0;

  /**
   * Makes an editor in an element. `ask(text, question)` asks the language service, and `tell(isChanged)` is called after
   * changes of the text or of the selection.
   */
  constructor(host, ask, tell) {
    [this.#ask, this.#tell] = [ask, tell];
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const theme = () => EditorView.darkTheme.of(dark.matches);
    this.#extensions = () => [
      lineNumbers(), foldGutter({ foldingChanged: ({ startState, state }) => startState.field(wordsField).folds !== state.field(wordsField).folds }), lintGutter(), codeFolding(), history(), drawSelection(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }), linter(null),
      autocompletion({ override: [(context) => this.#complete(context)] }), hoverTooltip((view, at) => this.#describe(at)),
      wordsField, shownField, ViewPlugin.define(() => ({ update: (update) => this.#updated(update) })),
      keymap.of([
        { key: "F12", run: (view) => this.#define(view.state.selection.main.head) }, ...closeBracketsKeymap, ...completionKeymap,
        ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.domEventHandlers({ mousedown: (event, view) => this.#pressed(event, view) }),
      EditorView.contentAttributes.of({ "aria-label": "Rule sheet", "aria-description": "Escape and then Tab leaves the editor", spellcheck: "false", tabindex: "0" }),
      LOOK, this.#theme.of(theme()),
    ];
    const root = host.attachShadow({ mode: "open" });
    this.#view = new EditorView({ root, parent: root });
    dark.addEventListener("change", () => this.#view.dispatch({ effects: this.#theme.reconfigure(theme()) }));
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  /** The text with its history and selection, as a value that can be kept. */
  get kept() {
    return this.#view.state.toJSON({ history: historyField });
  }

  /** Shows a text. What was kept of an earlier one with the same name is its history. */
  open(text, kept = null) {
    const extensions = this.#extensions();
    let state = EditorState.create({ doc: text, extensions });
    try {
      if (kept) state = EditorState.fromJSON(kept, { extensions }, { history: historyField });
    } catch {
      // It was kept by another version.
    }
    this.#view.setState(state);
    this.replace(text);
    this.#askWords();
  }

  /** Takes another text in place of what differs; this can be undone. */
  replace(text) {
    const old = this.text;
    const wanted = EditorState.create({ doc: text }).doc.toString();
    if (old === wanted) return;
    const least = Math.min(old.length, wanted.length);
    let [start, end] = [0, 0];
    while (start < least && old[start] === wanted[start]) start += 1;
    while (end < least - start && old[old.length - 1 - end] === wanted[wanted.length - 1 - end]) end += 1;
    this.#view.dispatch({ changes: { from: start, to: old.length - end, insert: wanted.slice(start, wanted.length - end) }, userEvent: "input.replace" });
  }

  focus() {
    this.#view.focus();
  }

  /** Goes to a place of the text: a line and a column, from 1. */
  reveal(line, column) {
    const at = this.#offset({ line, column });
    this.#view.dispatch({ selection: { anchor: at }, effects: [EditorView.scrollIntoView(at, { y: "center" }), setShown.of([this.#view.state.doc.lineAt(at).from])] });
    this.#view.focus();
  }

  /** Marks rules, each by its line, and scrolls to the first; without any, none is marked. */
  mark(places) {
    const offsets = places.map((place) => this.#view.state.doc.lineAt(this.#offset(place)).from);
    const scroll = offsets.length ? [EditorView.scrollIntoView(offsets[0], { y: "nearest", yMargin: 40 })] : [];
    this.#view.dispatch({ effects: [setShown.of([...new Set(offsets)]), ...scroll] });
  }

  /** Underlines problems, and offers their fixes. */
  judge(diagnostics) {
    const problems = diagnostics.map((problem) => {
      const { line, column, end_line: endLine, end_column: endColumn, severity, message, code, help, fix } = problem;
      const [from, to] = line ? [this.#offset({ line, column }), this.#offset({ line: endLine, column: endColumn })] : [0, 0];
      const actions = fix?.length ? [{ name: `Fix: ${this.inWords(fix)}`, apply: () => this.fix(fix) }] : [];
      return { from, to: Math.max(from, to), severity, source: code, message: help ? `${message}\nHelp: ${help}` : message, actions };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, problems));
  }

  /** What a fix will do, in words. */
  inWords(edits) {
    const quoted = (text) => `“${text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text}”`.replace(/\s+/g, " ");
    const { doc } = this.#view.state;
    const [{ line, column, end_line: endLine, end_column: endColumn, replacement }, ...others] = edits;
    const old = doc.sliceString(this.#offset({ line, column }), this.#offset({ line: endLine, column: endColumn }));
    const first = !old ? `insert ${quoted(replacement)}` : replacement ? `replace ${quoted(old)} by ${quoted(replacement)}` : `remove ${quoted(old)}`;
    return others.length ? `${first} and change ${others.length} more ${others.length === 1 ? "place" : "places"}` : first;
  }

  /** Makes the edits of a fix. */
  fix(edits) {
    const changes = edits.map(({ line, column, end_line: endLine, end_column: endColumn, replacement }) => (
      { from: this.#offset({ line, column }), to: this.#offset({ line: endLine, column: endColumn }), insert: replacement }));
    this.#view.dispatch({ changes, userEvent: "input.fix" });
    this.#view.focus();
  }

  /** The offset of a line and a column, which count characters from 1. */
  #offset({ line, column }) {
    const { doc } = this.#view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return found.from + [...found.text].slice(0, column - 1).join("").length;
  }

  #updated({ docChanged, selectionSet }) {
    if (!docChanged && !selectionSet) return;
    if (docChanged) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#askWords(), PAUSE);
    }
    this.#tell(docChanged);
  }

  async #askWords() {
    const { doc } = this.#view.state;
    const { words, folds, dialect } = await this.#ask(doc.toString(), "words").catch(() => ({}));
    // A later text has been asked about meanwhile.
    if (!words || this.#view.state.doc !== doc) return;
    const marks = Decoration.set(words.filter(([from, to]) => to > from).map(([from, to, kind]) => MARKS[kind].range(from, to)), true);
    this.#view.dispatch({ effects: setWords.of({ marks, folds, dialect }) });
  }

  async #complete(context) {
    const isTyped = context.matchBefore(/[\w?]+$|\($/);
    if (!context.explicit && !isTyped) return null;
    const { from, to, candidates } = await this.#ask(context.state.doc.toString(), { completions: context.pos });
    if (!candidates?.length) return null;
    const options = candidates.map(({ name, kind, detail, text, is_snippet: isSnippet }, index) => ({
      label: name, detail: detail === name ? "" : detail, type: kind, apply: isSnippet ? snippet(text) : text, boost: -Math.min(index, 99),
    }));
    return { from, to, options, validFor: /^[\w?]*$/ };
  }

  async #describe(at) {
    const { from, to, text } = await this.#ask(this.text, { description: at });
    if (!text) return null;
    return { pos: from, end: to, above: true, create: () => ({ dom: element("div", { class: "description" }, ...marked(text)) }) };
  }

  /** Goes to the definition of the name at an offset; from one definition to the next. */
  #define(at) {
    this.#ask(this.text, { definitions: at }).then(({ definitions }) => {
      if (!definitions?.length) return;
      const here = definitions.findIndex(([from, to]) => from <= at && at <= to);
      const [from, to] = definitions[(here + 1) % definitions.length];
      this.#view.dispatch({ selection: EditorSelection.single(from, to), effects: EditorView.scrollIntoView(from, { y: "center" }) });
    });
    return true;
  }

  #pressed(event, view) {
    if (!event.ctrlKey && !event.metaKey) return false;
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (at === null) return false;
    event.preventDefault();
    return this.#define(at);
  }
}

/** Markdown of the language service as elements: paragraphs, strong words, code. */
function marked(text) {
  const inline = (line) => line.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter(Boolean).map((part) => {
    if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
    return part.startsWith("`") ? element("code", {}, part.slice(1, -1)) : part;
  });
  return text.split(/```\w*\n?/).flatMap((part, index) => {
    if (index % 2) return [element("pre", {}, part.trimEnd())];
    return part.split("\n\n").map((paragraph) => paragraph.trim()).filter(Boolean).map((paragraph) => element("p", {}, ...inline(paragraph)));
  });
}

/** The look, by the properties of the page. */
const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--small)", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--hover)", color: "var(--pale)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--chosen) 14%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--chosen) 35%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--chosen) 55%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--last) 40%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--last) 70%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--open) 30%, transparent)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "color-mix(in srgb, var(--problem) 30%, transparent)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", color: "var(--pale)", border: "1px solid var(--line)" },
  ".shown-rule": { backgroundColor: "color-mix(in srgb, var(--last) 45%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "var(--round)", boxShadow: "var(--shadow)", maxWidth: "min(34rem, 90vw)" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--code)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".8" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--accent-ink)", borderRadius: "var(--round)" },
  ".cm-panels": { backgroundColor: "var(--hover)", color: "var(--ink)", border: "0" },
  ".cm-panel.cm-search": { fontSize: "var(--small)" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--panel)", backgroundImage: "none", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "var(--round)" },
  ".description": { padding: ".4rem .7rem", maxHeight: "18rem", overflow: "auto", fontFamily: "system-ui, sans-serif" },
  ".description p": { margin: ".2rem 0" },
  ".description pre": { margin: ".3rem 0", fontFamily: "var(--code)", whiteSpace: "pre-wrap" },
  ".gdl-keyword": { color: "var(--code-keyword)", fontWeight: "600" },
  ".gdl-connective": { color: "var(--code-keyword)" },
  ".gdl-relation": { color: "var(--code-relation)" },
  ".gdl-function": { color: "var(--code-function)" },
  ".gdl-number": { color: "var(--code-number)" },
  ".gdl-variable": { color: "var(--code-variable)" },
  ".gdl-comment": { color: "var(--pale)", fontStyle: "italic" },
});
