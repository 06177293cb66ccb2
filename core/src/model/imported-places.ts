import type { ImportedPlace } from './importer.js'
import type { Place, Segments } from './parse/locate.js'

/** The place of a value in the text that it was imported from, or else of the nearest value around it. */
export function importedPlaces(imported: readonly ImportedPlace[]): (path: Segments) => Place | undefined {
  const known = new Map(imported.map(({ path, place }) => [path.join('\0'), place]))
  return (path) => {
    for (let length = path.length; length >= 0; length--) {
      const place = known.get(path.slice(0, length).join('\0'))
      if (place) return place
    }
    return undefined
  }
}
