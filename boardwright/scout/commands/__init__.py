"""What `boardwright scout` and `boardwright cases` do."""
