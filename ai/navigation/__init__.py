"""Where bodies can walk, and how they get there: walk graph, path search, walk surface."""
