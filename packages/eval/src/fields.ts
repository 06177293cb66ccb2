import { formsOf } from './words.js'

/** A field as the search returns it. */
export interface Field {
  readonly name: string
  readonly kind: 'measured' | 'dimension'
  readonly type: string
  readonly synonyms: readonly string[]
  /** For a dimension: the values that the question may mention. */
  readonly values: readonly string[]
  /** For a time: one of its values. */
  readonly samples: string
}

/** What an answer of `search_fields` says. */
export interface Found {
  /** Best first. */
  readonly fields: readonly Field[]
  /** Words of the question that are no field and no value. */
  readonly unknown: readonly string[]
}

/** Reads the answer of `search_fields` to a text. */
export function foundIn(text: string): Found {
  const fields = new Map<string, Field>()
  let unknown: readonly string[] = []
  for (const line of text.split('\n')) {
    const [, title, list = ''] = /^(others|dimensions|times|no field for): (.*)$/.exec(line) ?? []
    if (title === 'no field for') unknown = list.split(', ')
    else if (title !== undefined) for (const one of listed(list, title)) fields.set(one.name, one)
    else for (const one of [defined(line) ?? withValues(line, fields)]) if (one) fields.set(one.name, one)
  }
  return { fields: [...fields.values()], unknown }
}

/** `Late Flights: measure int = count(…); also delays`. */
function defined(line: string): Field | undefined {
  const [, name, type = ''] = /^([^:=]+): (?:measure|metric) (\S+) = /.exec(line) ?? []
  const [, also = ''] = /; also ([^;]*)/.exec(line) ?? []
  return name === undefined ? undefined : { ...field(name, 'measured', type), synonyms: also.split(', ').filter(Boolean) }
}

/** `Airline = "JetBlue Airways"`. */
function withValues(line: string, known: ReadonlyMap<string, Field>): Field | undefined {
  const [, name, values = ''] = /^([^:=]+) = (".*")$/.exec(line) ?? []
  if (name === undefined) return undefined
  return { ...(known.get(name) ?? field(name, 'dimension', 'string')), values: JSON.parse(`[${values}]`) }
}

/** `Airline (also carrier), Received Late (boolean), Date (date/day, e.g. 2013-11-27)`. */
const listed = (list: string, title: string): Field[] =>
  [...list.matchAll(/([^,(]+?)(?: \(([^)]*)\))?(?:, |$)/g)]
    .filter(([, name = '']) => !name.startsWith('…'))
    .map(([, name = '', notes = '']) => {
      const [, also] = /also ([^,]*)/.exec(notes) ?? []
      const [, samples = ''] = /e\.g\. (.*)$/.exec(notes) ?? []
      const type = title === 'times' ? 'date' : (notes.split(', ')[0] ?? '')
      const kind = title === 'others' ? 'measured' : 'dimension'
      return { ...field(name, kind, type), synonyms: also === undefined ? [] : [also], samples }
    })

export const isMeasured = ({ kind }: Field): boolean => kind === 'measured'
export const isTime = ({ kind, type }: Field): boolean => kind === 'dimension' && /^(date|timestamp)/.test(type)

/** The words that may denote the field, the name first. */
export const callings = ({ name, synonyms }: Field): string[][] => [name, ...synonyms].map(formsOf)

const field = (name: string, kind: Field['kind'], type: string): Field => ({
  name,
  kind,
  type,
  synonyms: [],
  values: [],
  samples: '',
})
