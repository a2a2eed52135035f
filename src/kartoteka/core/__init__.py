"""The compiled core: what turns rules into machine code, chance, and the loops that run over any game."""
