"""Clients: programs that ask Steward in their own names (over MCP), each a node of its own in the policy tree.

It promises: what one client was granted no other has, and what the person may do counts for none; a client may call
what it was offered and nothing else; a token is shown once and kept as a digest; what a client says is nobody's word:
it teaches nothing. It never answers a card: only a person does, in the page or the terminal.
"""

from kernel.clients.book import KINDS, ClientBook
from kernel.clients.managing import Clients
from kernel.clients.model import ASK, MEMORY, Client, ToolCall

__all__ = ["ASK", "KINDS", "MEMORY", "Client", "ClientBook", "Clients", "ToolCall"]
