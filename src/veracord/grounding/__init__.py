"""The verifier: whether every assertion of an answer is supported by the evidence that it cites."""
