"""Asks the language server of a project of `mondo new` for the project's dialect.

`python -m tools.project SERVER NAME`
"""

import sys

from tools.client import Client, position

TEXT = """\
func.func @f(%a: i32) -> i32 {
  %0 = NAME.wrap %a : !NAME.box<i32>
  %1 = NAME.unwrap %0 : !NAME.box<i32>
  func.return %1 : i32
}
"""
URI = "file:///work/sample.mlir"


def main(server, name):
    client = Client([server])
    client.request("initialize", processId=None, rootUri=None, capabilities={})
    client.notify("initialized")
    text = TEXT.replace("NAME", name)
    assert client.open(URI, text) == []
    hover = client.request(
        "textDocument/hover",
        textDocument={"uri": URI},
        position=position(text, f"{name}.wrap"),
    )
    assert f'"{name}.wrap"' in hover["contents"]["value"], hover
    wrong = text.replace(f"{name}.unwrap", f"{name}.unwarp")
    (diagnostic,) = client.open("file:///work/wrong.mlir", wrong)
    assert f"{name}.unwarp" in diagnostic["message"], diagnostic
    assert client.close() == 0


main(*sys.argv[1:])
