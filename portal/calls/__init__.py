"""The calls of the daemon, by what they are about: ``portal.client`` has them all."""
