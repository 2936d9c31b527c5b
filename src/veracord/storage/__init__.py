"""Stores that outlive their process: SQLite and PostgreSQL."""
