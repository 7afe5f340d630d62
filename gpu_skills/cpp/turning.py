turned=None
