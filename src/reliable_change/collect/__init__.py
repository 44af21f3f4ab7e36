"""Collecting trials from any OpenAI-compatible API: plan, journal, engine, export."""
