"""The language: ``from …opdsl.lang import *`` brings all that a definition is written with."""

from .dsl import *
