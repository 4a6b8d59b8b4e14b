"""The language servers of PDLL and of TableGen, as an editor uses them.

They know nothing of a bundle.
"""

import os
import subprocess

import pytest

from tools.client import Client, position

PDLL = """\
Constraint Even(value: Value);

Pattern RemoveTwice with benefit(2) {
  let root = op<demo.twice>(operand: Value);
  Even(operand);
  replace root with operand;
}
"""

TABLEGEN = """\
class Shape<int sides> {
  int count = sides;
}

def Triangle : Shape<3>;
def Square : Shape<4> {
  string name = "square";
}
"""

# The tool, a file of its language, a word, which of its occurrences is a use, what hovering over
# it shows, and a file with a mistake and the error.
SERVERS = {
    "pdll": (
        "pdll-lsp-server",
        PDLL,
        ("operand", 2, "**Variable**: `operand`"),
        ("Pattern P { replace nothing with op<a.b>; }\n", "undefined reference to `nothing`"),
    ),
    "td": (
        "tblgen-lsp-server",
        TABLEGEN,
        ("Shape", 2, "**class** `Shape`"),
        ("def A : Missing;\n", "Couldn't find class 'Missing'"),
    ),
}


def skip_without(tool):
    """Skips the test in bundles that have not all tools."""
    if os.environ["MONDO_BUNDLE"] != "default-tools":
        pytest.skip(f"the bundle has no {tool}")


def start(command, tool):
    """The server of a tool, after its first answer, and what it says that it can."""
    skip_without(tool)
    client = Client([command(tool)])
    answer = client.request("initialize", processId=None, rootUri=None, capabilities={})
    client.notify("initialized")
    return client, answer["capabilities"]


@pytest.fixture(params=SERVERS)
def session(request, command):
    tool, *rest = SERVERS[request.param]
    client, capabilities = start(command, tool)
    for name in ["hoverProvider", "definitionProvider", "referencesProvider"]:
        assert capabilities[name]
    yield client, f"file:///work/sample.{request.param}", *rest
    if client.server.poll() is None:
        client.server.kill()
    client.server.wait()


def test_a_file_of_the_language(session):
    client, uri, text, (word, use, hover), _ = session
    assert client.open(uri, text) == []
    place = {"textDocument": {"uri": uri}, "position": position(text, word, use)}
    shown = client.request("textDocument/hover", **place)
    assert hover in shown["contents"]["value"]
    (definition,) = client.request("textDocument/definition", **place)
    assert definition["uri"] == uri
    assert definition["range"]["start"] == position(text, word)
    references = client.request(
        "textDocument/references", **place, context={"includeDeclaration": True}
    )
    starts = [it["range"]["start"] for it in references]
    for nth in range(1, text.count(word) + 1):
        assert position(text, word, nth) in starts
    assert client.close() == 0


def test_an_error_is_published_until_it_is_mended(session):
    client, uri, text, _, (wrong, message) = session
    (diagnostic,) = client.open(uri, wrong)
    assert message in diagnostic["message"]
    assert diagnostic["range"]["start"]["line"] == 0
    client.notify(
        "textDocument/didChange",
        textDocument={"uri": uri, "version": 2},
        contentChanges=[{"text": text}],
    )
    published = client.wait(lambda it: it.get("method") == "textDocument/publishDiagnostics")
    assert published["params"]["diagnostics"] == []


@pytest.mark.parametrize("garbage", [b"Content-Length: 5\r\n\r\n{{{{{", b"Content-Type: x\r\n\r\n"])
def test_garbage_between_messages_changes_nothing(session, garbage):
    client, uri, text, _, _ = session
    client.raw(garbage)
    assert client.open(uri, text) == []
    assert client.close() == 0


@pytest.mark.parametrize("tool", ["pdll-lsp-server", "tblgen-lsp-server"])
@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\0" * 4096,
        b"Content-Length: 999999\r\n\r\n{}",
        b'Content-Length: 4\r\n\r\n"no"',
    ],
)
def test_an_input_that_is_no_session_ends_the_server(command, tool, garbage):
    skip_without(tool)
    done = subprocess.run([command(tool)], input=garbage, capture_output=True, timeout=60)
    assert done.returncode in (0, 1)


def test_constraints_of_pdll_are_completed(command):
    client, capabilities = start(command, "pdll-lsp-server")
    assert capabilities["completionProvider"]
    uri = "file:///work/half.pdll"
    client.open(uri, "Constraint Even(value: Value);\nPattern P {\n  let root: \n}\n")
    answer = client.request(
        "textDocument/completion",
        textDocument={"uri": uri},
        position={"line": 2, "character": 12},
        context={"triggerKind": 1},
    )
    labels = [item["label"] for item in answer["items"]]
    assert {"Attr", "Op", "Type", "Value", "Even"} <= set(labels)
    assert client.close() == 0


def test_what_a_server_cannot_is_an_error_of_the_request_alone(command):
    # Upstream's server for TableGen completes nothing.
    client, capabilities = start(command, "tblgen-lsp-server")
    assert "completionProvider" not in capabilities
    uri = "file:///work/sample.td"
    client.open(uri, TABLEGEN)
    place = {"textDocument": {"uri": uri}, "position": position(TABLEGEN, "Shape", 2)}
    with pytest.raises(AssertionError, match="method not found"):
        client.request("textDocument/completion", **place)
    assert client.request("textDocument/hover", **place)
    assert client.close() == 0
