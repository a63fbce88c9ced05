"""Behaviour files: read, checked whole, compiled; text form and Groot2 XML (HSM-28, HSM-29)."""
