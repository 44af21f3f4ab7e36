"""A small local server that answers like an API, replays an archive and misbehaves on command."""
