import { fail } from '../errors.js'
import { neverNullIn, type Term } from '../model/join-term.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { objectOf } from '../resolve/resolved-query.js'

/** A column of the object at the end of a join that is NULL exactly if no row matches. */
export function presenceIn(on: readonly Term<string>[], name: string, model: SemanticModel): string {
  const column = neverNullIn(on) ?? objectOf(model, name).key[0]
  return column ?? fail('KEY_REQUIRED', `nothing shows whether a row of '${name}' matches: declare a primaryKey of '${name}'`)
}
