"""Reads one answer in every format and encoding with pyarrow and compares it with the JSON answer; one line of JSON per answer."""

import datetime
import decimal
import io
import json
import sys
import urllib.request
import zoneinfo

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

given = json.loads(sys.argv[1])
body = json.dumps({"query": {**given["query"], "limit": given["limit"]}}).encode()
zone = zoneinfo.ZoneInfo(given["query"]["timezone"])

TYPES = {
    "i": pyarrow.int64(),
    "text": pyarrow.string(),
    "flag": pyarrow.bool_(),
    "whole": pyarrow.int64(),
    "real": pyarrow.float64(),
    "money": pyarrow.decimal128(12, 2),
    "large": pyarrow.decimal128(38, 4),
    "day": pyarrow.date32(),
    "clock": pyarrow.time64("us"),
    "wall": pyarrow.timestamp("us"),
    "document": pyarrow.string(),
}


def ask(format, encoding):
    headers = {"content-type": "application/json", "accept-encoding": encoding}
    request = urllib.request.Request(f"{given['url']}?format={format}", body, headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read(), answer.headers.get("content-encoding", "identity")


def decoded(data, encoding):
    if encoding == "identity":
        return data
    name = {"br": "brotli"}.get(encoding, encoding)
    return pyarrow.CompressedInputStream(pyarrow.BufferReader(data), name).read()


def in_json(value):
    """The value as a JSON answer has it; instants are shown in the zone of the query."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) <= 2**53 - 1 else str(value)
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        shown = value if value.tzinfo is None else value.astimezone(zone)
        return comparable(shown)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return value


def comparable(moment):
    return (moment.replace(tzinfo=None).isoformat(), None if moment.tzinfo is None else moment.utcoffset())


def from_json(column, value):
    if value is None:
        return None
    if column in ("wall", "moment"):
        return comparable(datetime.datetime.fromisoformat(value))
    if column == "clock":
        return datetime.time.fromisoformat(value).isoformat()
    if column == "document":
        return json.dumps(value)
    return value


def shown(column, value):
    return json.dumps(json.loads(value)) if column == "document" and value is not None else in_json(value)


data, _ = ask("json", "identity")
answer = json.loads(data)
fields = [column["name"].split(".")[-1] for column in answer["columns"]]
expected = {field: [from_json(field, row[at]) for row in answer["rows"]] for at, field in enumerate(fields)}


def check(name, encoding, wanted, table):
    faults = []
    if wanted != encoding:
        faults.append(f"encoded as {encoding}, not {wanted}")
    if table.num_rows != given["limit"]:
        faults.append(f"{table.num_rows} rows")
    for at, field in enumerate(fields):
        column = table.column(at)
        type = TYPES.get(field)
        right = column.type == type if type else pyarrow.types.is_timestamp(column.type) and column.type.tz is not None
        if not right:
            faults.append(f"{field} is {column.type}")
        read = [shown(field, value) for value in column.to_pylist()]
        other = next((i for i, (a, b) in enumerate(zip(read, expected[field], strict=True)) if a != b), None)
        if other is not None:
            faults.append(f"{field}[{other}] is {read[other]!r}, not {expected[field][other]!r}")
        if column.null_count == 0 and field != "i":
            faults.append(f"{field} has no NULL to compare")
    print(json.dumps({"name": name, "ok": not faults, "faults": faults}))


encodings = ["identity", "gzip", "br", *(["zstd"] if given["zstd"] else [])]
for encoding in encodings:
    data, used = ask("arrow", encoding)
    check(f"arrow, {encoding}", used, encoding, pyarrow.ipc.open_stream(decoded(data, used)).read_all())
    data, used = ask("parquet", encoding)
    check(f"parquet, {encoding}", used, "identity", pyarrow.parquet.read_table(io.BytesIO(data)))
