"""chDB behind lines of JSON: {"run": [sql, …]} or {"sql": sql, "format": name} in, {"text": …} or {"error": …} out."""

import json
import sys

from chdb.session import Session

session = Session()
session.query("CREATE DATABASE shop")
session.query("USE shop")
# Tables are tiny here: threads and compiled expressions cost more than they bring.
for name in ("max_threads", "compile_expressions", "compile_aggregate_expressions", "compile_sort_description"):
    session.query(f"SET {name} = {int(name == 'max_threads')}")
# The vendor asks for as much room as a statement takes.
session.query("SET max_query_size = 100000000")


def answer(request):
    for statement in request.get("run", []):
        session.query(statement)
    if "sql" not in request:
        return {}
    return {"text": session.query(request["sql"], request["format"]).data()}


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:  # the engine's own sentence
        reply = {"error": str(error)}
    print(json.dumps(reply), flush=True)
