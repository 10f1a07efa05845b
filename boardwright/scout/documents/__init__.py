"""Problems and cases as XML documents, in the form of the dissertation's Listing 4.1."""

__all__: list[str] = []
