"""What Acme asks of specs."""
