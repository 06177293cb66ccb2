import type { ImportedPlace, Importer } from '@grainline/core'
import t, { type Test } from 'tap'
import type { ModelService } from '../../core/src/service/semantic-service.js'
import { amount, PART } from '../support/amount.js'
import { twisted } from './twisted.js'

/** Words that other formats, and other languages, give a meaning. */
const WORDS = [
  '__proto__',
  'constructor',
  'null',
  '[]',
  '{}',
  '-1',
  "''",
  '&a',
  '*a',
  'true',
  'ref(',
  '{{',
  '1e999',
  'toString',
  '2026-01-01',
]

/** The text with up to three changes. */
function broken(text: string, random: (below: number) => number): string {
  const lines = text.split('\n')
  for (let times = 1 + random(3); times > 0; times--) {
    const at = random(lines.length)
    const line = lines[at] ?? ''
    const words = line.match(/[\w']+/g) ?? ['']
    const word = words[random(words.length)] ?? ''
    const change = random(5)
    if (change === 0) lines.splice(at, 1)
    else if (change === 1) lines.splice(at, 0, lines[random(lines.length)] ?? '')
    else if (change === 2) lines[at] = line.slice(0, random(line.length + 1))
    else lines[at] = line.replace(word, () => WORDS[random(WORDS.length)] ?? '')
  }
  return lines.join('\n')
}

/** A generator of whole numbers below a limit. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const isIn = (text: string, place?: ImportedPlace['place']): boolean =>
  place !== undefined && place.line >= 1 && place.line <= text.split(/\r\n|\r|\n/).length && place.column >= 1

interface Reading {
  readonly what: string
  readonly importer: Importer
  /** Models of the format. */
  readonly texts: readonly string[]
  readonly service: (t: Test) => Promise<Pick<ModelService, 'validate'>>
}

const DAMAGES = { broken, twisted } as const

/** Tests that changed texts are models or have faults with places. INTERCHANGE_SEED selects other changes. */
export function readsBroken(reading: Reading): void {
  for (const damage of ['broken', 'twisted'] as const) readsDamaged(damage, reading)
}

function readsDamaged(damage: keyof typeof DAMAGES, { what, importer, texts, service: serviceOf }: Reading): void {
  const count = amount(16, 1000)
  t.test(`${count} ${damage} ${what}: no crash, no half model, and a place for every fault`, async (t) => {
    const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
    t.comment(`INTERCHANGE_SEED=${seed}`)
    const service = await serviceOf(t)
    const random = randomOf(seed)
    const counts = { read: 0, refused: 0 }
    for (let i = 0; i < count; i++) {
      const text = DAMAGES[damage](texts[i % texts.length] ?? '', random, texts)
      const read = await importer.read({ text })
      if ('faults' in read) {
        counts.refused++
        for (const { place, message } of read.faults)
          if (!isIn(text, place)) t.fail(`case ${i}: a fault has no place: ${message}`)
        continue
      }
      counts.read++
      for (const { place, message } of read.losses) if (!isIn(text, place)) t.fail(`case ${i}: a line has no place: ${message}`)
      const { errors } = await service.validate({ asker: undefined, model_yaml: text, format: importer.name })
      if (errors.some(({ line }) => line === undefined)) t.fail(`case ${i}: ${JSON.stringify(errors)}`)
    }
    // A few texts may all be refused by chance.
    t.ok(count < 500 || (counts.read > count / 20 && counts.refused > count / 20), JSON.stringify(counts))
  })
}
