import { parseModelSync } from '@grainline/core/unstable'
import { INT, STRING } from '@grainline/core/vendor'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { functionsOn, withEngine } from '../suites.js'
import { openEngine } from './engine.js'

await functionsOn(t, openEngine)

t.test('integers that exceed 64 bits fail and do not overflow silently', (t) =>
  withEngine(t, openEngine, async ({ dialect, load, ask }) => {
    await load('CREATE TABLE counters (a BIGINT, b BIGINT); INSERT INTO counters VALUES (9223372036854775807, 3), (-5, 3)')
    const { model } = parseModelSync({
      json: {
        dataObjects: {
          Counters: {
            code: 'counters',
            columns: {
              A: { code: 'a', abstractType: 'int' },
              B: { code: 'b', abstractType: 'int' },
              Sum: { expression: '{A} + {B}', abstractType: 'int' },
              Product: { expression: '{A} * 2', abstractType: 'int' },
            },
          },
        },
      },
    })
    const rowsOf = async (field: string, where: object[]) => {
      const { sql, columns } = compileFor(dialect, { select: { fields: [`Counters.${field}`] }, where }, model!)
      t.same(
        columns.map(({ type }) => type),
        [INT],
      )
      return (await ask(sql, columns)).rows
    }
    const small = [{ field: 'Counters.A', op: '<', value: 0 }]
    t.same([await rowsOf('Sum', small), await rowsOf('Product', small)], [[['-2']], [['-10']]])
    await t.rejects(rowsOf('Sum', []), { message: /DECIMAL_OVERFLOW/ })
    await t.rejects(rowsOf('Product', []), { message: /DECIMAL_OVERFLOW/ })
  }),
)

t.test('a delimiter and a padding text are literals', (t) =>
  withEngine(t, openEngine, async ({ dialect, ask }) => {
    const { split_part, lpad, rpad } = dialect.functions
    const types = [STRING, INT, STRING] as const
    const calls = [
      split_part!(["'a-b'", "'-'", '2'], [STRING, STRING, INT]),
      lpad!(["'7'", '3', "'0'"], types),
      rpad!(["'é'", '3', "'·'"], types),
    ]
    const columns = ['x', 'y', 'z'].map((name) => ({ name, type: { kind: 'string' }, role: 'field' }) as const)
    const { rows } = await ask(
      `SELECT ${calls.map((call, i) => `${call} AS c${i}`).join(', ')} ${dialect.statementSuffix}`,
      columns,
    )
    t.same(rows, [['b', '007', 'é··']])
  }),
)
