"""A server made with the protocol's own library, which speaks the newest generation."""

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

server = MCPServer("Modern", version="3")


class Sure(BaseModel):
    """A form."""

    sure: bool


@server.tool()
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


@server.tool()
async def slowly(ctx: Context) -> str:
    """Do something in steps."""
    for step in range(3):
        await ctx.report_progress(step, 3, f"step {step}")
    return "done"


@server.resource("notes://today")
def today() -> str:
    """What is noted for today."""
    return "buy bread"


@server.prompt()
def greeting(name: str) -> str:
    """Greet somebody."""
    return f"Write a greeting for {name}."


if __name__ == "__main__":
    server.run()
