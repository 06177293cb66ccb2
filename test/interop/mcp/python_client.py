"""One MCP server, asked by the Python client: an address, or the command that starts it. Prints what it found as JSON."""
import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters


async def main() -> None:
    target = sys.argv[1]
    if not target.startswith("http"):
        target = StdioServerParameters(command=target, args=sys.argv[2:], env=dict(os.environ))
    async with Client(target) as client:
        tools = await client.list_tools()
        asked = {"dimensions": ["Origin Code"], "measures": ["Flight Count"], "order_by": [{"field": "Origin Code"}]}
        answer = await client.call_tool("query", asked)
        wrong = await client.call_tool("query", {"measures": ["Flight Cnt"]})
        described = await client.call_tool("describe_fields", {"names": ["Cancellation Rate"]})
        resource = await client.read_resource("grainline://fields/Airline")
        print(json.dumps({
            "protocol": client.protocol_version,
            "tools": sorted(tool.name for tool in tools.tools),
            "rows": answer.structured_content["rows"],
            "wrong": wrong.is_error,
            "says": wrong.content[0].text,
            "described": described.content[0].text,
            "resource": resource.contents[0].text,
        }))


asyncio.run(main())
