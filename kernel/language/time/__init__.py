"""Days, times, stretches and recurrences in a sentence, English and German. Nothing is a date by chance."""
