import { FLOAT } from '../model/data-type.js'
import { AGGREGATE_ALIASES, builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions, FUNCTION_ALIASES, TIME_UNITS } from '../model/functions/catalogue.js'
import { ansi } from '../sql/ansi.js'
import type { Dialect } from '../sql/dialect.js'
import { page, row } from './markdown.js'

export function functionsPage(): string {
  const arity = ([least, most]: readonly [number, number]): string =>
    least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
  const aliases = (names: ReadonlyMap<string, string>, name: string): string =>
    [...names]
      .filter(([, target]) => target === name)
      .map(([alias]) => ` (\`${alias}\`)`)
      .join('')
  return page(
    'Functions and aggregations',
    'Each means the same on every engine. Arguments that are NULL give NULL unless said otherwise.',
    '',
    '## Functions',
    '',
    `Units are written out: ${TIME_UNITS.join(', ')}.`,
    '',
    row('Function', 'Arguments', 'Meaning'),
    row('---', '---', '---'),
    ...[...builtInFunctions.values()].map((spec) =>
      row(`\`${spec.name}\`${aliases(FUNCTION_ALIASES, spec.name)}`, arity(spec.arity), spec.meaning),
    ),
    '',
    '## Aggregations',
    '',
    row('Aggregation', 'Inputs', 'Adds up', 'Of no rows', 'Meaning'),
    row('---', '---', '---', '---', '---'),
    ...[...builtInAggregates.values()].map((spec) =>
      row(
        `\`${spec.name}\`${aliases(AGGREGATE_ALIASES, spec.name)}`,
        arity(spec.arity),
        spec.additivity === 'additive' ? 'yes' : 'no',
        spec.empty === 'zero' ? '0' : 'NULL',
        spec.meaning,
      ),
    ),
    '',
    '## How `ansi` writes them',
    '',
    'What [a dialect](../writing-a-dialect.md) inherits that begins with `ansi`. Functions that are not here are written `NAME(a, b)`.',
    '',
    row('Name', 'Of a and b'),
    row('---', '---'),
    ...spellingsOf(ansi).map(([name, sql]) => row(`\`${name}\``, `\`${sql}\``)),
  )
}

function spellingsOf(dialect: Dialect): (readonly [name: string, sql: string])[] {
  const named = ([least, most]: readonly [number, number]) => ['a', 'b', 'c'].slice(0, Number.isFinite(most) ? most : least + 1)
  const functions = [...builtInFunctions.values()].flatMap(({ name, arity }) => {
    const args = named(arity)
    const sql = dialect.functions[name]?.(
      args,
      args.map(() => FLOAT),
    )
    return sql === undefined ? [] : [[name, sql] as const]
  })
  const aggregates = [...builtInAggregates.values()].flatMap(({ name, arity }) => {
    const spell = dialect.aggregates[name]
    const order = { orderBy: ['a NULLS LAST'], keys: [{ value: 'a', descending: false }] }
    const call = { name, args: named(arity), distinct: false, ...order, percentile: 0.9, delimiter: undefined, type: FLOAT }
    return spell ? [[name, spell === 'rewritten' ? spell : spell(call)] as const] : []
  })
  return [...functions, ...aggregates]
}
