"""Numbers, units, money, sizes and arithmetic in a sentence, English and German."""
