import { grouped } from '../grouped.js'
import { DATE, FLOAT, formatDataType, STRING } from '../model/data-type.js'
import { castTargets, type OperatorSpec, operatorSpecs } from '../model/expression/operator-spec.js'
import { AGGREGATE_ALIASES, builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions, FUNCTION_ALIASES, TIME_UNITS } from '../model/functions/catalogue.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { PARAMETERS, type Parameter } from '../model/functions/parameter.js'
import type { Dialect } from '../sql/dialect.js'
import { standard } from '../sql/standard.js'
import { page, row } from './markdown.js'

/** `dialects`: those whose exceptions the page lists. */
export function functionsPage(dialects: readonly Dialect[] = []): string {
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
    '## Types',
    '',
    'Expressions are typed when the model is loaded, or when the query that contains them is read. An operator or a function takes what these tables say.',
    'Anything else is refused with `EXPRESSION_TYPE_MISMATCH`; the message shows the expression to write instead.',
    '',
    ...RULES.map((rule) => `- ${rule}`),
    '',
    '## Operators',
    '',
    row('Operator', 'Takes', 'Gives', 'Meaning'),
    row('---', '---', '---', '---'),
    ...Object.values<OperatorSpec>(operatorSpecs).map(({ written, takes, gives, meaning }) =>
      row(written.map((word) => `\`${word}\``).join(' '), taken(takes), gives, meaning),
    ),
    row('`||`', taken(['as text']), 'string', 'the function `concat`'),
    row('`%`', taken(['number']), 'as `mod`', 'the function `mod`'),
    row('`CAST(… AS …)`', 'see below', 'the type', 'the value in another type'),
    '',
    row('CAST of', 'to'),
    row('---', '---'),
    ...Object.entries(castTargets).map(([from, to]) => row(from, to.join(', '))),
    '',
    '## Functions',
    '',
    `Units are written out: ${TIME_UNITS.join(', ')}.`,
    '',
    row('Function', 'Arguments', 'Takes', 'Gives', 'Meaning', ...(dialects.length > 0 ? ['Exceptions'] : [])),
    row(...Array<string>(dialects.length > 0 ? 6 : 5).fill('---')),
    ...[...builtInFunctions.values()].map((spec) =>
      row(
        `\`${spec.name}\`${aliases(FUNCTION_ALIASES, spec.name)}`,
        arity(spec.arity),
        taken(spec.takes ?? ['any']),
        given(spec),
        spec.meaning,
        ...(dialects.length > 0 ? [exceptionsOf(spec.name, dialects)] : []),
      ),
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
    ...spellingsOf(standard).map(([name, sql]) => row(`\`${name}\``, `\`${sql}\``)),
  )
}

/** Engines with the same exception are named together. */
function exceptionsOf(name: string, dialects: readonly Dialect[]): string {
  const found = dialects.flatMap((dialect) => {
    const what = dialect.functions[name] === null ? 'refused' : dialect.exceptions?.[name]
    return what === undefined ? [] : [{ what, dialect: dialect.name }]
  })
  return [...grouped(found, ({ what }) => what)]
    .map(([what, of]) => `${of.map((one) => one.dialect).join(', ')}: ${what}`)
    .join('; ')
}

const RULES = [
  'Numbers (int, decimal, float) are used together, and so are dates, timestamps and instants: a date is its midnight. Every other type is used with itself only.',
  "A text in quotes beside another type, or as its argument, is read as that type when the model is loaded: `{Day} < '2024-03-01'`. A time in it is ignored beside a date. A text that cannot be read is refused.",
  '`NULL` is of every type.',
  'json has no equality and no order. `json_value` reads a text from it.',
  'A column without `abstractType` and `sqlType`, and a function outside this catalogue, have unknown types. Every operator and function takes them, and the engine decides.',
]

/** What is taken, each kind once if it repeats. */
const taken = (takes: readonly Parameter[]): string =>
  (takes.every((one) => one === takes[0]) ? takes.slice(0, 1) : takes).map((one) => PARAMETERS[one]).join('; ')

/** The type of the result, if it does not depend on the arguments. */
function given({ arity: [least], result }: FunctionSpec): string {
  const ofKinds = [FLOAT, DATE, STRING].map((type) =>
    formatDataType(
      result(
        Array.from({ length: least }, () => type),
        'day',
      ),
    ),
  )
  const [first = ''] = ofKinds
  return ofKinds.every((one) => one === first) ? first : 'the type of the arguments'
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
