/** The driver of the rules of statements: each in turn, except those that are left out; one with a fault is refused if it checks. */
import t from 'tap'
import { duckdb } from '../../../../plugins/dialect-duckdb/src/index.js'
import { columns, statement, T, table } from '../../../../test/support/statements.js'
import { type Select, select } from '../statement.js'
import { applyStatementRules, type StatementRule } from './statement-rules.js'

const spelling = { dialect: duckdb, functions: new Map(), aggregates: new Map(), time: undefined as never }
const of = (from: string, limit?: number) => statement(select(columns(T.n), table(from, 't'), { limit }))
const [before, other] = [of('a'), of('b')]
const faulty: StatementRule = { name: 'faulty', rewrite: () => other }
const sound: StatementRule = {
  name: 'sound',
  rewrite: ({ body, ...rest }) => ({ ...rest, body: { ...body, distinct: true } as Select }),
}
const idle: StatementRule = { name: 'idle', rewrite: ({ body, ...rest }) => ({ ...rest, body: { ...body } }) }
const applied = (rules: readonly StatementRule[], isChecked: boolean, without: readonly string[] = []) =>
  applyStatementRules(before, rules, { hints: duckdb.planner, without: new Set(without), spelling, isChecked })

t.test('a rule that changes what is answered is refused, if rules are checked', async (t) => {
  t.throws(() => applied([faulty], true), { code: 'INTERNAL_ERROR', message: /'faulty' changes/ })
  t.equal(applied([faulty], false).statement, other)
  t.equal(applied([faulty], true, ['faulty']).statement, before)
})

t.test('a rule that does not is used', async (t) => {
  t.same(applied([sound], true).statement.body, { ...before.body, distinct: true })
})

t.test('the rules that changed the statement are named', async (t) => {
  t.same(applied([idle, sound, sound], true).rules, ['sound'])
  t.same(applied([idle, sound], true, ['sound']).rules, [])
  t.equal(applied([idle], true).statement, before, 'an equal statement is the one before')
})

t.test('each rule rewrites what the one before it returns', async (t) => {
  t.equal(applied([sound, faulty], false).statement, other)
  t.same(applied([faulty, sound], false).statement.body, { ...other.body, distinct: true })
})
