"""The ped: its mind, its default task, its rows in the trace."""
