"""What stands around a request and asks for nothing: openings, polite forms, asides and hesitations."""
