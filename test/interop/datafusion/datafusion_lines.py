"""DataFusion behind lines of JSON: {"run": [sql, …]} or {"sql": sql} in, {"columns": [{name, type}], "rows": […]} or {"error": …} out."""

import datetime
import decimal
import json
import math
import sys

import pyarrow
from datafusion import SessionConfig, SessionContext

# Tables are tiny here: threads cost more than they bring. The other settings are those that the README of the dialect asks for.
SETTINGS = {
    "datafusion.execution.target_partitions": "1",
    "datafusion.optimizer.repartition_sorts": "false",
    "datafusion.optimizer.skip_failed_rules": "true",
    "datafusion.sql_parser.recursion_limit": "200",
}
context = SessionContext(SessionConfig(SETTINGS))


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.time):
        return value.isoformat()
    return value


def cells(column):
    """Days and moments as counted from 1970: a date of Python ends with the year 9999."""
    if pyarrow.types.is_date32(column.type):
        column = column.cast(pyarrow.int32())
    elif pyarrow.types.is_timestamp(column.type):
        column = column.cast(pyarrow.int64())
    return [plain(value) for value in column.to_pylist()]


def answer(request):
    for statement in request.get("run", []):
        context.sql(statement).collect()
    if "sql" not in request:
        return {}
    table = context.sql(request["sql"]).to_arrow_table()
    return {
        "columns": [{"name": field.name, "type": str(field.type)} for field in table.schema],
        "rows": [list(row) for row in zip(*map(cells, table.columns))],
    }


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except BaseException as error:  # the engine's own sentence; a panic of its own is no Exception
        reply = {"error": str(error)}
    print(json.dumps(reply), flush=True)
