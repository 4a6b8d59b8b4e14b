# RUN: %PYTHON %s | FileCheck %s
"""Attributes, whose classes are made from ODS."""

from toy.dialects import toy
from toy.ir import Attribute, Context, Location

with Context(), Location.unknown():
    tag = toy.TagAttr.get(toy.Color.Green, "leaf")
    # CHECK: #toy.tag<green, "leaf">
    print(tag)
    # CHECK: Color.Green leaf
    print(repr(tag.color).split(":")[0].strip("<"), tag.text)
    parsed = Attribute.parse('#toy.tag<red, "rose">')
    # CHECK: True True rose
    print(toy.TagAttr.isinstance(parsed), isinstance(parsed, toy.TagAttr), parsed.text)
    # CHECK: #toy<color red>
    print(toy.ColorAttr.get(toy.Color.Red))
    try:
        toy.TagAttr.get(7, "none")
    except Exception as error:
        # CHECK: MLIRError {{.*}}`color` has no value 7
        print(type(error).__name__, str(error).replace("\n", " "))
    try:
        toy.TagAttr.get(toy.Color.Red, 3)
    except TypeError as error:
        # CHECK: `text` must be a str, not int
        print(error)
    try:
        toy.ColorAttr(parsed)
    except ValueError as error:
        # CHECK: Cannot cast attribute to ColorAttr
        print(error)
