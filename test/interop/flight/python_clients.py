"""pyarrow.flight, ADBC, pandas, polars and DuckDB against a Grainline at the port given; a key may follow, and the files of an authority, a certificate and
its key. Prints one line of JSON per check. With `brief` in CHECKS it asks one question by each; with `unending` it ends answers that have no end of
their own; with `stuck` it begins to read and stops."""
import datetime
import json
import os
import re
import sys
import threading
import time
import traceback
import warnings
from decimal import Decimal

import adbc_driver_flightsql
import adbc_driver_flightsql.dbapi as dbapi
import adbc_driver_manager
import duckdb
import pandas
import polars
import pyarrow
import pyarrow.flight as flight

PORT = sys.argv[1]
KEY = sys.argv[2] if len(sys.argv) > 2 else ""
FILES = [open(file).read() for file in sys.argv[3:6]]
URI = f"grpc+tls://localhost:{PORT}" if FILES else f"grpc://127.0.0.1:{PORT}"
BY_AIRPORT = 'SELECT "Origin Airport", "Flight Count" FROM flights ORDER BY 2 DESC'
ROWS = [("Newark Liberty Intl", 120835), ("John F Kennedy Intl", 111279), ("La Guardia", 104662)]
FACTS = ["flights__Hours", "flights__Planes", "flights__Weather"]
UNENDING = 'SELECT "Endless"."Id" FROM numbers'
COUNT = 'SELECT "Count" FROM numbers'
OPTIONS = {"username": "anybody", "password": KEY} if KEY else {}
if FILES:
    names = adbc_driver_flightsql.DatabaseOptions
    AUTHORITY = {names.TLS_ROOT_CERTS.value: FILES[0]}
    OPTIONS = {**OPTIONS, **AUTHORITY, names.MTLS_CERT_CHAIN.value: FILES[1], names.MTLS_PRIVATE_KEY.value: FILES[2]}

warnings.simplefilter("ignore")


def same(given, expected):
    assert given == expected, f"{given!r} is not {expected!r}"


def command(name, value=b""):
    """A command of Flight SQL, encoded by hand."""
    url = ("type.googleapis.com/arrow.flight.protocol.sql." + name).encode()
    return b"\x0a" + bytes([len(url)]) + url + b"\x12" + varint(len(value)) + value


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def statement(sql):
    text = sql.encode()
    return command("CommandStatementQuery", b"\x0a" + varint(len(text)) + text)


def call_options(client, **more):
    if not KEY:
        return flight.FlightCallOptions(**more)
    return flight.FlightCallOptions(headers=[client.authenticate_basic_token("anybody", KEY)], **more)


def connect():
    if not FILES:
        return flight.connect(URI)
    return flight.connect(URI, tls_root_certs=FILES[0], cert_chain=FILES[1], private_key=FILES[2])


def brief():
    client = connect()
    options = call_options(client)
    info = client.get_flight_info(flight.FlightDescriptor.for_command(statement(BY_AIRPORT)), options)
    same(list(zip(*client.do_get(info.endpoints[0].ticket, options).read_all().to_pydict().values())), ROWS)
    with dbapi.connect(URI, db_kwargs=OPTIONS) as connection, connection.cursor() as cursor:
        cursor.execute(BY_AIRPORT)
        same(cursor.fetchall(), ROWS)


def strangers():
    """Neither without a certificate nor in plain text."""
    options = flight.FlightCallOptions(timeout=5)
    for uri, more in [(URI, {"tls_root_certs": FILES[0]}), (URI.replace("+tls", ""), {})]:
        try:
            flight.connect(uri, **more).get_flight_info(flight.FlightDescriptor.for_command(statement(BY_AIRPORT)), options)
            raise AssertionError(f"{uri} {list(more)} was let in")
        except (flight.FlightUnavailableError, flight.FlightTimedOutError, pyarrow.ArrowException, OSError):
            pass
    try:
        with dbapi.connect(URI, db_kwargs={"username": "anybody", "password": KEY, **AUTHORITY}) as connection, connection.cursor() as cursor:
            cursor.execute(BY_AIRPORT)
        raise AssertionError("ADBC was let in")
    except dbapi.Error:
        pass


def stuck():
    """Begins to read an answer without an end, and stops: its caller kills it."""
    client = connect()
    reader = client.do_get(ticket_of(client, UNENDING))
    reader.read_chunk()
    print("reading", flush=True)
    time.sleep(600)


def pyarrow_flight():
    client = connect()
    options = call_options(client)
    info = client.get_flight_info(flight.FlightDescriptor.for_command(statement(BY_AIRPORT)), options)
    same(len(info.endpoints), 1)
    same(info.endpoints[0].locations, [])
    reader = client.do_get(info.endpoints[0].ticket, options)
    table = reader.read_all()
    table.validate(full=True)
    same(table.schema.equals(info.schema, check_metadata=True), True)
    same(list(zip(*table.to_pydict().values())), ROWS)
    schema = client.get_schema(flight.FlightDescriptor.for_command(statement(BY_AIRPORT)), options).schema
    same(schema.equals(table.schema), True)
    same({action.type for action in client.list_actions(options)} >= {"CreatePreparedStatement", "CancelFlightInfo"}, True)
    flights = list(client.list_flights(options=options))
    same("Origin Airport" in flights[0].schema.names, True)
    schema = client.get_schema(flights[0].descriptor, options).schema
    same(schema.equals(flights[0].schema), True)


def pyarrow_catalogue():
    client = flight.connect(URI)
    options = call_options(client)
    for name in ["GetCatalogs", "GetDbSchemas", "GetTables", "GetTableTypes", "GetSqlInfo", "GetXdbcTypeInfo", "GetPrimaryKeys", "GetImportedKeys", "GetExportedKeys", "GetCrossReference"]:
        info = client.get_flight_info(flight.FlightDescriptor.for_command(command("Command" + name)), options)
        table = client.do_get(info.endpoints[0].ticket, options).read_all()
        table.validate(full=True)
        same((name, table.schema.equals(info.schema, check_metadata=True)), (name, True))
    info = client.get_flight_info(flight.FlightDescriptor.for_command(command("CommandGetTables", b"\x28\x01")), options)
    row, *facts = client.do_get(info.endpoints[0].ticket, options).read_all().to_pylist()
    same([fact["table_name"] for fact in facts], FACTS)
    fields = pyarrow.ipc.read_schema(pyarrow.py_buffer(row["table_schema"]))
    same(fields.field("Flight Count").type, pyarrow.int64())
    same(fields.field("Status").metadata[b"ARROW:FLIGHT:SQL:REMARKS"], "dimension · cancelled, late (more than 15 minutes) or on time.".encode())


def pyarrow_refusals():
    client = flight.connect(URI)
    options = call_options(client)
    for sql, error, text in [
        ("DELETE FROM flights", pyarrow.ArrowInvalid, "WRITE_OPERATION_REJECTED"),
        ('SELECT "Nope" FROM flights', pyarrow.ArrowInvalid, "UNKNOWN_SELECT_ITEM"),
        ("SELECT * FROM elsewhere", pyarrow.ArrowInvalid, "RAW_SQL_REJECTED"),
    ]:
        try:
            client.get_flight_info(flight.FlightDescriptor.for_command(statement(sql)), options)
            raise AssertionError(sql + " was taken")
        except error as refused:
            assert text in str(refused), refused
    try:
        client.do_exchange(flight.FlightDescriptor.for_command(b""), options)[1].read_all()
        raise AssertionError("DoExchange was taken")
    except pyarrow.ArrowNotImplementedError:
        pass
    if KEY:
        for wrong in ["", "wrong"]:
            try:
                flight.connect(URI).authenticate_basic_token("anybody", wrong)
                raise AssertionError("a wrong password was taken")
            except flight.FlightUnauthenticatedError as refused:
                assert "API key" in str(refused), refused


def pyarrow_cancel():
    client = flight.connect(URI)
    reader = client.do_get(ticket_of(client, UNENDING))
    reader.read_chunk()
    reader.cancel()
    ends(lambda: each_chunk(reader), (flight.FlightCancelledError, pyarrow.ArrowCancelled), "ancel")
    same(client.do_get(ticket_of(client, COUNT)).read_all().to_pydict(), {"Count": [1]})
    reader = client.do_get(ticket_of(client, UNENDING), flight.FlightCallOptions(timeout=1))
    ends(lambda: each_chunk(reader), flight.FlightTimedOutError, "(?i)deadline|time")
    same(client.do_get(ticket_of(client, COUNT)).read_all().to_pydict(), {"Count": [1]})


def ticket_of(client, sql):
    return client.get_flight_info(flight.FlightDescriptor.for_command(statement(sql))).endpoints[0].ticket


def each_chunk(reader):
    """An answer without an end: whatever ends this ended the answer."""
    while True:
        reader.read_chunk()


def ends(work, error, pattern):
    try:
        work()
    except error as ended:
        assert re.search(pattern, str(ended)), ended
        return
    raise AssertionError("it went on to the end")


def adbc_statements():
    with dbapi.connect(URI, db_kwargs=OPTIONS) as connection, connection.cursor() as cursor:
        cursor.execute(BY_AIRPORT)
        same([column[0] for column in cursor.description], ["Origin Airport", "Flight Count"])
        same(cursor.fetchall(), ROWS)
        cursor.execute('SELECT "Airline" FROM flights WHERE "Origin Code" = ? AND "Year Built" >= ? ORDER BY "Flight Count" DESC LIMIT ?', ("JFK", 1990, 1))
        same(cursor.fetchone()[0], "JetBlue Airways")
        cursor.execute('SELECT "Flight Count" FROM flights WHERE "Date" >= $1 AND "Date" < $2', (datetime.date(2013, 1, 1), datetime.date(2013, 1, 2)))
        same(cursor.fetchall(), [(842,)])
        cursor.execute(BY_AIRPORT)
        same(cursor.fetch_arrow_table().num_rows, 3)
        cursor.execute("SELECT 1 AS one, 'x' AS x, NULL AS n, TRUE AS b, 1.50 AS d, DATE '2024-02-29' AS day")
        same(cursor.fetchone(), (1, "x", None, True, Decimal("1.50"), datetime.date(2024, 2, 29)))
        for sql in ["INSERT INTO flights VALUES (1)", 'SELECT "Nope" FROM flights']:
            try:
                cursor.execute(sql)
                raise AssertionError(sql + " was taken")
            except dbapi.Error as refused:
                assert "INVALID_ARGUMENT" in str(refused), refused


def adbc_metadata():
    with dbapi.connect(URI, db_kwargs=OPTIONS) as connection:
        about = connection.adbc_get_info()
        same(about["vendor_name"], "Grainline")
        objects = connection.adbc_get_objects(depth="all").read_all().to_pylist()
        same([catalog["catalog_name"] for catalog in objects], ["flights"])
        [schema] = objects[0]["catalog_db_schemas"]
        table, *facts = schema["db_schema_tables"]
        same([fact["table_name"] for fact in facts], FACTS)
        columns = {column["column_name"]: column for column in table["table_columns"]}
        same(columns["Flight Count"]["xdbc_type_name"], "int")
        same(connection.adbc_get_table_types(), ["TABLE"])
        same(connection.adbc_get_table_schema("flights").field("Flight Count").type, pyarrow.int64())


def adbc_model():
    header = adbc_driver_flightsql.DatabaseOptions.RPC_CALL_HEADER_PREFIX.value + "database"
    with dbapi.connect(URI, db_kwargs={**OPTIONS, header: "flights"}) as connection, connection.cursor() as cursor:
        cursor.execute('SELECT "Flight Count"')
        same(cursor.fetchone(), (336776,))
    cookies = {adbc_driver_flightsql.DatabaseOptions.WITH_COOKIE_MIDDLEWARE.value: "true"}
    with with_catalog({**OPTIONS, **cookies}, "flights") as connection, connection.cursor() as cursor:
        cursor.execute('SELECT "Flight Count"')
        same(cursor.fetchone(), (336776,))
    try:
        with dbapi.connect(URI, db_kwargs={**OPTIONS, header: "flihgts"}) as connection, connection.cursor() as cursor:
            cursor.execute('SELECT "Flight Count"')
        raise AssertionError("a model that there is not")
    except dbapi.Error as refused:
        assert "flights" in str(refused), refused


def with_catalog(options, catalog):
    """A connection with a catalog. The driver loses the cookie of about one connection in a thousand: the end of the stream cancels its context, and
    its middleware then reads no headers (CreateClientMiddleware of arrow-go 18). An attempt that loses it is made again."""
    for attempt in range(5):
        connection = dbapi.connect(URI, db_kwargs=options, conn_kwargs={"adbc.connection.catalog": catalog}, autocommit=True)
        try:
            same(connection.adbc_current_catalog, catalog)
            return connection
        except adbc_driver_manager.ProgrammingError as lost:
            connection.close()
            if attempt == 4 or "current catalog not supported" not in str(lost):
                raise


def adbc_cancel():
    failures = (dbapi.Error, pyarrow.ArrowException, OSError)
    with dbapi.connect(URI) as connection, connection.cursor() as cursor:
        cursor.execute(UNENDING)
        reader = cursor.fetch_record_batch()
        reader.read_next_batch()
        cursor.adbc_cancel()
        ends(lambda: each_batch(reader), failures, "ancel")
    count_by_adbc()
    timed = {adbc_driver_flightsql.DatabaseOptions.TIMEOUT_FETCH.value: "1.0"}
    with dbapi.connect(URI, db_kwargs=timed) as connection, connection.cursor() as cursor:
        cursor.execute(UNENDING)
        reader = cursor.fetch_record_batch()
        ends(lambda: each_batch(reader), failures, "(?i)deadline|timeout")
    count_by_adbc()


def each_batch(reader):
    while True:
        reader.read_next_batch()


def count_by_adbc():
    """The one connection to the database is free again."""
    with dbapi.connect(URI) as connection, connection.cursor() as cursor:
        cursor.execute(COUNT)
        same(cursor.fetchall(), [(1,)])


def frames():
    with dbapi.connect(URI, db_kwargs=OPTIONS) as connection:
        frame = polars.read_database(BY_AIRPORT, connection)
        same(frame.rows(), ROWS)
        frame = pandas.read_sql(BY_AIRPORT, connection)
        same(list(frame["Flight Count"]), [row[1] for row in ROWS])
        times = polars.read_database('SELECT "Scheduled At", "Scheduled Local", "Date" FROM flights ORDER BY 1 LIMIT 1', connection)
        same(times["Scheduled At"].dtype, polars.Datetime("us", "America/New_York"))
        with connection.cursor() as cursor:
            cursor.execute(BY_AIRPORT)
            answer = cursor.fetch_record_batch()
            total = duckdb.sql('SELECT sum("Flight Count")::BIGINT, count(*) FROM answer').fetchall()
            same(total, [(sum(count for _, count in ROWS), 3)])


def twenty():
    wrong = []

    def ask(i):
        try:
            with dbapi.connect(URI, db_kwargs=OPTIONS) as connection, connection.cursor() as cursor:
                for limit in range(1, 6):
                    cursor.execute(f'SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC, 1 LIMIT {limit + i % 3}')
                    rows = cursor.fetchall()
                    if len(rows) != limit + i % 3 or rows[0] != ("United Air Lines Inc.", 58665):
                        wrong.append(rows)
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(20)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    same(wrong, [])


def check(name, work):
    started = time.time()
    try:
        work()
        outcome = {"ok": True}
    except BaseException as error:
        outcome = {"ok": False, "error": f"{type(error).__name__}: {error}"[:800], "place": traceback.format_exc()[-500:]}
    print(json.dumps({"name": name, "seconds": round(time.time() - started, 2), **outcome}), flush=True)


if os.environ.get("CHECKS") == "stuck":
    stuck()
if os.environ.get("CHECKS") == "unending":
    check("pyarrow.flight: cancellation and deadlines", pyarrow_cancel)
    check("ADBC: cancellation and time-outs", adbc_cancel)
    sys.exit()
if os.environ.get("CHECKS") == "brief":
    check("pyarrow.flight and ADBC: a query", brief)
    if FILES:
        check("pyarrow.flight and ADBC: nobody without a certificate", strangers)
    sys.exit()
check("pyarrow.flight: a query, its schema, actions", pyarrow_flight)
check("pyarrow.flight: the catalogue", pyarrow_catalogue)
check("pyarrow.flight: refusals", pyarrow_refusals)
check("ADBC: statements, parameters, refusals", adbc_statements)
check("ADBC: metadata", adbc_metadata)
check("ADBC: the model by header and by catalog", adbc_model)
check("polars, pandas and DuckDB", frames)
check("20 readers at once", twenty)
