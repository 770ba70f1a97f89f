"""From specs to the model."""
