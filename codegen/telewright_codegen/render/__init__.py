"""How diagnostics look: for people, for editors, for scripts, for GitHub."""
