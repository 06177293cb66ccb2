import type { Imported, ImportFault, Loss } from '../model/importer.js'

/** An error for a text of which no table was imported, and then what was refused. Empty if there is a table. */
export function nothingLeft({ document, losses }: Imported): readonly ImportFault[] {
  if (Object.keys(document['dataObjects'] ?? {}).length > 0) return []
  const refused = losses.filter(({ kind }) => kind === 'refused')
  return [{ ...NOTHING, place: refused[0]?.place ?? { line: 1, column: 1 } }, ...refused.slice(0, MOST_LINES).map(faultOf)]
}

const NOTHING = {
  message: 'No table of the file could be imported.',
  hint: 'The next messages say why: change one of these tables.',
}

const MOST_LINES = 100

const faultOf = ({ message, hint, place }: Loss): ImportFault => ({
  message,
  ...(hint !== undefined && { hint }),
  ...(place && { place }),
})
