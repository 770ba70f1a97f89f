"""Cases of generated code: what a spec becomes, to the letter."""
