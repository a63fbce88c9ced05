"""Who holds which resource of a ped: commands, instances, cancels and their receipts (ACT)."""
