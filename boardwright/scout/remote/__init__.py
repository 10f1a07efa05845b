"""The interface to other engines: problems as documents, and the wire they come by."""
