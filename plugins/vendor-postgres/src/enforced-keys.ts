/**
 * The foreign keys that PostgreSQL enforces. Its triggers do, so they must exist and fire, and nothing may write, drop or hide rows without
 * them: https://www.postgresql.org/docs/current/sql-createtrigger.html, https://www.postgresql.org/docs/current/sql-altertable.html
 */

/** Each partition has a constraint of its own, with its own triggers. */
const PARTS = `
  parts(whole, part) AS (
    SELECT oid, oid FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
    UNION ALL SELECT p.whole, k.oid FROM parts p JOIN pg_constraint k ON k.conparentid = p.part
  )`

/** `tgtype` of a trigger that runs for each row before it is written, and of the writes for which it runs. */
const BEFORE_ROW = 3
const DELETE = 8
const UPDATE = 16

/** The writes in the referring table that follow a deleted or changed target. A trigger there can drop them (a rule is refused). */
const FOLLOWING = `(
  CASE k.confdeltype WHEN 'c' THEN ${DELETE} WHEN 'n' THEN ${UPDATE} WHEN 'd' THEN ${UPDATE} ELSE 0 END
  | CASE WHEN k.confupdtype IN ('c', 'n', 'd') THEN ${UPDATE} ELSE 0 END)`

/** Tables that inherit, unlike partitions, have none of the keys. */
export const HAS_HEIRS = (table: string): string =>
  `EXISTS (SELECT FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent WHERE p.relkind = 'r' AND p.oid = ${table})`

/** Row security hides targets. What a subscription writes is not checked. */
const IS_KEPT = `
  k.convalidated AND NOT f.relrowsecurity
  AND NOT EXISTS (
    SELECT FROM pg_trigger t
    WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgtype & ${BEFORE_ROW} = ${BEFORE_ROW} AND t.tgtype & ${FOLLOWING} > 0)
  AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgconstraint = k.oid AND t.tgenabled NOT IN ('O', 'A'))
  AND NOT ${HAS_HEIRS('c.oid')}
  AND NOT EXISTS (SELECT FROM pg_subscription_rel s WHERE s.srrelid IN (c.oid, f.oid))`

/** The constraints of which every part is kept. */
export const ENFORCED = `${PARTS},
  enforced(key) AS (
    SELECT p.whole
    FROM parts p JOIN pg_constraint k ON k.oid = p.part JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid
    WHERE current_setting('session_replication_role') <> 'replica'
    GROUP BY p.whole
    HAVING bool_and(${IS_KEPT}) AND bool_or(EXISTS (SELECT FROM pg_trigger t WHERE t.tgconstraint = k.oid))
  )`

const WHOLE = ['int2', 'int4', 'int8']
const TEXT = ['text', 'varchar']
const OTHER = ['numeric', 'uuid', 'bool', 'date', 'time', 'timestamp', 'timestamptz']

const isOf = (column: string, types: readonly string[]): string =>
  `${column}.atttypid IN (${types.map((type) => `CAST('${type}' AS regtype)`).join(', ')})`

/** Columns `a` and `fa` whose equal values are the same: not citext, padded text, or text of a collation that takes 'a' for 'A'. */
export const IS_EXACT = `(
    (${isOf('a', WHOLE)} AND ${isOf('fa', WHOLE)}) OR (${isOf('a', TEXT)} AND ${isOf('fa', TEXT)})
    OR (a.atttypid = fa.atttypid AND (${isOf('a', OTHER)} OR EXISTS (SELECT FROM pg_type t WHERE t.oid = a.atttypid AND t.typtype = 'e')))
  ) AND NOT EXISTS (SELECT FROM pg_collation l WHERE l.oid IN (a.attcollation, fa.attcollation) AND NOT l.collisdeterministic)`
