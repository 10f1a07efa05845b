"""Cases: the record of one, its features, libraries of them, and what is learned from a library."""
