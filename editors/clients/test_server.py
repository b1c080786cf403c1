"""`ggp lsp` driven by pytest-lsp, as the editors whose capabilities it knows. `editors/test` runs it."""

import asyncio
import os
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SHEET = """\
% größer 🗼
role(robot)
init(at(1))
succ(1,2)
succ(2,3)
legal(robot,go)
next(at(Y)) :- does(robot,go) & true(at(X)) & succ(X,Y)
goal(robot,100) :- ~tru(at(3))
terminal   :- true(at(3))
next(cell(Row,Piece)) :- true(cell(Row,Piece))
init(cell(1,b))
"""

FILE = Path(__file__).parent / "steps.gdl"
DOCUMENT = types.TextDocumentIdentifier(uri=FILE.as_uri())


@pytest_lsp.fixture(
    params=["visual_studio_code", "neovim", "emacs"],
    config=ClientServerConfig(server_command=[os.environ.get("GGP", "ggp"), "lsp"]),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient):
    capabilities = client_capabilities(request.param)
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    lsp_client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(uri=DOCUMENT.uri, language_id="gdl", version=1, text=SHEET)
        )
    )
    await lsp_client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    yield
    await lsp_client.shutdown_session()


def at(line: int, character: int) -> types.Position:
    return types.Position(line=line, character=character)


def codes(client: LanguageClient) -> dict[str, int]:
    """The codes of the problems, with their lines."""
    return {str(found.code): found.range.start.line for found in client.diagnostics[DOCUMENT.uri]}


async def test_problems_follow_the_text(client: LanguageClient):
    assert codes(client)["W201"] == 7
    change = types.TextDocumentContentChangePartial(
        range=types.Range(start=at(7, 20), end=at(7, 23)), text="true"
    )
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=DOCUMENT.uri, version=2),
            content_changes=[change],
        )
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert "W201" not in codes(client)


async def test_a_name_is_explained_found_and_renamed(client: LanguageClient):
    place = {"text_document": DOCUMENT, "position": at(6, 48)}
    hover = await client.text_document_hover_async(types.HoverParams(**place))
    assert "succ" in hover.contents.value
    assert hover.range == types.Range(start=at(6, 46), end=at(6, 50))
    found = await client.text_document_definition_async(types.DefinitionParams(**place))
    assert [location.range.start for location in found] == [at(3, 0), at(4, 0)]
    context = types.ReferenceContext(include_declaration=True)
    found = await client.text_document_references_async(types.ReferenceParams(**place, context=context))
    assert len(found) == 3
    edit = await client.text_document_rename_async(types.RenameParams(**place, new_name="after"))
    assert len(edit.changes[DOCUMENT.uri]) == 3


async def test_what_can_be_typed_is_offered(client: LanguageClient):
    place = {"text_document": DOCUMENT, "position": at(6, 23)}
    offered = await client.text_document_completion_async(types.CompletionParams(**place))
    assert "robot" in [item.label for item in offered.items]
    shown = await client.text_document_signature_help_async(types.SignatureHelpParams(**place))
    assert shown.signatures[0].label == "does(role, move)"


async def test_the_sheet_is_outlined_coloured_and_formatted(client: LanguageClient):
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=DOCUMENT))
    assert [symbol.name for symbol in symbols][:3] == ["role/1", "init/1", "succ/2"]
    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(text_document=DOCUMENT)
    )
    assert list(tokens.data[:3]) == [0, 0, 11], "the comment has eleven code units"
    changes = await client.text_document_semantic_tokens_full_delta_async(
        types.SemanticTokensDeltaParams(text_document=DOCUMENT, previous_result_id=tokens.result_id)
    )
    assert not changes.edits, "nothing has changed"
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(
            text_document=DOCUMENT, options=types.FormattingOptions(tab_size=2, insert_spaces=True)
        )
    )
    assert edits, "spaces are taken away"


async def test_a_problem_has_its_fix(client: LanguageClient):
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=DOCUMENT,
            range=types.Range(start=at(7, 20), end=at(7, 20)),
            context=types.CodeActionContext(diagnostics=list(client.diagnostics[DOCUMENT.uri])),
        )
    )
    assert any("prefix" in action.title for action in actions)
    assert all(action.edit for action in actions)


async def run_first_lens(client: LanguageClient, document: types.TextDocumentIdentifier):
    """What the command of the first lens of a document answers."""
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    command = lenses[0].command
    return await asyncio.wait_for(
        client.workspace_execute_command_async(
            types.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        ),
        60,
    )


async def test_a_lens_plays_a_game(client: LanguageClient):
    answer = await run_first_lens(client, DOCUMENT)
    assert answer
    assert client.messages, "the answer is shown"


async def test_mentions_folds_and_arguments_are_shown(client: LanguageClient):
    place = {"text_document": DOCUMENT, "position": at(3, 1)}
    marked = await client.text_document_document_highlight_async(types.DocumentHighlightParams(**place))
    assert [mark.range.start.line for mark in marked] == [3, 4, 6]
    renamed = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**place))
    assert renamed == types.Range(start=at(3, 0), end=at(3, 4))
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(text_document=DOCUMENT))
    assert (folds[0].start_line, folds[0].end_line) == (3, 4)
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(text_document=DOCUMENT, range=types.Range(start=at(10, 0), end=at(10, 15)))
    )
    assert [hint.label for hint in hints] == ["Row:", "Piece:"]


async def test_a_range_is_formatted_and_the_sheet_translated(client: LanguageClient):
    line = types.Range(start=at(8, 0), end=at(8, 5))
    edits = await client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(
            text_document=DOCUMENT, range=line, options=types.FormattingOptions(tab_size=2, insert_spaces=True)
        )
    )
    assert edits and all(edit.range.start.line == 8 for edit in edits), "spaces are taken away in this line"
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=DOCUMENT,
            range=line,
            context=types.CodeActionContext(diagnostics=[], only=[types.CodeActionKind.RefactorRewrite]),
        )
    )
    edits = actions[0].edit.changes[DOCUMENT.uri]
    assert "(<= terminal (true (at 3" in "".join(edit.new_text for edit in edits)


async def test_a_script_is_checked_completed_and_run(client: LanguageClient):
    script = types.TextDocumentIdentifier(uri=FILE.with_suffix(".query").as_uri())
    text = "load tic_tac_toe\nfrobnicate\ndo mark(2,\n"
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(uri=script.uri, language_id="ggp-query", version=1, text=text)
        )
    )
    while script.uri not in client.diagnostics:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert client.diagnostics[script.uri][0].range.start.line == 1
    offered = await client.text_document_completion_async(
        types.CompletionParams(text_document=script, position=at(2, 10))
    )
    assert [item.label for item in offered] == ["mark(2,1)", "mark(2,2)", "mark(2,3)"]
    change = types.TextDocumentContentChangeWholeDocument(text="load tic_tac_toe\nexpect count legal xplayer 9\n")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=script.uri, version=2), content_changes=[change]
        )
    )
    answer = await run_first_lens(client, script)
    assert "expect count legal xplayer 9" in answer
