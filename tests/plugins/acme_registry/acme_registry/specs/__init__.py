"""The specs of Acme: a registry that others name under `uses`."""
