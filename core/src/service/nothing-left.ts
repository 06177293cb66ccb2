import type { Imported, ImportFault, Loss } from '../model/importer.js'

/** Why a text has no table that can be read: what is refused of it. None if a table is left. */
export function nothingLeft({ document, losses }: Imported): readonly ImportFault[] {
  if (Object.keys(document['dataObjects'] ?? {}).length > 0) return []
  const refused = losses.filter(({ kind }) => kind === 'refused')
  return [{ ...NOTHING, place: refused[0]?.place ?? { line: 1, column: 1 } }, ...refused.slice(0, MOST_LINES).map(faultOf)]
}

const NOTHING = { message: 'Nothing of the text can be read: no table is left.', hint: 'Mend one of the tables below.' }

const MOST_LINES = 100

const faultOf = ({ message, hint, place }: Loss): ImportFault => ({
  message,
  ...(hint !== undefined && { hint }),
  ...(place && { place }),
})
