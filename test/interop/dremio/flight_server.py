"""A Flight SQL server over DuckDB that speaks as Dremio does: a handshake that answers a password with a token, GetFlightInfo, DoGet in record
batches, CancelFlightInfo, EXPLAIN PLAN FOR. Prints its port. The action `running` tells the statements that run."""
import base64
import json
import secrets
import sys
import threading
import time

import duckdb
import pyarrow as pa
import pyarrow.flight as flight

PASSWORDS = {"me": "secret"}
TOKENS = {"a-personal-access-token"}
PREFIX = "type.googleapis.com/arrow.flight.protocol.sql."


def fields(data):
    """The fields of a message of Protocol Buffers that are bytes, by number."""
    found, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while at < len(data):
        tag = number()
        if tag & 7 == 0:
            number()
            continue
        length = number()
        found[tag >> 3] = data[at : at + length]
        at += length
    return found


def unwrapped(data, name):
    message = fields(data)
    if message[1].decode() != PREFIX + name:
        raise flight.FlightServerError(f"not implemented: {message[1].decode()}")
    return fields(message[2])


class Session(flight.ServerMiddleware):
    def __init__(self, token):
        self.token = token

    def sending_headers(self):
        return {"authorization": f"Bearer {self.token}"}


class Sessions(flight.ServerMiddlewareFactory):
    def start_call(self, info, headers):
        lower = {name.lower(): values for name, values in headers.items()}
        kind, _, shown = (lower.get("authorization") or [""])[0].partition(" ")
        if kind == "Basic":
            user, _, password = base64.b64decode(shown).decode().partition(":")
            if PASSWORDS.get(user) != password:
                raise flight.FlightUnauthenticatedError("Unable to authenticate user")
            token = secrets.token_urlsafe(16)
            TOKENS.add(token)
            return Session(token)
        if kind != "Bearer" or shown not in TOKENS:
            raise flight.FlightUnauthenticatedError("Token is not valid")
        return Session(shown)


class Anybody(flight.ServerAuthHandler):
    def authenticate(self, outgoing, incoming):
        pass

    def is_valid(self, token):
        return ""


class Running:
    def __init__(self, sql, cursor):
        self.sql, self.cursor, self.stopped, self.over = sql, cursor, False, False

    def stop(self):
        self.stopped = True
        self.cursor.interrupt()


class Server(flight.FlightServerBase):
    def __init__(self, location, tls):
        super().__init__(location, auth_handler=Anybody(), middleware={"sessions": Sessions()}, tls_certificates=tls)
        self.database = duckdb.connect(config={"threads": 1})
        self.database.execute("SET TimeZone = 'UTC'")
        self.database.execute('CREATE SCHEMA shop; CREATE TABLE shop.orders (id BIGINT NOT NULL, total DECIMAL(10, 2), "Full Name" VARCHAR)')
        self.running = {}

    def get_flight_info(self, context, descriptor):
        sql = unwrapped(descriptor.command, "CommandStatementQuery")[1].decode()
        plan = sql.removeprefix("EXPLAIN PLAN FOR ")
        cursor = self.database.cursor()
        try:
            schema = cursor.sql(f"SELECT * FROM ({plan}) LIMIT 0").to_arrow_table().schema
        except Exception as error:
            raise flight.FlightServerError(str(error))
        if plan != sql:
            schema = pa.schema([("text", pa.string())])
        handle = json.dumps({"sql": sql, "id": secrets.token_hex(8)}).encode()
        endpoint = flight.FlightEndpoint(flight.Ticket(handle), [])
        return flight.FlightInfo(schema, descriptor, [endpoint], -1, -1)

    def do_get(self, context, ticket):
        asked = json.loads(ticket.ticket)
        sql = asked["sql"]
        cursor = self.database.cursor()
        if sql.startswith("EXPLAIN PLAN FOR "):
            rows = cursor.execute("EXPLAIN " + sql.removeprefix("EXPLAIN PLAN FOR ")).fetchall()
            return flight.RecordBatchStream(pa.table({"text": [row[1] for row in rows]}))
        entry = self.running[asked["id"]] = Running(sql, cursor)
        threading.Thread(target=self.watch, args=(context, asked["id"]), daemon=True).start()
        try:
            reader = cursor.sql(sql).to_arrow_reader(8192)
        except Exception as error:
            self.end(asked["id"])
            raise flight.FlightCancelledError("cancelled") if entry.stopped else flight.FlightServerError(str(error))
        # A stream over a generator sends no dictionaries.
        return flight.RecordBatchStream(pa.RecordBatchReader.from_batches(reader.schema, self.batches(reader, asked["id"])))

    def batches(self, reader, name):
        try:
            for batch in reader:
                yield batch
        except GeneratorExit:
            raise
        except Exception as error:
            raise flight.FlightServerError(str(error))
        finally:
            self.end(name)

    def end(self, name):
        entry = self.running.pop(name, None)
        if entry:
            entry.over = True

    def watch(self, context, name):
        """Reports whether a client has gone."""
        entry = self.running.get(name)
        while entry and not entry.over:
            if context.is_cancelled():
                entry.stop()
                return self.end(name)
            time.sleep(0.02)

    def do_action(self, context, action):
        if action.type == "running":
            return [json.dumps([entry.sql for entry in list(self.running.values())]).encode()]
        if action.type == "CancelFlightInfo":
            info = flight.FlightInfo.deserialize(fields(action.body.to_pybytes())[1])
            for endpoint in info.endpoints:
                entry = self.running.get(json.loads(endpoint.ticket.ticket)["id"])
                if entry:
                    entry.stop()
            return [b"\x08\x01"]
        raise NotImplementedError(action.type)


tls = [tuple(open(name, "rb").read() for name in sys.argv[2:4])] if len(sys.argv) > 2 else None
server = Server(f"grpc{'+tls' if tls else ''}://127.0.0.1:{sys.argv[1]}", tls)
print(server.port, flush=True)
server.serve()
