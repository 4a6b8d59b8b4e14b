"""Structs of the project `toy` in operations of this one, in one context."""

import pytest
from acme.mlir import passmanager
from acme.mlir.dialects import garden, toy
from acme.mlir.ir import Context, IntegerType, Location, MemRefType, MLIRError, Module

TEXT = """
func.func @grow(%a: i32) -> memref<4x!toy.struct<i32>> {
  %seed = toy.make %a : (i32) -> !toy.struct<i32>
  %plant = garden.plant %seed : !toy.struct<i32> -> !toy.struct<i32>
  %bed = memref.alloc() : memref<4x!toy.struct<i32>>
  return %bed : memref<4x!toy.struct<i32>>
}
"""


def test_a_type_of_one_project_is_in_an_operation_of_the_other():
    with Context(), Location.unknown():
        module = Module.parse(TEXT)
        operations = module.body.operations[0].regions[0].blocks[0].operations
        plant = operations[1]
        assert isinstance(plant, garden.PlantOp)
        assert isinstance(plant.seed.type, toy.StructType)
        # The interface is the first project's, the operation the second's.
        assert toy.count_parts(plant.operation) == 1
        assert module.operation.verify()


def test_the_memref_asks_the_type_for_its_interface():
    with Context(), Location.unknown():
        i32 = IntegerType.get_signless(32)
        kind = toy.StructType.get([i32, i32])
        assert str(MemRefType.get([4], kind)) == "memref<4x!toy.struct<i32, i32>>"


def test_one_pipeline_has_passes_of_both_projects():
    with Context(), Location.unknown():
        module = Module.parse(TEXT)
        passmanager.PassManager.parse("builtin.module(toy-stamp,garden-label)").run(
            module.operation
        )
        seed, plant, *_ = module.body.operations[0].regions[0].blocks[0].operations
        # The second pass passes on what the first has made.
        assert plant.attributes["garden.label"] == seed.attributes["toy.stamp"]
        # By itself it has nothing to pass on.
        module = Module.parse(TEXT)
        passmanager.PassManager.parse("builtin.module(garden-label)").run(module.operation)
        _, plant, *_ = module.body.operations[0].regions[0].blocks[0].operations
        assert "garden.label" not in plant.attributes


def test_another_type_is_refused():
    with Context(), Location.unknown(), pytest.raises(MLIRError):
        Module.parse("func.func @f(%a: i32) { %0 = garden.plant %a : i32 -> i32 return }")
