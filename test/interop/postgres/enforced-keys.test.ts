/**
 * Which foreign keys the vendor says that PostgreSQL enforces. Of an enforced key, a row without a match is refused. Of any other, the
 * statement that makes one is accepted: this is why it is not enforced.
 */
import { silentLogger } from '@grainline/core'
import { plansOf, postgresVendor } from '@grainline/vendor-postgres'
import t from 'tap'
import { orSkip } from '../or-skip.js'
import { openPostgres } from './open.js'

interface Case {
  readonly what: string
  /** Creates the tables of a schema, among them `c`, which refers to `p`. */
  readonly given: string
  /** Leaves a row of `c` without a match, if the key is not enforced. */
  readonly lost: string
}

const P = 'CREATE TABLE p (id INT PRIMARY KEY); INSERT INTO p VALUES (1), (2);'
const C = 'CREATE TABLE c (id INT, p INT REFERENCES p);'
const MISSING = 'INSERT INTO c VALUES (1, 9)'
const CASCADE = `${P} CREATE TABLE c (id INT, p INT REFERENCES p ON DELETE CASCADE); INSERT INTO c VALUES (1, 1);`
const SET_NULL = `${P} CREATE TABLE c (id INT, p INT REFERENCES p ON DELETE SET NULL); INSERT INTO c VALUES (1, 1);`
const keep = (result: string) => `CREATE FUNCTION keep() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN ${result}; END';`
const INEXACT = "CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"

const ENFORCED: readonly Case[] = [
  { what: 'a plain key', given: P + C, lost: MISSING },
  {
    what: 'a key that refers to a unique column',
    given: 'CREATE TABLE p (id INT UNIQUE); CREATE TABLE c (id INT, p INT REFERENCES p (id))',
    lost: MISSING,
  },
  {
    what: 'a deferred key',
    given: `${P} CREATE TABLE c (id INT, p INT REFERENCES p DEFERRABLE INITIALLY DEFERRED)`,
    lost: MISSING,
  },
  {
    what: 'a key of two columns',
    given: `CREATE TABLE p (a INT, b INT, PRIMARY KEY (a, b)); INSERT INTO p VALUES (1, 1);
      CREATE TABLE c (a INT, b INT, FOREIGN KEY (a, b) REFERENCES p); INSERT INTO c VALUES (9, NULL)`,
    lost: 'INSERT INTO c VALUES (1, 9)',
  },
  { what: 'a key to its own table', given: 'CREATE TABLE c (id INT PRIMARY KEY, p INT REFERENCES c)', lost: MISSING },
  { what: 'integers of two widths', given: `${P} CREATE TABLE c (id INT, p BIGINT REFERENCES p)`, lost: MISSING },
  {
    what: 'texts',
    given: "CREATE TABLE p (id VARCHAR(9) PRIMARY KEY); INSERT INTO p VALUES ('a'); CREATE TABLE c (p TEXT REFERENCES p)",
    lost: "INSERT INTO c VALUES ('A')",
  },
  {
    what: 'an enumeration',
    given: "CREATE TYPE e AS ENUM ('a', 'b'); CREATE TABLE p (id e PRIMARY KEY); CREATE TABLE c (p e REFERENCES p)",
    lost: "INSERT INTO c VALUES ('a')",
  },
  {
    what: 'partitions on both sides',
    given: `CREATE TABLE p (id INT PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (100);
      CREATE TABLE c (id INT, p INT REFERENCES p) PARTITION BY RANGE (id); CREATE TABLE c1 PARTITION OF c FOR VALUES FROM (0) TO (100)`,
    lost: MISSING,
  },
  {
    what: 'a trigger before changes, where the target is deleted',
    given: `${CASCADE} ${keep('NULL')} CREATE TRIGGER keep BEFORE UPDATE ON c FOR EACH ROW EXECUTE FUNCTION keep()`,
    lost: MISSING,
  },
  {
    what: 'a trigger before deletions, without an action of the key',
    given: `${P} ${C} ${keep('NULL')} CREATE TRIGGER keep BEFORE DELETE ON c FOR EACH ROW EXECUTE FUNCTION keep()`,
    lost: MISSING,
  },
]

const PARTED = `${P} CREATE TABLE c (id INT, p INT REFERENCES p) PARTITION BY RANGE (id);
  CREATE TABLE c1 PARTITION OF c FOR VALUES FROM (0) TO (100);`

const NOTED: readonly Case[] = [
  {
    what: 'a key that is not valid for the rows before it',
    given: `${P} CREATE TABLE c (id INT, p INT); INSERT INTO c VALUES (1, 9);`,
    lost: 'ALTER TABLE c ADD FOREIGN KEY (p) REFERENCES p NOT VALID',
  },
  { what: 'a table whose triggers are off', given: `${P} ${C} ALTER TABLE c DISABLE TRIGGER ALL`, lost: MISSING },
  {
    what: 'a target whose triggers are off',
    given: `${P} ${C} INSERT INTO c VALUES (1, 1); ALTER TABLE p DISABLE TRIGGER ALL`,
    lost: 'DELETE FROM p WHERE id = 1',
  },
  { what: 'a partition whose triggers are off', given: `${PARTED} ALTER TABLE c1 DISABLE TRIGGER ALL`, lost: MISSING },
  {
    what: 'a table with heirs',
    given: `${P} ${C} CREATE TABLE heir () INHERITS (c)`,
    lost: 'INSERT INTO heir VALUES (1, 9)',
  },
  {
    what: 'a target with row security',
    given: `${P} ${C} ALTER TABLE p ENABLE ROW LEVEL SECURITY`,
    lost: 'INSERT INTO c VALUES (1, 1)',
  },
  {
    what: 'a deletion that a trigger drops',
    given: `${CASCADE} ${keep('NULL')} CREATE TRIGGER keep BEFORE DELETE ON c FOR EACH ROW EXECUTE FUNCTION keep()`,
    lost: 'DELETE FROM p WHERE id = 1',
  },
  {
    what: 'a change to NULL that a trigger takes back',
    given: `${SET_NULL} ${keep('OLD')} CREATE TRIGGER keep BEFORE UPDATE ON c FOR EACH ROW EXECUTE FUNCTION keep()`,
    lost: 'DELETE FROM p WHERE id = 1',
  },
  {
    what: 'texts without case',
    given: `CREATE TABLE p (id public.citext PRIMARY KEY); INSERT INTO p VALUES ('a'); CREATE TABLE c (p public.citext REFERENCES p)`,
    lost: "INSERT INTO c VALUES ('A')",
  },
  {
    what: 'texts of a collation without case',
    given: `${INEXACT} CREATE TABLE p (id TEXT COLLATE folded PRIMARY KEY); INSERT INTO p VALUES ('a'); CREATE TABLE c (p TEXT COLLATE folded REFERENCES p)`,
    lost: "INSERT INTO c VALUES ('A')",
  },
  {
    what: 'padded texts',
    given: "CREATE TABLE p (id CHAR(3) PRIMARY KEY); INSERT INTO p VALUES ('a'); CREATE TABLE c (p CHAR(5) REFERENCES p)",
    lost: "INSERT INTO c VALUES ('a')",
  },
  {
    what: 'a subscriber, whose rows arrive unchecked',
    given: `${P} ${C} SET allow_system_table_mods = on;
      INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate) VALUES (1, 'c'::regclass, 'r')`,
    lost: `SET session_replication_role = replica; ${MISSING}; SET session_replication_role = origin`,
  },
]

await orSkip(
  t,
  openPostgres,
  ({ close }) => close(),
  async ({ client, socket }) => {
    const [plan] = plansOf(
      { host: socket, user: 'postgres', database: 'postgres' },
      { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined },
    )
    const keysIn = async (schema: string) => {
      const connection = await postgresVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
      const tables = (await connection.introspect?.()) ?? []
      await connection.close()
      const [c] = tables.filter((table) => table.schema === schema && table.name === 'c')
      return c?.foreignKeys.map(({ enforced }) => enforced === true)
    }
    await client.query('CREATE EXTENSION citext SCHEMA public')
    for (const [at, { what, given, lost }] of ENFORCED.entries())
      t.test(`enforced: ${what}`, async (t) => {
        await client.query(`CREATE SCHEMA kept${at}; SET search_path = kept${at}; ${given}`)
        await t.rejects(client.query(lost), { code: '23503' })
        t.same(await keysIn(`kept${at}`), [true])
      })
    for (const [at, { what, given, lost }] of NOTED.entries())
      t.test(`not enforced: ${what}`, async (t) => {
        await client.query(`CREATE SCHEMA noted${at}; SET search_path = noted${at}; ${given}`)
        await client.query(lost)
        t.same(await keysIn(`noted${at}`), [false])
      })

    t.test('not listed: a key whose target has heirs, and the key of the target', async (t) => {
      await client.query(`CREATE SCHEMA heirs; SET search_path = heirs; ${P} ${C} CREATE TABLE heir () INHERITS (p)`)
      await client.query('INSERT INTO heir VALUES (1), (1)')
      t.same(await keysIn('heirs'), [])
    })

    t.test('no key of a database whose sessions do not check any', async (t) => {
      await client.query(`CREATE SCHEMA loaded; SET search_path = loaded; ${P} ${C}`)
      t.same(await keysIn('loaded'), [true])
      await client.query('ALTER ROLE postgres SET session_replication_role = replica')
      t.same(await keysIn('loaded'), [false])
    })
  },
)
