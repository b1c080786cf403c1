// What web/editor.js uses of CodeMirror; build.mjs makes one file of it.

export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyField, historyKeymap, indentWithTab, redo, undo } from "@codemirror/commands";
export { bracketMatching, codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
export { lintGutter, lintKeymap, linter, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { Compartment, EditorSelection, EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, ViewPlugin, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
