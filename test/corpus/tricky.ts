/** Names and texts that could end their quotes, as a table, a model and one query per text. */
import type { SemanticModel } from '@grainline/core'
import { TRICKY_NAMES, TRICKY_TEXTS } from '@grainline/core/testing'
import { parseModelSync } from '@grainline/core/unstable'
import type { Answer } from '../support/answers.js'

export interface TrickyCase {
  readonly name: string
  readonly query: unknown
  readonly expected: Answer
}

const TABLE = `tricky "table" of a.b's; --`
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Every column contains every text once; the first column in the order of the list, each further column shifted by one. */
const textAt = (row: number, column: number): string => TRICKY_TEXTS[(row + column) % TRICKY_TEXTS.length]!

export const trickyTables = (): string =>
  [
    `CREATE TABLE ${quoted(TABLE)} (${TRICKY_NAMES.map((name) => `${quoted(name)} VARCHAR(40)`).join(', ')})`,
    ...TRICKY_TEXTS.map(
      (_, row) =>
        `INSERT INTO ${quoted(TABLE)} VALUES (${TRICKY_NAMES.map((_, column) => literal(textAt(row, column))).join(', ')})`,
    ),
  ].join(';\n')

export function trickyModel(): SemanticModel {
  const { model, errors } = parseModelSync({
    json: {
      dataObjects: {
        Texts: {
          code: TABLE,
          columns: Object.fromEntries(TRICKY_NAMES.map((code, i) => [`C${i}`, { code, abstractType: 'string' }])),
        },
      },
      dimensions: Object.fromEntries(TRICKY_NAMES.map((name, i) => [name, { dataObject: 'Texts', column: `C${i}` }])),
    },
  })
  if (!model) throw new Error(errors.map((e) => `${e.path} ${e.message}`).join('; '))
  return model
}

/** Each text finds its row, by one column and by the next. */
export const trickyCases = (): TrickyCase[] =>
  TRICKY_TEXTS.flatMap((text, at) =>
    TRICKY_NAMES.slice(0, 2).map((_, column) => {
      const row = (at - column + TRICKY_TEXTS.length) % TRICKY_TEXTS.length
      return {
        name: `the row of ${JSON.stringify(text)} in '${TRICKY_NAMES[column]}'`,
        query: {
          select: { dimensions: [...TRICKY_NAMES] },
          where: [{ field: TRICKY_NAMES[column], op: '=', value: text }],
        },
        expected: { columns: [...TRICKY_NAMES], rows: [TRICKY_NAMES.map((_, i) => textAt(row, i))] },
      }
    }),
  )
