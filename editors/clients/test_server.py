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


async def test_a_lens_plays_a_game(client: LanguageClient):
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=DOCUMENT))
    command = lenses[0].command
    answer = await asyncio.wait_for(
        client.workspace_execute_command_async(
            types.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        ),
        60,
    )
    assert answer
    assert client.messages, "the answer is shown"
