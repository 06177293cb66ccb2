"""fakesnow: Snowflake SQL translated by sqlglot and run by DuckDB. Reads {"load": …} or {"sql": …} a line, answers each by a line."""
import datetime
import decimal
import json
import sys
import warnings

warnings.simplefilter("ignore")
import fakesnow
import snowflake.connector
from snowflake.connector.constants import FIELD_ID_TO_NAME


def shown(value):
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    return str(value)


def answer(cursor, request):
    if "load" in request:
        # In the SQL of the database below.
        cursor._duck_conn.execute(request["load"])
        return {}
    cursor.execute(request["sql"])
    rows = [[shown(value) for value in row] for row in cursor.fetchall()]
    columns = [{"name": c.name, "type": FIELD_ID_TO_NAME[c.type_code], "scale": c.scale} for c in cursor.description]
    return {"columns": columns, "rows": rows}


# A calendar nests deeper than Python likes.
sys.setrecursionlimit(20_000)

with fakesnow.patch():
    connection = snowflake.connector.connect(database="shop", schema="public")
    cursor = connection.cursor()
    cursor._duck_conn.execute("SET TimeZone = 'UTC'")
    for line in sys.stdin:
        try:
            reply = answer(cursor, json.loads(line))
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)
