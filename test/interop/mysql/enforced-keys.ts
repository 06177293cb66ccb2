/**
 * Which foreign keys the vendor lists, and says that the engine enforces. Of an enforced key, a row without a match is refused. Of any
 * other, one is accepted: this is why it is not enforced.
 */
import { silentLogger } from '@grainline/core'
import { mysqlVendor, plansOf } from '@grainline/vendor-mysql'
import mysql from 'mysql2/promise'
import type t from 'tap'
import { orSkip } from '../or-skip.js'
import { type Kind, type Server, startServer } from './server.js'

interface Case {
  readonly what: string
  /** Creates the tables of a database, among them `c`, which refers to `p`. */
  readonly given: string
  /** A row of `c` whose key is, by code point, none of `p`. */
  readonly lost: string
}

const P = 'CREATE TABLE p (id INT PRIMARY KEY); INSERT INTO p VALUES (1);'
const MISSING = 'INSERT INTO c VALUES (1, 9)'
const texts = (type: string, collation: string): string => `CREATE TABLE p (id ${type} COLLATE ${collation} PRIMARY KEY);
  INSERT INTO p VALUES ('a'); CREATE TABLE c (id INT, p ${type} COLLATE ${collation}, FOREIGN KEY (p) REFERENCES p (id))`

const enforcedOn = (kind: Kind): readonly Case[] => [
  { what: 'a plain key', given: `${P} CREATE TABLE c (id INT, p INT, FOREIGN KEY (p) REFERENCES p (id))`, lost: MISSING },
  {
    what: 'a key of two columns, in another order',
    given: `CREATE TABLE p (a INT, b INT, PRIMARY KEY (a, b), UNIQUE (b, a)); INSERT INTO p VALUES (1, 2);
      CREATE TABLE c (b INT, a INT, FOREIGN KEY (b, a) REFERENCES p (b, a)); INSERT INTO c VALUES (9, NULL)`,
    lost: 'INSERT INTO c VALUES (1, 2)',
  },
  {
    what: 'a key that refers to a unique column',
    given: 'CREATE TABLE p (id INT UNIQUE); CREATE TABLE c (id INT, p INT, FOREIGN KEY (p) REFERENCES p (id))',
    lost: MISSING,
  },
  {
    what: 'a key to its own table',
    given: 'CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES c (id))',
    lost: MISSING,
  },
  {
    what: 'texts by code point',
    given: texts('VARCHAR(9)', kind === 'mysql' ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin'),
    lost: "INSERT INTO c VALUES (1, 'a ')",
  },
]

const NOTED: readonly Case[] = [
  { what: 'texts without case', given: texts('VARCHAR(9)', 'utf8mb4_general_ci'), lost: "INSERT INTO c VALUES (1, 'A')" },
  { what: 'texts without spaces at the end', given: texts('VARCHAR(9)', 'utf8mb4_bin'), lost: "INSERT INTO c VALUES (1, 'a ')" },
  {
    what: 'enumerations, which are compared by position',
    given: `CREATE TABLE p (id ENUM('a', 'b') PRIMARY KEY); INSERT INTO p VALUES ('a');
      CREATE TABLE c (id INT, p ENUM('b', 'a'), FOREIGN KEY (p) REFERENCES p (id))`,
    lost: "INSERT INTO c VALUES (1, 'b')",
  },
  {
    what: 'a server whose sessions do not check',
    given: `${P} CREATE TABLE c (id INT, p INT, FOREIGN KEY (p) REFERENCES p (id)); SET GLOBAL foreign_key_checks = 0`,
    lost: `SET SESSION foreign_key_checks = @@GLOBAL.foreign_key_checks; ${MISSING}`,
  },
]

/** InnoDB allows keys that refer to several rows; MyISAM ignores keys. */
const UNLISTED: readonly { readonly what: string; readonly given: string }[] = [
  {
    what: 'columns that are not unique',
    given: 'CREATE TABLE p (id INT, KEY (id)); CREATE TABLE c (p INT, FOREIGN KEY (p) REFERENCES p (id))',
  },
  {
    what: 'a part of a key',
    given: 'CREATE TABLE p (a INT, b INT, PRIMARY KEY (a, b)); CREATE TABLE c (p INT, FOREIGN KEY (p) REFERENCES p (a))',
  },
  {
    what: 'MyISAM',
    given: `${P} CREATE TABLE c (p INT, FOREIGN KEY (p) REFERENCES p (id)) ENGINE = MyISAM`,
  },
]

export const enforcedKeysOn = (t: Test, kind: Kind): Promise<void> =>
  orSkip(
    t,
    () => startServer(kind),
    (server) => server.stop(),
    (server) => testsOn(t, kind, server),
  )

type Test = typeof t

async function testsOn(t: Test, kind: Kind, { socket }: Server): Promise<void> {
  const admin = await mysql.createConnection({ socketPath: socket, user: 'root', multipleStatements: true })
  t.teardown(() => admin.end())
  if (kind === 'mysql') await admin.query('SET SESSION restrict_fk_on_non_standard_key = OFF')
  const begin = async (database: string, given: string): Promise<void> => {
    await admin.query('SET GLOBAL foreign_key_checks = 1; SET SESSION foreign_key_checks = 1')
    await admin.query(`CREATE DATABASE ${database}; USE ${database}; ${given}`)
  }
  const keysIn = async (database: string): Promise<readonly boolean[] | undefined> => {
    const client = { socketPath: socket, user: 'root', database, dialect: kind }
    const plans = plansOf({ connections: { it: client } }, { MYSQL_URL: undefined, MARIADB_URL: undefined })
    const connection = await mysqlVendor(plans.find(({ name }) => name === 'it')!).connect({ logger: silentLogger, poolSize: 1 })
    const tables = (await connection.introspect?.()) ?? []
    await connection.close()
    return tables.find(({ name }) => name === 'c')?.foreignKeys.map(({ enforced }) => enforced === true)
  }
  for (const [at, { what, given, lost }] of enforcedOn(kind).entries())
    t.test(`enforced: ${what}`, async (t) => {
      await begin(`kept${at}`, given)
      await t.rejects(admin.query(lost), { code: 'ER_NO_REFERENCED_ROW_2' })
      t.same(await keysIn(`kept${at}`), [true])
    })
  for (const [at, { what, given, lost }] of NOTED.entries())
    t.test(`not enforced: ${what}`, async (t) => {
      await begin(`noted${at}`, given)
      await admin.query(lost)
      t.same(await keysIn(`noted${at}`), [false])
    })
  for (const [at, { what, given }] of UNLISTED.entries())
    t.test(`not listed: ${what}`, async (t) => {
      await begin(`unlisted${at}`, given)
      t.same(await keysIn(`unlisted${at}`), [])
    })
}
