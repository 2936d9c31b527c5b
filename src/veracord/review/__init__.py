"""Decisions of people about records: who may, what each act does, and the events that tell of it."""
