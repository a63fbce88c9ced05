"""Timeline effects: what dresses fires, blasts, hits and breakages (EVT-92 to EVT-94)."""
