"""Instruction following: the official verifiers of IFBench and IFEval, strict and loose."""
