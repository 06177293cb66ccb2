/**
 * The start of a period has another SQL form if its argument is a long expression: both forms give one value, for timestamps of every 37th
 * day.
 */
import { mariadb } from '@grainline/dialect-mariadb'
import { mysql as dialect } from '@grainline/dialect-mysql'
import mysql from 'mysql2/promise'
import t from 'tap'
import type { TimeGrain } from '../../../core/src/model/grain.js'
import { type Kind, startServer } from './server.js'

t.setTimeout(300_000)

const GRAINS: readonly TimeGrain[] = ['year', 'quarter', 'month', 'week']
const DIALECTS = { mysql: dialect, mariadb } as const

for (const kind of ['mysql', 'mariadb'] satisfies Kind[]) {
  t.test(`periods of columns and of other expressions, ${kind}`, async (t) => {
    t.setTimeout(300_000)
    const server = await startServer(kind)
    if (typeof server === 'string') return t.comment(server)
    t.teardown(server.stop)
    const connection = await mysql.createConnection({ socketPath: server.socket, user: 'root' })
    t.teardown(() => connection.end())
    await connection.query(kind === 'mysql' ? 'SET cte_max_recursion_depth = 400000' : 'SET max_recursive_iterations = 400000')
    await connection.query('CREATE DATABASE periods')
    await connection.query(`CREATE TABLE periods.moments AS WITH RECURSIVE days AS (SELECT CAST('0001-01-08' AS DATE) AS d, 0 AS n
      UNION ALL SELECT d + INTERVAL 37 DAY, n + 1 FROM days WHERE d < '9999-12-20')
      SELECT CAST(d AS DATETIME(6)) + INTERVAL MOD(n * 7919000003, 86400000000) MICROSECOND AS at, d FROM days`)
    for (const grain of GRAINS)
      for (const start of ['monday', 'sunday'] as const)
        for (const column of ['at', 'd']) {
          const bucket = (x: string): string => DIALECTS[kind].truncate(grain, x, { kind: 'timestamp' }, start)
          t.match(bucket(`(${column})`), 'TIMESTAMPDIFF', `${grain} of an expression`)
          const [rows] = await connection.query(
            `SELECT SUM(NOT (${bucket(column)} <=> ${bucket(`(${column})`)})) AS unequal FROM periods.moments`,
          )
          t.match(rows, [{ unequal: '0' }], `${grain} of ${column}, weeks from ${start}`)
        }
  })
}
