"""What is done with records: repair, and the checking and explaining of its results."""
