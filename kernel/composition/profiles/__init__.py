"""What a tool's manifest teaches: its examples read once, as skeletons, cue words, choice words and bare units."""
