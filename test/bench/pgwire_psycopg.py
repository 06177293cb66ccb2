"""Asks two servers the same rows in turns through psycopg, as text and as binary. Prints JSON: seconds by server and format, with the question alone."""

import json
import sys
import time

import psycopg

asked = json.load(sys.stdin)
connections = [
    psycopg.connect(host="127.0.0.1", port=server["port"], dbname=server["database"], user="postgres", autocommit=True)
    for server in asked["servers"]
]


def seconds(connection, sql, binary):
    began = time.perf_counter()
    rows = connection.execute(sql, binary=binary).fetchall()
    return time.perf_counter() - began, rows


answers = {}
for kind in ("text", "binary"):
    rows = [seconds(c, s["sql"], kind == "binary")[1] for c, s in zip(connections, asked["servers"])]
    if rows[0] != rows[1]:
        sys.exit(f"{kind}: the servers answer otherwise: {rows[0][:1]} and {rows[1][:1]}")
    times = [{"whole": [], "question": []} for _ in connections]
    for _ in range(asked["rounds"]):
        for connection, server, found in zip(connections, asked["servers"], times):
            # The same statement for one row: what the question itself takes.
            found["question"].append(seconds(connection, server["question"], kind == "binary")[0])
            found["whole"].append(seconds(connection, server["sql"], kind == "binary")[0])
    answers[kind] = times
print(json.dumps(answers))
