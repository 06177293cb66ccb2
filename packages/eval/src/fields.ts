import { formsOf } from './words.js'

/** A field as the tools return it. */
export interface Field {
  readonly name: string
  readonly kind: string
  readonly type: string
  readonly synonyms: readonly string[]
  /** For a dimension: the values that the question may mention. */
  readonly values: readonly string[]
  readonly samples: string
}

/** Every field that an answer of `search_fields` names, best first. */
export function fieldsFound(text: string): Field[] {
  const lines = text.split('\n')
  const table = lines
    .filter((line) => line.includes('\t'))
    .slice(1)
    .map((line) => {
      const [name = '', kind = '', type = ''] = line.split('\t')
      return field(name, kind, type)
    })
  const listed = lines.flatMap((line) => {
    const [, title, names = ''] = /^further (times|dimensions): (.*)$/.exec(line) ?? []
    return title === undefined ? [] : names.split(', ').map((name) => field(name, 'dimension', title === 'times' ? 'date' : ''))
  })
  return [...table, ...listed]
}

/** What `describe_fields` adds to the fields. */
export function described(fields: readonly Field[], text: string): Field[] {
  const lines = text.split('\n')
  return fields.map((known) => {
    const line = lines.find((one) => one.startsWith(`${known.name}: ${known.kind} `))
    if (line === undefined) return known
    const [, type = known.type] = /^[^:]*: \w+ (\S+)/.exec(line) ?? []
    const [, also = ''] = /; also ([^;]*)/.exec(line) ?? []
    const [, values = ''] = /; values like the text: (.*)$/.exec(line) ?? []
    const [, samples = ''] = /; e\.g\. (.*)$/.exec(line) ?? []
    return { ...known, type, synonyms: also.split(', ').filter(Boolean), values: JSON.parse(`[${values}]`), samples }
  })
}

export const isMeasured = ({ kind }: Field): boolean => kind === 'measure' || kind === 'metric'
export const isTime = ({ kind, type }: Field): boolean => kind === 'dimension' && /^(date|timestamp)/.test(type)

/** The words that may denote the field, the name first. */
export const callings = ({ name, synonyms }: Field): string[][] => [name, ...synonyms].map(formsOf)

const field = (name: string, kind: string, type: string): Field => ({ name, kind, type, synonyms: [], values: [], samples: '' })
