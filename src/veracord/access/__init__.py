"""Who may sign in, and what a key may do: users, sessions, links, API keys, and how guessing is slowed."""
