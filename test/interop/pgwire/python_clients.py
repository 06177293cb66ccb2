"""Python clients against a Grainline that listens on the port given; prints one line of JSON per check."""
import asyncio, datetime, decimal, json, sys, threading, time, traceback

HOST, PORT = '127.0.0.1', int(sys.argv[1])
TOP = 'SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC, 1 LIMIT 3'
EXPECTED = [('United Air Lines Inc.', 58665), ('JetBlue Airways', 54635), ('ExpressJet Airlines Inc.', 54173)]
# The model, and each of its other facts with what it reaches.
RELATIONS = ['flights', 'flights__Hours', 'flights__Planes', 'flights__Weather']
TYPES = 'SELECT "Airline", "Date", "Scheduled Local", "Scheduled At", "Year Built", "Flight Count", "Average Departure Delay" FROM flights WHERE "Tail Number" = \'N14228\' ORDER BY 4 LIMIT 50'
SLOW = 'SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights ORDER BY 1, 2, 3 LIMIT 400000'


def check(name):
    def run(work):
        try:
            result = work()
            if asyncio.iscoroutine(result):
                asyncio.run(result)
            print(json.dumps({'name': name, 'ok': True}), flush=True)
        except Exception as error:
            lines = traceback.format_exc().strip().splitlines()
            print(json.dumps({'name': name, 'ok': False, 'error': f'{type(error).__name__}: {error}', 'trace': lines[-6:]}), flush=True)
    return run


def same(given, expected):
    assert given == expected, f'{given!r} is not {expected!r}'


import psycopg
from psycopg.rows import dict_row

DSN = f'host={HOST} port={PORT} user=tester dbname=flights'


@check('psycopg: text and binary give the same rows and types')
def _():
    with psycopg.connect(DSN) as connection:
        text = connection.execute(TYPES).fetchall()
        with connection.cursor(binary=True) as cursor:
            binary = cursor.execute(TYPES).fetchall()
        same(text, binary)
        same([type(value) for value in text[0]], [str, datetime.date, datetime.datetime, datetime.datetime, int, int, type(text[0][6])])
        same(connection.execute(TOP).fetchall(), EXPECTED)


@check('psycopg: parameters, prepared and not, text and binary')
def _():
    text = 'SELECT "Airline", "Flight Count" FROM flights WHERE "Airline" = %s AND "Date" >= %s AND "Year Built" > %s'
    values = ('JetBlue Airways', datetime.date(2013, 7, 1), 2003)
    with psycopg.connect(DSN) as connection:
        rows = [connection.execute(text, values, prepare=prepare, binary=binary).fetchall() for prepare in (True, False) for binary in (True, False)]
        assert rows[0] and all(each == rows[0] for each in rows), rows
        same(connection.execute(text.replace('%s', '%b'), values).fetchall(), rows[0])


@check('psycopg: pipeline')
def _():
    with psycopg.connect(DSN) as connection, connection.pipeline():
        cursors = [connection.execute(TOP) for _ in range(20)]
        for cursor in cursors:
            same(cursor.fetchall(), EXPECTED)


@check('psycopg: server-side cursor')
def _():
    with psycopg.connect(DSN) as connection:
        with connection.cursor(name='rows', row_factory=dict_row) as cursor:
            cursor.itersize = 7
            cursor.execute(TYPES)
            same(len([row for row in cursor]), 50)
        with connection.cursor(name='binary', binary=True) as cursor:
            cursor.execute(TYPES)
            same(len(cursor.fetchmany(10)), 10)
            same(len(cursor.fetchall()), 40)


@check('psycopg: COPY text and binary')
def _():
    with psycopg.connect(DSN) as connection, connection.cursor() as cursor:
        with cursor.copy(f'COPY ({TOP}) TO STDOUT') as copy:
            copy.set_types(['text', 'int8'])
            same(list(copy.rows()), EXPECTED)
        with cursor.copy(f'COPY ({TOP}) TO STDOUT (FORMAT BINARY)') as copy:
            copy.set_types(['text', 'int8'])
            same(list(copy.rows()), EXPECTED)


@check('psycopg: cancellation')
def _():
    with psycopg.connect(DSN, autocommit=True) as connection:
        timer = threading.Timer(0.05, connection.cancel)
        timer.start()
        try:
            connection.execute(SLOW).fetchall()
            raise AssertionError('it was not cancelled')
        except psycopg.errors.QueryCanceled:
            pass
        same(connection.execute(TOP).fetchall(), EXPECTED)


@check('psycopg: error fields')
def _():
    with psycopg.connect(DSN) as connection:
        try:
            connection.execute('SELECT "Airlin" FROM flights')
        except psycopg.errors.UndefinedColumn as error:
            same(error.diag.statement_position, '8')
            assert 'Airline' in error.diag.message_hint, error.diag.message_hint
        else:
            raise AssertionError('no error')


@check('asyncpg: queries, parameters, prepared, cursor, types')
async def _():
    import asyncpg
    connection = await asyncpg.connect(host=HOST, port=PORT, user='tester', database='flights')
    same([tuple(row) for row in await connection.fetch(TOP)], EXPECTED)
    text = 'SELECT "Flight Count" FROM flights WHERE "Airline" = $1 AND "Year Built" > $2 AND "Date" >= $3'
    same(type(await connection.fetchval(text, 'JetBlue Airways', 2003, datetime.date(2013, 7, 1))), int)
    statement = await connection.prepare(TYPES)
    same([attribute.type.name for attribute in statement.get_attributes()][:6], ['text', 'date', 'timestamp', 'timestamptz', 'int8', 'int8'])
    async with connection.transaction(readonly=True, isolation='repeatable_read'):
        rows = [row async for row in connection.cursor(TYPES, prefetch=9)]
    same(len(rows), 50)
    same(await connection.fetchval('SELECT 1'), 1)
    tables = await connection.fetch("SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 2")
    same([tuple(row) for row in tables], [('flights', relation) for relation in RELATIONS])
    try:
        await connection.fetch(SLOW, timeout=0.05)
        raise AssertionError('it did not time out')
    except asyncio.TimeoutError:
        pass
    same(await connection.fetchval('SELECT 1'), 1)
    await connection.close()


@check('SQLAlchemy: reflection, pandas')
def _():
    import pandas, sqlalchemy
    for driver in ('psycopg', 'psycopg2'):
        engine = sqlalchemy.create_engine(f'postgresql+{driver}://tester@{HOST}:{PORT}/flights', pool_pre_ping=True)
        inspector = sqlalchemy.inspect(engine)
        same(sorted(inspector.get_table_names(schema='flights')), RELATIONS)
        assert 'flights' in inspector.get_schema_names()
        columns = {column['name']: column for column in inspector.get_columns('flights', schema='flights')}
        same(str(columns['Flight Count']['type']), 'BIGINT')
        same(columns['Status']['comment'], 'dimension · cancelled, late (more than 15 minutes) or on time.')
        same(inspector.get_pk_constraint('flights', schema='flights')['constrained_columns'], [])
        same(inspector.get_foreign_keys('flights', schema='flights'), [])
        same(inspector.get_indexes('flights', schema='flights'), [])
        table = sqlalchemy.Table('flights', sqlalchemy.MetaData(), schema='flights', autoload_with=engine)
        query = sqlalchemy.select(table.c['Airline'], table.c['Flight Count']).order_by(table.c['Flight Count'].desc()).limit(3)
        frame = pandas.read_sql(query, engine)
        same([tuple(row) for row in frame.itertuples(index=False)], EXPECTED)
        grouped = sqlalchemy.select(table.c['Airline'], sqlalchemy.func.sum(table.c['Flight Count'])).group_by(table.c['Airline']).order_by(sqlalchemy.desc(sqlalchemy.text('2'))).limit(1)
        with engine.connect() as connection:
            same(tuple(connection.execute(grouped).one()), EXPECTED[0])
        engine.dispose()


@check('psycopg2: named cursor')
def _():
    import psycopg2
    connection = psycopg2.connect(DSN)
    with connection.cursor(name='rows') as cursor:
        cursor.itersize = 7
        cursor.execute(TYPES)
        same(len(list(cursor)), 50)
    connection.close()


@check('ADBC: Arrow')
def _():
    import adbc_driver_postgresql.dbapi as adbc
    with adbc.connect(f'postgresql://tester@{HOST}:{PORT}/flights') as connection, connection.cursor() as cursor:
        cursor.execute(TOP)
        table = cursor.fetch_arrow_table()
        same(list(zip(table.column(0).to_pylist(), table.column(1).to_pylist())), EXPECTED)


@check("Superset: the shapes of its charts")
def _():
    with psycopg.connect(DSN) as connection:
        rows = connection.execute('''SELECT DATE_TRUNC('month', "Date") AS "Date", "Airline" AS "Airline", sum("Flight Count") AS "SUM(Flight Count)"
            FROM flights.flights WHERE "Date" >= '2013-01-01' AND "Date" < '2013-07-01'
            GROUP BY DATE_TRUNC('month', "Date"), "Airline" ORDER BY "SUM(Flight Count)" DESC LIMIT 10000''').fetchall()
        assert len(rows) > 60, len(rows)
        same(len(connection.execute('SELECT * FROM flights.flights LIMIT 100').fetchall()), 100)


@check("Metabase: the shapes of its questions")
def _():
    with psycopg.connect(DSN) as connection:
        rows = connection.execute('''SELECT "flights"."flights"."Airline" AS "Airline", SUM("flights"."flights"."Flight Count") AS "sum"
            FROM "flights"."flights" GROUP BY "flights"."flights"."Airline" ORDER BY "sum" DESC, "flights"."flights"."Airline" ASC LIMIT 3''').fetchall()
        same(rows, EXPECTED)
        rows = connection.execute('''SELECT CAST(DATE_TRUNC('month', "flights"."flights"."Date") AS date) AS "Date", SUM("flights"."flights"."Flight Count") AS "sum"
            FROM "flights"."flights" GROUP BY CAST(DATE_TRUNC('month', "flights"."flights"."Date") AS date) ORDER BY CAST(DATE_TRUNC('month', "flights"."flights"."Date") AS date) ASC''').fetchall()
        same(len(rows), 12)
