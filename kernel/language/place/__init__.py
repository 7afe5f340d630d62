"""Files and folders in a sentence: by path, by name, by words of a name, by what was done to them, or not there yet."""
