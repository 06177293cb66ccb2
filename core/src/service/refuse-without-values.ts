import { fail } from '../errors.js'
import type { CompiledQuery } from '../sql/compiled-query.js'

/** Refuses to run a statement that reads a parameter without a value. Its columns can be described all the same. */
export function refuseWithoutValues({ parameters }: Pick<CompiledQuery, 'parameters'>): void {
  const [first, ...others] = parameters.filter(({ from }) => from === 'nowhere').map(({ name }) => name)
  if (first === undefined) return
  const names = [first, ...others].map((name) => `'${name}'`).join(', ')
  fail('PARAMETER_REQUIRED', `The query reads ${names}, gives no value, and the model has no default`, {
    path: `parameters.${first}`,
    hint: `add "parameters": {"${first}": …} to the query; in SQL: SET "parameter.${first}" = …`,
  })
}
