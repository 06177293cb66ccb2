/** The identity of what a rollup table holds: two builds with one definition hold the same values of the same tables. */

import type { GivenValue } from '../../model/parameter.js'
import type { Rollup, SemanticModel } from '../../model/semantic-model.js'
import type { QueryObject } from '../../query/query-object.js'
import { givenParameters, withValues } from '../../resolve/given-parameters.js'
import { rollupBuild } from '../../resolve/rollup-build.js'
import { sha256 } from '../../sha256.js'
import { bindQuery } from '../bind-query.js'
import { resolvedBuild, type TableContext } from './held-table.js'

export type DefinitionContext = TableContext['options']

/**
 * A hash of the build as it is bound: physical names, expressions, conditions, joins and types, the values of the parameters that it reads, and the names of its columns. Names of
 * the model, descriptions and formats are not part of it. Throws what the build throws.
 */
export function rollupDefinition(
  rollup: Rollup,
  model: SemanticModel,
  context: DefinitionContext,
  asked: Pick<QueryObject, 'timezone' | 'parameters'> = {},
): string {
  const build = rollupBuild(rollup, model, context.functions)
  const given = givenParameters(asked, build.model)
  const settled = withValues({ query: { ...build.query, ...asked }, model: build.model }, given)
  const query = resolvedBuild({ rollup, ...settled }, asked.timezone, context)
  const { rows, measureColumns } = bindQuery(query, context)
  const written = new DefinitionText(given.values).of([
    rows.kind === 'aggregate' ? rows.legs.map(({ block }) => block) : rows,
    measureColumns,
  ])
  // Weeks are cut by the engine, as the statement says.
  const weeks = written.includes('"week"') ? query.time.weekStart : ''
  const digest = sha256()
  digest.update(JSON.stringify([build.columns, weeks, written]))
  return digest.hex()
}

/** Keys for the place of something in the model, its name, and its description. */
const NOT_MEANT: ReadonlySet<string> = new Set(['label', 'reason', 'path', 'object', 'matchedBy', 'dimensions', 'values'])
/** Names that steps choose: the same number for the same name. */
const CHOSEN: ReadonlySet<string> = new Set(['alias', 'table', 'of'])

class DefinitionText {
  readonly #numbers = new Map<string, number>()

  constructor(private readonly values: ReadonlyMap<string, GivenValue>) {}

  of(value: unknown): string {
    return JSON.stringify(this.#plain(value))
  }

  #plain(value: unknown): unknown {
    if (typeof value === 'bigint') return String(value)
    if (Array.isArray(value)) return value.map((item) => this.#plain(item))
    if (value instanceof Map) return this.#plain([...value])
    if (typeof value !== 'object' || value === null) return value
    const record = value as Readonly<Record<string, unknown>>
    // The days of a generated calendar are those of the question.
    const isMeant = (key: string, own: unknown): boolean =>
      own !== undefined && key !== 'days' && !NOT_MEANT.has(key) && (key !== 'base' || typeof own !== 'string')
    const entries = Object.entries(record).filter(([key, own]) => isMeant(key, own))
    const plain = entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, own]) => [key, this.#entry(key, own, record)])
    return record['kind'] === 'parameter' ? [...plain, this.values.get(String(record['name']))] : plain
  }

  /** A column of a relation that a step makes has a name of that step. */
  #entry(key: string, own: unknown, record: Readonly<Record<string, unknown>>): unknown {
    if (typeof own !== 'string') return this.#plain(own)
    if (CHOSEN.has(key)) return this.#number(own)
    const isNamed = key === 'name' && record['kind'] === undefined
    return isNamed ? this.#number(own) : own
  }

  #number(name: string): number {
    const known = this.#numbers.get(name) ?? this.#numbers.size
    this.#numbers.set(name, known)
    return known
  }
}
