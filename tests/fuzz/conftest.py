"""The fuzzer of this folder can be imported by its tests."""
