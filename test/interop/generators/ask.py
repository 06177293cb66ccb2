"""Asks a query through the client that was generated into this folder. Arguments: the address and the folder."""

import json
import sys

address, folder = sys.argv[1:]
sys.path.insert(0, folder)

from grainline_client import Client
from grainline_client.api.queries import post_v1_query_execute, post_v1_query_sql
from grainline_client.models import QueryComparison, QueryFilterGroup, QueryObject, QueryOrder, QueryRequest, QuerySelection

EQUALS, IN, OR = "equals", "in", "or"
query = QueryObject.from_dict(
    {
        "select": {"dimensions": ["Airline"], "measures": ["Flight Count"]},
        "where": [
            {
                "logic": OR,
                "filters": [
                    {"field": "Airline", "op": EQUALS, "value": "JetBlue Airways"},
                    {"field": "Airline", "op": IN, "value": ["Delta Air Lines Inc."]},
                ],
            }
        ],
        "order_by": [{"field": "Flight Count", "direction": "desc"}],
    }
)
assert isinstance(query.select, QuerySelection) and isinstance(query.order_by[0], QueryOrder)
group = query.where[0]
assert isinstance(group, QueryFilterGroup) and isinstance(group.filters[0], QueryComparison), type(group)

client = Client(base_url=address)
compiled = post_v1_query_sql.sync(client=client, body=QueryRequest(query=query))
answer = post_v1_query_execute.sync(client=client, body=QueryRequest(query=query))
bare = post_v1_query_execute.sync(client=client, body=query)
assert hasattr(compiled, "sql") and hasattr(answer, "rows"), (compiled, answer)
print(json.dumps({"sql": compiled.sql, "rows": answer.rows, "bare": bare.rows}))
