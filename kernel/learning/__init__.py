"""Learning: what a person's own requests teach beside the manifests, told from the ledger alone (decision 29).

A request that was confirmed, or that an answer completed, is an example in the form of a manifest's example; a phrase
that the person explained is read as what it means; the steps of a confirmed request of several are a template.

Promises: nothing is kept beside the ledger, so what is forgotten, refused or taken back is unlearnt; a request never
waits for a lesson, but the first after a start. Never: widens a right, or learns from words that are not the person's.
"""
