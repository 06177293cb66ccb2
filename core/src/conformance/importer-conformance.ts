/**
 * What every importer must do, as a function that its own test calls with itself:
 *
 *     importerConformance(t, { importer, model: '…', invalid: '…' })
 */
import { strict as assert } from 'node:assert'
import type { TestRunner } from '../execute/vendor-conformance.js'
import { dotted } from '../model/faults.js'
import type { ForeignText, Imported, Importer } from '../model/importer.js'
import { parseModelSync } from '../model/load-model.js'
import type { Place } from '../model/parse/locate.js'
import { isRecord } from '../model/shape.js'

/** An importer, a model in its format, and a text that looks like one and is none. */
export interface ImporterUnderTest {
  readonly importer: Importer
  readonly model: string
  readonly invalid: string
  /** The name of a file of the format, if the importer recognizes it by its name. */
  readonly file?: string
}

const OWN = 'version: 1.0\ndataObjects:\n  Orders:\n    code: orders\n    columns:\n      Id: { code: id, abstractType: int }\n'

/** Runs the tests that every importer passes: a valid model, places in the text, losses with a sentence, and no text that it throws for. */
export function importerConformance(t: TestRunner, { importer, model, invalid, file }: ImporterUnderTest): void {
  const say = (name: string, body: () => Promise<void>) => t.test(`${importer.name}: ${name}`, body)
  const source = (text: string): ForeignText => (file === undefined ? { text } : { text, file })

  say('its name is a plain word', async () => assert.match(importer.name, /^[a-z][a-z0-9-]*$/))

  say('it recognizes its own format, and no other text', async () => {
    assert.equal(importer.detect(source(model)), true)
    for (const text of ['', OWN, JSON.stringify({ dataObjects: {} })]) assert.equal(importer.detect({ text }), false, text)
  })

  say('its document is a valid model', async () => {
    const { document } = modelOf(await importer.read(source(model)))
    assert.deepEqual(parseModelSync({ json: document }).errors, [])
  })

  say('the same text gives the same model', async () => {
    assert.deepEqual(await importer.read(source(model)), await importer.read(source(model)))
  })

  say('every place is in the text, and every path in the document', async () => {
    const { document, places, losses } = modelOf(await importer.read(source(model)))
    for (const { path, place } of places) {
      assert.ok(hasPlace(model, place), `${dotted(path)} is at line ${place.line}, column ${place.column}`)
      assert.ok(hasPath(document, path), `there is no ${dotted(path)}`)
    }
    for (const { path, place } of losses) {
      if (place) assert.ok(hasPlace(model, place), `a loss is at line ${place.line}, column ${place.column}`)
      if (path) assert.ok(hasPath(document, path), `there is no ${dotted(path)}`)
    }
  })

  say('a loss is a sentence', async () => {
    for (const { message } of modelOf(await importer.read(source(model))).losses) assert.match(message, /^\S.*\s.*\S$/)
  })

  say('an invalid text is refused with the reasons and their places', async () => {
    const imported = await importer.read(source(invalid))
    assert.ok('faults' in imported && imported.faults.length > 0, 'it is refused')
    for (const { message, place } of imported.faults) {
      assert.match(message, /\s/)
      assert.ok(place && hasPlace(invalid, place), `'${message}' has a place in the text`)
    }
  })

  say('it throws for no beginning of a text', async () => {
    const step = Math.max(1, Math.floor(model.length / MOST_CUTS))
    for (let end = 0; end < model.length; end += step) {
      importer.detect(source(model.slice(0, end)))
      await importer.read(source(model.slice(0, end)))
    }
  })
}

/** A text of ten thousand characters is cut within each of its lines or two: more cuts find the same places in the same items. */
const MOST_CUTS = 120

function modelOf(imported: Awaited<ReturnType<Importer['read']>>): Imported {
  assert.ok(!('faults' in imported), 'the model is read')
  return imported
}

function hasPlace(text: string, { line, column }: Place): boolean {
  const found = text.split('\n')[line - 1]
  return found !== undefined && column >= 1 && column <= found.length + 1
}

function hasPath(document: unknown, path: readonly (string | number)[]): boolean {
  const [first, ...rest] = path
  if (first === undefined) return true
  if (Array.isArray(document)) return typeof first === 'number' && first in document && hasPath(document[first], rest)
  return isRecord(document) && Object.hasOwn(document, first) && hasPath(document[String(first)], rest)
}
