"""Case-based reasoning over cases of any game: memory, retrieval, relevance, similarity, upkeep."""
