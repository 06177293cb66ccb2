"""The client of the benchmark: asks the servers in turns, by pyarrow, and prints what it measured as JSON. Its argument says what to ask, in JSON."""
import json
import subprocess
import sys
import time

import pyarrow.flight as flight

PREFIX = b"type.googleapis.com/arrow.flight.protocol.sql.CommandStatementQuery"


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    return varint(number << 3 | 2) + varint(len(value)) + value


def processor(pid):
    """Milliseconds that a process has worked."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 10


class Asked:
    def __init__(self, server):
        self.server = server
        self.client = flight.connect(f"grpc://127.0.0.1:{server['port']}")

    def reader(self, question):
        sql = question[self.server["language"]].encode()
        command = field(1, PREFIX) + field(2, field(1, sql)) if self.server["language"] == "semantic" else sql
        info = self.client.get_flight_info(flight.FlightDescriptor.for_command(command))
        return self.client.do_get(info.endpoints[0].ticket)

    def timed(self, question):
        before, began = processor(self.server["pid"]), time.perf_counter()
        rows = sum(chunk.data.num_rows for chunk in self.reader(question))
        took = (time.perf_counter() - began) * 1000
        assert rows == question["rows"], f"{rows} rows"
        return {"ms": took, "processorMs": processor(self.server["pid"]) - before}


def same(one, other):
    """Columns of the same types with the same values; what they are called and what may be NULL aside."""
    assert one.schema.types == other.schema.types, f"{one.schema.types} is not {other.schema.types}"
    assert all(mine.equals(theirs) for mine, theirs in zip(one.columns, other.columns)), "the values differ"


def answers(question, servers, job):
    first, *others = [asked.reader(question).read_all() for asked in servers.values()]
    for other in others:
        same(first, other)
    del first, others
    taken = {name: [] for name in servers}
    for turn in range(job["warm"] + job["rounds"]):
        for name, asked in servers.items():
            measured = asked.timed(question)
            if turn >= job["warm"]:
                taken[name].append(measured)
    return taken


def small(asked, job):
    """A small question, asked again and again: alone, and beside a stream that another process reads."""
    def times(count):
        return sorted(asked.timed(job["small"])["ms"] for _ in range(count))

    times(job["asks"])
    alone = times(job["asks"])
    other = [sys.executable, __file__, "drain", json.dumps({**job, "servers": {"it": asked.server}})]
    with subprocess.Popen(other, stdout=subprocess.PIPE, text=True) as reading:
        reading.stdout.readline()
        beside = times(job["asks"])
        reading.kill()
    return {"alone": alone, "beside": beside}


def drain(job):
    """Reads a long answer again and again, until it is killed; says when it has begun."""
    [asked] = [Asked(server) for server in job["servers"].values()]
    said = False
    while True:
        for _ in asked.reader(job["bulk"]):
            if not said:
                print("reading", flush=True)
            said = True


def main(job):
    servers = {name: Asked(server) for name, server in job["servers"].items()}
    found = {name: answers(question, servers, job) for name, question in job["questions"].items()}
    print(json.dumps({"answers": found, "small": {name: small(asked, job) for name, asked in servers.items()}}))


if sys.argv[1] == "drain":
    drain(json.loads(sys.argv[2]))
else:
    main(json.loads(sys.argv[1]))
