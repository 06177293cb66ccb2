import type { ModelDocument } from '../document.js'
import { plainMeasure } from '../plain-measure.js'
import type { Measure } from '../semantic-model.js'
import type { Context } from './context.js'

/** A count of rows for every countable object, under names that the model does not use itself. */
export function* addRowCounts(measures: Map<string, Measure>, context: Context): Generator<undefined> {
  const { document, faults } = context
  const fields = [document.dimensions ?? {}, document.measures ?? {}, document.metrics ?? {}]
  const counted = new Set<string>()
  const isTaken = (name: string) => counted.has(name) || fields.some((section) => Object.hasOwn(section, name))
  if (!patternOf(document).includes('{object}')) {
    faults.error(
      'INVALID_SETTING',
      ['countLabelPattern'],
      "countLabelPattern needs '{object}', where the name of the data object goes",
    )
    return
  }
  if (document.exposeCounts === false) return
  for (const [object, draft] of context.objects) {
    yield
    if (!draft.object?.countable) continue
    const { countLabel } = draft.object
    const name = countName(object, countLabel, document)
    if (!isTaken(name)) measures.set(name, rowCount(name, object))
    // A name that the author wrote has precedence over one from the pattern; a label that the author wrote must be unused.
    else if (countLabel !== undefined) {
      faults.error(
        'DUPLICATE_IDENTIFIER',
        ['dataObjects', object, 'countLabel'],
        `The row count '${name}' has the name of another field`,
      )
    }
    counted.add(name)
  }
}

type Patterned = Pick<ModelDocument, 'countLabelPattern'>

const patternOf = ({ countLabelPattern = '{object} Count' }: Patterned): string => countLabelPattern

/** The name of the row count of an object: its own, or that of the pattern. */
export const countName = (object: string, countLabel: string | undefined, document: Patterned): string =>
  countLabel ?? patternOf(document).replaceAll('{object}', () => object)

/** Counts the rows of a data object. */
export const rowCount = (name: string, object: string): Measure => ({
  ...plainMeasure(name, 'count', []),
  rowCountOf: object,
  description: `The number of rows of ${object}.`,
})
