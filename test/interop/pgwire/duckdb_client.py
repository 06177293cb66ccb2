"""DuckDB with its postgres extension against a Grainline that listens on the port given and wants the key given."""
import datetime, decimal, json, pathlib, sys, traceback

import duckdb
import duckdb_extension_postgres_scanner

PORT, KEY = sys.argv[1:3]
EXTENSION = next(pathlib.Path(duckdb_extension_postgres_scanner.__file__).parent.rglob('postgres_scanner.duckdb_extension'))
# The model, and each of its other facts with what it reaches.
RELATIONS = ['flights', 'flights__Hours', 'flights__Planes', 'flights__Weather']


def connect(database):
    connection = duckdb.connect(config={'autoinstall_known_extensions': 'false'})
    connection.execute(f"LOAD '{EXTENSION}'")
    connection.execute(f"ATTACH 'host=127.0.0.1 port={PORT} user=anybody password={KEY} dbname={database}' AS g (TYPE postgres, READ_ONLY)")
    return connection


def check(name):
    def run(work):
        try:
            work()
            print(json.dumps({'name': f'DuckDB: {name}', 'ok': True}), flush=True)
        except Exception as error:
            lines = traceback.format_exc().strip().splitlines()
            print(json.dumps({'name': f'DuckDB: {name}', 'ok': False, 'error': f'{type(error).__name__}: {error}', 'trace': lines[-6:]}), flush=True)
    return run


def same(given, expected):
    assert given == expected, f'{given!r} is not {expected!r}'


@check('tables, after SCRAM')
def _():
    connection = connect('flights')
    same(connection.execute("SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'g' AND schema_name NOT IN ('information_schema', 'pg_catalog') ORDER BY 2").fetchall(),
         [('flights', relation) for relation in RELATIONS])
    columns = dict(row[:2] for row in connection.execute('DESCRIBE g.flights.flights').fetchall())
    same((columns['Airline'], columns['Date'], columns['Flight Count']), ('VARCHAR', 'DATE', 'BIGINT'))


@check('columns, filters and a join with a table of its own')
def _():
    connection = connect('flights')
    same(connection.execute('SELECT "Airline", "Flight Count" FROM g.flights.flights ORDER BY 2 DESC LIMIT 2').fetchall(),
         [('United Air Lines Inc.', 58665), ('JetBlue Airways', 54635)])
    same(connection.execute("""SELECT "Flight Count" FROM g.flights.flights WHERE "Airline" = 'JetBlue Airways'""").fetchall(), [(54635,)])
    connection.execute("CREATE TABLE own AS SELECT 'JetBlue Airways' AS name, 'B6' AS code")
    same(connection.execute('SELECT code, "Flight Count" FROM own JOIN g.flights.flights ON "Airline" = name').fetchall(), [('B6', 54635)])


@check('every type, and NULL')
def _():
    first, second = connect('types').execute('SELECT "Text", "Whole", "Fraction", "Amount", "Flag", "Day", "Clock", "Moment", epoch_ms("Instant"), "Document" FROM g.types.types ORDER BY "Text"').fetchall()
    moment = datetime.datetime(2024, 2, 29, 12, 34, 56, 789000)
    same(first, ("Zürich, 'x'", 9007199254740993, 0.1, decimal.Decimal('12345678901.25'), True, datetime.date(2024, 2, 29), datetime.time(23, 59, 58, 250000),
                 moment, 1709210096789, '{"a": [1, null]}'))
    same(second, (None,) * 10)


@check("the server's own answer to a statement")
def _():
    connection = connect('flights')
    same(connection.execute("""SELECT * FROM postgres_query('g', 'SELECT count(*) FROM flights')""").fetchall(), [(336776,)])
    try:
        connection.execute("""SELECT * FROM postgres_query('g', 'SELECT "Airlin" FROM flights')""").fetchall()
    except duckdb.Error as error:
        assert 'Airline' in str(error), error
    else:
        raise AssertionError('no error')


@check('a range of physical rows, which a model has none of, is refused by its name')
def _():
    try:
        connect('flights').execute('''SELECT * FROM postgres_query('g', 'SELECT "Airline" FROM flights WHERE ctid BETWEEN ''(0,0)''::tid AND ''(9,0)''::tid')''').fetchall()
    except duckdb.Error as error:
        assert "'ctid' is not a dimension" in str(error), error
    else:
        raise AssertionError('no error')
