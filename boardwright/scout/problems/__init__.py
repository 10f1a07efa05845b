"""A decision as SCOUT meets it: from a view to a problem, and from a problem back to a view and its steps."""
