"""Networks trained by self-play, and search on top of them."""
