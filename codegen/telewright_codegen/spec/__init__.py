"""What an author may write: one frozen pydantic model for each kind of YAML node."""
