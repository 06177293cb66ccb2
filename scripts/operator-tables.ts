/** The operators of filters for packages that do not import core: the client, the page and the MCP server. */
import { operators } from '../core/src/model/operators.js'

/** Generated files, by their paths in the repository. */
export const operatorTables: Readonly<Record<string, () => string>> = {
  'packages/client/src/operators.ts': () =>
    written(
      '/** The comparisons of a field with values; `relative`, `exists` and `nonexists` have other forms. */',
      `export type Operator =\n${spelled.map((name) => `  | '${name}'`).join('\n')}`,
    ),
  'plugins/surface-ui/web/src/query/operator-table.ts': () =>
    written(
      '/** The operators of filters. */',
      'export const OPERATORS = {',
      ...operators.map(
        ({ name, spellings, symbol, takes, negative, says }) =>
          `  ${name}: ${literal({ spellings, symbol, takes, negative, says })},`,
      ),
      '} as const',
    ),
  'plugins/surface-mcp/src/tools/operators.ts': () =>
    written(
      '/** The operators of filters. A sentence takes fewer tokens than an enum, and the API suggests the nearest operator. */',
      `export const OPERATORS =\n  '${sentence()}'`,
    ),
}

const written = (...lines: readonly string[]): string =>
  [
    '// Written by scripts/reference.ts from core/src/model/operators.ts. Do not edit.',
    '// biome-ignore-all format: a table',
    ...lines,
    '',
  ].join('\n')

/** Names, and symbols beside them. */
const spelled = operators
  .filter(({ takes }) => takes !== 'relative' && takes !== 'subquery')
  .flatMap(({ name, symbol }) => (symbol === undefined ? [name] : [symbol, name]))

const literal = (value: object): string =>
  JSON.stringify(value)
    .replaceAll('"', "'")
    .replaceAll(/'(\w+)':/g, '$1: ')
    .replaceAll(',', ', ')
    .replace(/^\{(.*)\}$/, '{ $1 }')

/** Symbols; the words that have an opposite; all others. Those of lengths differ in their ends only. */
function sentence(): string {
  const names: readonly string[] = operators.map(({ name }) => name)
  const words = operators.filter(({ symbol }) => symbol === undefined).map(({ name }) => name)
  const paired = words.filter((name) => names.includes(`not_${name}`))
  const opposites = paired.map((name) => `not_${name}`)
  const alone = words.filter((name) => !paired.includes(name) && !opposites.includes(name) && !name.startsWith('length_'))
  const lengths = words.filter((name) => name.startsWith('length_')).map((name) => name.slice('length_'.length))
  const symbols = operators.flatMap(({ symbol }) => symbol ?? [])
  return `${symbols.join(' ')}; ${paired.join(' ')}, also not_…; ${alone.join(' ')} length_${lengths.join('|')}`
}
