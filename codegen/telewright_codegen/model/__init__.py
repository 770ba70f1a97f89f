"""What emitters see: frozen values; every reference is an object, every name is decided."""
