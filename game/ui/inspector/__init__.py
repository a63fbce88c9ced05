"""The inspector: one ped, what it is doing and why, in words. It reads and never changes."""
