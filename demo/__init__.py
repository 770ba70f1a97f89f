"""A small job in the shape of Gym and RL: servers, a collector of rollouts, a training loop."""
