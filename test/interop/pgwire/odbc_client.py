"""psqlodbc, by way of unixODBC and pyodbc, against a Grainline that listens on the port given and wants the key given."""
import datetime, decimal, json, sys, threading, traceback

import pyodbc

PORT, KEY = sys.argv[1:3]
SLOW = 'SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights ORDER BY 1, 2, 3 LIMIT 400000'
# The model, and each of its other facts with what it reaches.
RELATIONS = ['flights', 'flights__Hours', 'flights__Planes', 'flights__Weather']
TYPES = 'SELECT "Text", "Whole", "Fraction", "Amount", "Flag", "Day", "Clock", "Moment", "Instant", "Document" FROM types ORDER BY "Text"'
# Who prepares, and whether rows come by a cursor of the server.
MODES = ('', 'UseDeclareFetch=1;Fetch=7', 'UseServerSidePrepare=1', 'UseServerSidePrepare=0')


def connect(database, mode=''):
    return pyodbc.connect(f'Driver={{PostgreSQL Unicode}};Server=127.0.0.1;Port={PORT};Database={database};Uid=anybody;Pwd={KEY};SSLmode=disable;BoolsAsChar=0;{mode}')


def check(name):
    def run(work):
        try:
            work()
            print(json.dumps({'name': f'psqlodbc: {name}', 'ok': True}), flush=True)
        except Exception as error:
            lines = traceback.format_exc().strip().splitlines()
            print(json.dumps({'name': f'psqlodbc: {name}', 'ok': False, 'error': f'{type(error).__name__}: {error}', 'trace': lines[-6:]}), flush=True)
    return run


def same(given, expected):
    assert given == expected, f'{given!r} is not {expected!r}'


@check('tables and columns, after SCRAM')
def _():
    with connect('flights') as connection:
        cursor = connection.cursor()
        same([(row.table_schem, row.table_name) for row in cursor.tables(tableType='TABLE')], [('flights', relation) for relation in RELATIONS])
        columns = {row.column_name: row.type_name for row in cursor.columns(table='flights', schema='flights')}
        same((columns['Airline'], columns['Date'], columns['Flight Count']), ('text', 'date', 'int8'))
        same(list(cursor.primaryKeys('flights', schema='flights')), [])


@check('parameters, in every mode')
def _():
    for mode in MODES:
        with connect('flights', mode) as connection:
            cursor = connection.cursor()
            for _ in range(3):
                cursor.execute('SELECT "Flight Count" FROM flights WHERE "Airline" = ? AND "Year Built" > ? AND "Date" >= ?', 'JetBlue Airways', 2003, datetime.date(2013, 1, 1))
                same(cursor.fetchone()[0], 43130)
            cursor.execute('SELECT "Tail Number" FROM flights LIMIT 50')
            same(len(cursor.fetchall()), 50)


@check('every type, and NULL')
def _():
    for mode in MODES:
        with connect('types', mode) as connection:
            first, second = connection.cursor().execute(TYPES).fetchall()
            moment = datetime.datetime(2024, 2, 29, 12, 34, 56, 789000)
            same(tuple(first), ("Zürich, 'x'", 9007199254740993, 0.1, decimal.Decimal('12345678901.25'), True, datetime.date(2024, 2, 29),
                                datetime.time(23, 59, 58, 250000), moment, moment, '{"a": [1, null]}'))
            same(tuple(second), (None,) * 10)


@check('an error, and a cancellation')
def _():
    with connect('flights') as connection:
        cursor = connection.cursor()
        try:
            cursor.execute('SELECT "Airlin" FROM flights')
            raise AssertionError('no error')
        except pyodbc.Error as error:
            same(error.args[0], '42703')
        connection.rollback()
        timer = threading.Timer(0.05, cursor.cancel)
        timer.start()
        try:
            cursor.execute(SLOW)
            raise AssertionError('it was not cancelled')
        except pyodbc.Error as error:
            assert error.args[0] in ('57014', 'HY008'), error
        connection.rollback()
        same(connection.cursor().execute('SELECT 1').fetchone()[0], 1)
