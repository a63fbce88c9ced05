"""Sound will live here."""
