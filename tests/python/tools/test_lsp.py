"""The language server, as an editor uses it: JSON-RPC over standard input and output."""

import subprocess

import pytest

from tools.client import Client, position

URI = "file:///work/sample.mlir"


@pytest.fixture
def client(command):
    client = Client([command("lsp-server")])
    capabilities = client.request("initialize", processId=None, rootUri=None, capabilities={})
    for name in ["hoverProvider", "definitionProvider", "referencesProvider", "completionProvider"]:
        assert capabilities["capabilities"][name]
    client.notify("initialized")
    yield client
    if client.server.poll() is None:
        client.server.kill()
    client.server.wait()


def test_a_file_of_the_bundle_s_dialect(client, sample):
    text, name = sample
    assert client.open(URI, text) == []
    document = {"uri": URI}

    hover = client.request(
        "textDocument/hover", textDocument=document, position=position(text, name)
    )
    assert f'"{name}"' in hover["contents"]["value"]

    argument = position(text, "%a", 2)
    (definition,) = client.request(
        "textDocument/definition", textDocument=document, position=argument
    )
    assert definition["uri"] == URI
    assert definition["range"]["start"] == position(text, "%a")

    references = client.request(
        "textDocument/references",
        textDocument=document,
        position=argument,
        context={"includeDeclaration": True},
    )
    starts = [it["range"]["start"] for it in references]
    for nth in (1, 2, 3):
        assert position(text, "%a", nth) in starts
    assert client.close() == 0


def test_operations_of_the_bundle_are_completed(client, sample):
    _, name = sample
    dialect, _, operation = name.partition(".")
    text = f"func.func @f() {{\n  {dialect}.\n}}\n"
    client.open(URI, text)
    place = {"line": 1, "character": len(f"  {dialect}.")}
    answer = client.request(
        "textDocument/completion",
        textDocument={"uri": URI},
        position=place,
        context={"triggerKind": 1},
    )
    labels = [item["label"] for item in answer["items"]]
    assert operation in labels


def test_an_error_is_published_and_can_be_acted_on(client):
    text = "func.func @f() -> i32 {\n  return\n}\n"
    (diagnostic,) = client.open(URI, text)
    assert "has 0 operands" in diagnostic["message"]
    assert diagnostic["range"]["start"]["line"] == 1
    actions = client.request(
        "textDocument/codeAction",
        textDocument={"uri": URI},
        range=diagnostic["range"],
        context={"diagnostics": [diagnostic], "only": ["quickfix"]},
    )
    (edits,) = [action["edit"]["changes"][URI] for action in actions]
    assert any("expected-error" in edit["newText"] for edit in edits)

    client.notify(
        "textDocument/didChange",
        textDocument={"uri": URI, "version": 2},
        contentChanges=[{"text": "func.func @f() {\n  return\n}\n"}],
    )
    published = client.wait(lambda it: it.get("method") == "textDocument/publishDiagnostics")
    assert published["params"]["diagnostics"] == []


def test_an_unknown_dialect_is_an_error_of_the_file_alone(client, sample):
    assert client.open("file:///work/other.mlir", "nothing.at_all")
    assert client.open(URI, sample[0]) == []


@pytest.mark.parametrize(
    "garbage",
    [
        b"Content-Length: 5\r\n\r\n{{{{{",
        b"Content-Type: x\r\n\r\n",
    ],
)
def test_garbage_between_messages_changes_nothing(client, sample, garbage):
    client.raw(garbage)
    assert client.open(URI, sample[0]) == []
    assert client.close() == 0


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\0" * 4096,
        b"Content-Length: 999999\r\n\r\n{}",
        b"Content-Length: -1\r\n\r\n{}",
        # JSON that is no message, which upstream's server takes for the end.
        b'Content-Length: 4\r\n\r\n"no"',
        b'Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","method":["initial"]}',
    ],
)
def test_an_input_that_is_no_session_ends_the_server(command, garbage):
    done = subprocess.run([command("lsp-server")], input=garbage, capture_output=True, timeout=60)
    # An ending of its own: no signal, and no abort.
    assert done.returncode in (0, 1)
