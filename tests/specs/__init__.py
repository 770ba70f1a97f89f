"""The specs that this project ships, against what Gym and RL are known to emit."""
