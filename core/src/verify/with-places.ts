import type { Finding } from '../errors.js'
import type { Place, Segments } from '../model/parse/locate.js'
import { type TextWork, workApart } from '../model/parse/parse-worker.js'

/** The findings with the lines and columns of the model's text that they speak of. */
export async function withPlaces(findings: readonly Finding[], text: string): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings
  const work: TextWork = {
    kind: 'locate',
    text,
    wanted: findings.map(({ path }) => ({ segments: segmentsOf(path), onKey: true })),
  }
  const places = (await workApart(work)) as readonly (Place | undefined)[]
  return findings.map((finding, i) => ({ ...finding, ...places[i] }))
}

/** `dataObjects.Order Items.joins[0]`; a name may hold dots itself. */
function segmentsOf(path: string): Segments {
  const [, section, name, join, key] = /^(\w+)\.(.*?)(?:\.joins\[(\d+)\]|\.(weight))?$/s.exec(path) ?? []
  if (section === undefined || name === undefined) return []
  if (key !== undefined) return [section, name, key]
  return join === undefined ? [section, name] : [section, name, 'joins', Number(join)]
}
