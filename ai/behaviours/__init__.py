"""The catalogue of tasks: moving, standing, wandering, orders."""
