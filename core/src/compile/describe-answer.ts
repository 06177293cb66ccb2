/** What is said about the answer of a query beside its statement: its columns, and the parameters that it reads. */
import type { BoundQuery } from '../bind/bound-query.js'
import { type Finding, warning } from '../errors.js'
import { entryOf } from '../invariant.js'
import type { AnswerUnits } from '../resolve/answer-units.js'
import type { GivenParameters } from '../resolve/given-parameters.js'
import type { CompiledQuery } from '../sql/compiled-query.js'

/** The parameters that the statement reads, with their values. */
export const parametersRead = (names: ReadonlySet<string>, { values, defaults }: GivenParameters): CompiledQuery['parameters'] =>
  [...names].toSorted().map((name) => {
    const value = values.get(name)
    return value === undefined ? { name, from: 'nowhere' } : { name, value, from: defaults.has(name) ? 'default' : 'query' }
  })

export function parameterWarnings(parameters: CompiledQuery['parameters']): Finding[] {
  const used = parameters
    .filter(({ from }) => from === 'default')
    .map(({ name, value }) => `'${name}' is ${JSON.stringify(value)}`)
  const missing = parameters.filter(({ from }) => from === 'nowhere').map(({ name }) => `'${name}'`)
  const message = `The query gives no value, so the default of the model applies: ${used.join(', ')}`
  return [
    ...(used.length > 0 ? [warning('PARAMETER_DEFAULT_USED', message, { path: 'parameters' })] : []),
    ...(missing.length > 0 ? [warning('PARAMETER_REQUIRED', missingText(missing), { path: 'parameters' })] : []),
  ]
}

const missingText = (names: readonly string[]): string =>
  `The query reads ${names.join(', ')}, gives no value, and the model has no default: the statement shows the columns, with NULL in place of the value, and is not run`

export function describedColumns(
  { rows: { outputs }, bases }: BoundQuery,
  { units }: AnswerUnits,
): Pick<CompiledQuery, 'columns' | 'resolved'> {
  const namesOf = (...roles: readonly string[]): string[] =>
    outputs.filter(({ role }) => roles.includes(role)).map(({ name }) => name)
  return {
    columns: outputs.map(({ name, type, displayAs, role, format }) => ({
      name,
      type: displayAs ?? type,
      role,
      ...(format !== undefined && { format }),
      ...(units.has(name) && { unit: entryOf(units, name) }),
    })),
    resolved: {
      fact_tables: [...new Set(bases)],
      dimensions: namesOf('dimension'),
      measures: namesOf('measure', 'metric'),
    },
  }
}
