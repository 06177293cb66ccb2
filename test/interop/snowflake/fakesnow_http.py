"""fakesnow's own HTTP server, with what it lacks before the driver for Node and Snowflake itself has: rows as JSON, in portions that are
fetched one by one; statements that can be stopped; settings of a session; EXPLAIN. Prints its port. GET /running tells what runs."""
import asyncio
import contextvars
import gzip
import importlib
import json
import re
import socket
import sys
import uuid
import warnings

warnings.simplefilter("ignore")
import pyarrow as pa
import uvicorn
from fakesnow.fakes import FakeSnowflakeConnection
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

# A function has the same name.
server = importlib.import_module("fakesnow.server")
FIRST, PORTION, KEPT = 1000, 15_000, 300
running = {}  # by id of the request: the text, the cursors that were opened for it, whether it is to stop
portions = {}
settings = {}  # by token of the session
current = contextvars.ContextVar("current", default=None)

open_cursor = FakeSnowflakeConnection.cursor


def remembered(self, *args, **kwargs):
    cursor = open_cursor(self, *args, **kwargs)
    if entry := current.get():
        entry["cursors"].append(cursor)
    return cursor


FakeSnowflakeConnection.cursor = remembered


def texts(column, kind):
    """The column as Snowflake spells it in JSON: days, seconds with nine digits, plain numbers."""
    if kind == "date":
        return [None if v is None else str(v) for v in column.cast(pa.int32()).to_pylist()]
    if kind.startswith("timestamp"):
        unit = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[column.type.unit]
        zone = " 1440" if kind == "timestamp_tz" else ""
        return [None if v is None else seconds(v * unit) + zone for v in column.cast(pa.int64()).to_pylist()]
    if kind == "time":
        return [None if v is None else seconds(v * 1000) for v in column.cast(pa.int64()).to_pylist()]
    if kind == "boolean":
        return [None if v is None else "1" if v else "0" for v in column.to_pylist()]
    if kind == "real":
        return [None if v is None else repr(v) for v in column.cast(pa.float64()).to_pylist()]
    if kind == "binary":
        return [None if v is None else v.hex().upper() for v in column.to_pylist()]
    return column.cast(pa.string()).to_pylist() if kind in ("fixed", "text") else [None if v is None else str(v) for v in column.to_pylist()]


def seconds(nanos):
    sign = "-" if nanos < 0 else ""
    whole, rest = divmod(abs(nanos), 10**9)
    return f"{sign}{whole}.{rest:09d}"


def as_json(table, rowtype):
    columns = [texts(column, kind["type"].lower()) for column, kind in zip(table.columns, rowtype)]
    return [list(row) for row in zip(*columns)]


def in_portions(table, rowtype, base):
    chunks = []
    for old in list(portions)[:-KEPT]:
        del portions[old]
    for start in range(FIRST, table.num_rows, PORTION):
        name = uuid.uuid4().hex
        portions[name] = (table.slice(start, PORTION), rowtype)
        count = min(PORTION, table.num_rows - start)
        chunks.append({"url": f"{base}/portion/{name}", "rowCount": count, "uncompressedSize": count * 10})
    return {"rowset": as_json(table.slice(0, FIRST), rowtype), "chunks": chunks}


async def portion(request):
    # The driver may come again for one that it has fetched before, and for one of a server that is gone, until it is told that there is none.
    if (found := portions.get(request.path_params["name"])) is None:
        return Response(status_code=404)
    table, rowtype = found
    body = await asyncio.to_thread(lambda: json.dumps(as_json(table, rowtype))[1:-1])
    return Response(body, media_type="binary/octet-stream")


def to_json_rows(reply, entry, base, session):
    """Of an answer in Arrow, the same in JSON."""
    data = reply["data"]
    data["parameters"] = [{"name": name, "value": value} for name, value in session.items()]
    data["version"] = 1
    if data.get("queryResultFormat") == "arrow":
        table = entry["cursors"][0]._arrow_table
        # It tells a column of times with a zone, and of no type, less exactly than a server does.
        for kind, column in zip(data["rowtype"], table.columns if table else []):
            kind["scale"] = 9 if kind["type"].lower().startswith("time") else kind["scale"]
        data.pop("rowsetBase64", None)
        data.update(in_portions(table, data["rowtype"], base) if table else {"rowset": []})
        data["queryResultFormat"] = "json"
    data["returned"] = data["total"]
    return reply


async def query_request(request):
    body = await request.body()
    if request.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    asked = json.loads(body)
    token = server.to_token(request)
    session = settings.setdefault(token, {"TIMEZONE": "America/Los_Angeles"})
    sql = asked["sqlText"].strip()
    base = f"http://{request.headers['host']}"
    entry = {"sql": sql, "cursors": [], "stopped": None}
    key = request.query_params.get("requestId") or uuid.uuid4().hex
    running[key] = entry
    current.set(entry)
    try:
        if found := re.match(r"ALTER SESSION SET (.*)", sql, re.S):
            values = re.findall(r"(\w+) = (?:'([^']*)'|(\w+))", found[1])
            session.update({name: text or value for name, text, value in values})
            return JSONResponse(rows_of([["Statement executed successfully."]], ["status"], session))
        if sql.startswith("SHOW PARAMETERS LIKE 'TIMEZONE'"):
            return JSONResponse(rows_of([["TIMEZONE", session["TIMEZONE"]]], ["key", "value"], session))
        if sql.startswith("EXPLAIN USING TEXT "):
            asked["sqlText"] = sql.removeprefix("EXPLAIN USING TEXT ")
            asked["describeOnly"] = True
            reply = json.loads((await ask(request, asked)).body)
            if not reply["success"]:
                return JSONResponse(reply)
            plan = f"GlobalStats: columns={len(reply['data']['rowtype'])}"
            return JSONResponse(rows_of([[plan]], ["content"], session))
        limit = int(session.get("STATEMENT_TIMEOUT_IN_SECONDS", 0)) or None
        timer = asyncio.get_running_loop().call_later(limit, stop, entry, "000630", "Statement reached its statement timeout") if limit else None
        reply = json.loads((await ask(request, asked)).body)
        if timer:
            timer.cancel()
        if entry["stopped"]:
            code, message = entry["stopped"]
            return JSONResponse({"data": {"errorCode": code, "sqlState": "57014"}, "code": code, "message": message, "success": False})
        if not reply["success"]:
            reply["data"] = reply["data"] or {"errorCode": reply["code"], "sqlState": "22000"}
            return JSONResponse(reply)
        return JSONResponse(await asyncio.to_thread(to_json_rows, reply, entry, base, session))
    finally:
        running.pop(key, None)


async def ask(request, asked):
    body = json.dumps(asked).encode()

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(name, value) for name, value in request.scope["headers"] if name != b"content-encoding"]
    inner = type(request)({**request.scope, "headers": headers}, receive)
    return await server.query_request(inner)


def rows_of(rows, names, session):
    rowtype = [{"name": name, "type": "text", "nullable": True, "scale": None, "precision": None, "length": 100} for name in names]
    parameters = [{"name": name, "value": value} for name, value in session.items()]
    data = {"rowtype": rowtype, "rowset": rows, "total": len(rows), "returned": len(rows), "parameters": parameters}
    return {"data": {**data, "queryResultFormat": "json", "queryId": str(uuid.uuid4()), "version": 1}, "success": True}


def stop(entry, code, message):
    entry["stopped"] = (code, message)
    for cursor in entry["cursors"]:
        cursor._duck_conn.interrupt()


async def abort(request):
    body = await request.body()
    if request.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    if entry := running.get(json.loads(body).get("requestId")):
        stop(entry, "000604", "SQL execution canceled")
    return JSONResponse({"data": None, "success": True})


async def told(_):
    return JSONResponse([entry["sql"] for entry in running.values()])


OWN = [
    Route("/queries/v1/query-request", query_request, methods=["POST"]),
    Route("/queries/v1/abort-request", abort, methods=["POST"]),
    Route("/portion/{name}", portion),
    Route("/running", told),
    Route("/telemetry/send", lambda _: JSONResponse({"success": True}), methods=["POST"]),
]
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(Starlette(routes=OWN + server.routes), log_level="critical")).run(sockets=[listener])
