"""A Flight server of pyarrow over DuckDB: the same rows as Grainline's, whole (`table`) or as they come (`reader`). Prints its port."""
import sys

import duckdb
import pyarrow as pa
import pyarrow.flight as flight

how, *init = sys.argv[1:]


class Server(flight.FlightServerBase):
    def __init__(self):
        super().__init__("grpc://127.0.0.1:0")
        self.database = duckdb.connect()
        for statement in init:
            self.database.execute(statement)

    def get_flight_info(self, context, descriptor):
        endpoint = flight.FlightEndpoint(descriptor.command, [])
        return flight.FlightInfo(pa.schema([]), descriptor, [endpoint], -1, -1)

    def do_get(self, context, ticket):
        relation = self.database.cursor().sql(ticket.ticket.decode())
        if how == "table":
            return flight.RecordBatchStream(relation.to_arrow_table())
        return flight.RecordBatchStream(relation.to_arrow_reader(16384))


server = Server()
print(server.port, flush=True)
server.serve()
