/** The model that is being written, view by view. */
import { LeftOut, type Owner, type OwnerContext, type OwnerWords } from '@grainline/importer-dbt/foreign'
import type { WeekStart } from './timeframes.js'
import type { LookView } from './views.js'

/** A view under the name that explores give it, and the data object that it became. */
export interface Role extends Owner {
  readonly view: LookView
  /** The column that says which rows of the table the view has. */
  readonly condition: string | undefined
}

export interface Context extends OwnerContext<Role> {
  readonly weekStart: WeekStart
}

export const WORDS: OwnerWords = {
  ...{ format: 'LookML', owner: 'view', members: 'fields' },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: LookML names fields so
  hint: 'Name the field: ${view.field}.',
}

export function roleNamed(name: string, { owners }: Pick<Context, 'owners'>): Role {
  const role = owners.get(name)
  if (!role) throw new LeftOut(`there is no view '${name}' in an explore`)
  return role
}
