import { GrainlineError } from '../errors.js'
import type { Place } from '../model/parse/locate.js'
import { workApart } from '../model/parse/parse-worker.js'
import type { TextWork } from '../model/parse/text-work.js'

/** The places of paths in the text of a model; none in a text of another format, which need not be YAML. */
export async function placesIn(
  text: string,
  wanted: Extract<TextWork, { kind: 'locate' }>['wanted'],
): Promise<readonly (Place | undefined)[]> {
  try {
    return (await workApart({ kind: 'locate', text, wanted })) as readonly (Place | undefined)[]
  } catch (error) {
    if (error instanceof GrainlineError && error.code === 'YAML_PARSE_ERROR') return []
    throw error
  }
}
