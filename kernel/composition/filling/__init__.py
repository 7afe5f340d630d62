"""Values for parameters: which words of a segment may be the argument of which parameter, and how doubtful that is."""
