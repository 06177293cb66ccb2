"""As much of ClickHouse's HTTP interface over chDB as its driver needs. Clients may keep connections; statements run one after another. Prints its port."""

import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qsl, urlsplit

from chdb.session import Session

NO_SETTINGS = {"query", "query_id", "database", "session_id", "role", "default_format", "readonly", "send_progress_in_http_headers"}
session = Session()
one_at_a_time = Lock()
for statement in sys.argv[1:]:
    session.query(statement)


def quoted(value):
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = dict(parse_qsl(urlsplit(self.path).query))
        sql = asked.get("query", "") + self.body().decode()
        match = re.search(r"\sFORMAT\s+(\w+)\s*$", sql)
        try:
            with one_at_a_time:
                for name, value in asked.items():
                    if name not in NO_SETTINGS:
                        session.query(f"SET {name} = {quoted(value)}")
                statement = sql[: match.start()] if match else sql
                found = session.query(statement, match[1] if match else "TabSeparated").bytes()
            self.answer(200, found)
        except Exception as error:
            code = re.search(r"Code: (\d+)", str(error))
            self.answer(500, str(error).encode(), {"X-ClickHouse-Exception-Code": code[1] if code else "1000"})

    def body(self):
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def answer(self, status, body, headers={}):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
