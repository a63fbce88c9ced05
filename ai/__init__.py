"""The intelligence: tasks, events, navigation, motion, behaviours and the ped that holds them."""
