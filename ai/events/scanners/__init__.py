"""Scanners: what a ped notices of fires, sounds, bodies, vehicles and others (EVT-37 to EVT-49)."""
