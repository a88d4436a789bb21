"""TOML as its author wrote it: where a key stands, and what keeps a text from being TOML."""
