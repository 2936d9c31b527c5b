"""The audit log: events in a hash chain, signed checkpoints, verification, replay and exports."""
