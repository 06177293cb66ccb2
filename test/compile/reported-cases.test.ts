/** The small models that people reported with data, questions and the right rows; where the model lacked a word, it has it here. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { parse } from 'yaml'
import type { Cell } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

interface Case {
  readonly model: string
  readonly data: string
  readonly questions: readonly {
    readonly says: string
    readonly query: object
    readonly rows: readonly (readonly Cell[])[]
    /** Other warnings than these are faults. */
    readonly warnings?: readonly string[]
  }[]
}

const folder = path.join(import.meta.dirname, 'reported-cases')
const read = (name: string): Case => parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'))

const warningsOf = (text: string) => parseModelSync({ text }).warnings.map(({ code }) => code)

/** Databases give whole numbers in several types. */
const plain = (rows: readonly (readonly Cell[])[]) =>
  rows.map((row) => row.map((cell) => (typeof cell === 'number' ? String(cell) : cell)))

for (const file of readdirSync(folder)) {
  const name = path.basename(file, '.yaml')
  const { model: text, data, questions } = read(name)
  t.test(`${name}: the rows that are right`, async (t) => {
    const model = loadText(text)
    t.same(warningsOf(text), [])
    const { rows } = await database(data)
    for (const { says, query, rows: wanted, warnings = [] } of questions) {
      const compiled = compileFor(query, model)
      const found = plain(await rows(compiled.sql))
      t.same(found, plain(wanted), says)
      t.same(
        compiled.warnings.map(({ code }) => code),
        warnings,
        `warnings: ${says}`,
      )
    }
  })
}

t.test('a join to a part of the key causes a warning when the model loads', async (t) => {
  const { model } = read('part-of-a-key')
  t.same(warningsOf(model.replaceAll('[Sku, Region]', '[Sku]')), ['JOIN_NOT_TO_A_KEY'])
})
