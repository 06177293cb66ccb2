/**
 * What every exporter must do, as a function that its own test calls with itself:
 *
 *     exporterConformance(t, { exporter, model: '…' })
 */
import { strict as assert } from 'node:assert'
import type { TestRunner } from '../execute/vendor-conformance.js'
import type { Exported, Exporter } from '../model/exporter.js'
import { dotted } from '../model/faults.js'
import { parseModelSync } from '../model/load-model.js'
import type { Segments } from '../model/parse/locate.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { isRecord } from '../model/shape.js'

/** An exporter, and a model of which it can write most. */
export interface ExporterUnderTest {
  readonly exporter: Exporter
  /** A model of this server, as YAML, with at least one measure and one dimension. */
  readonly model: string
}

/** Runs the tests that every exporter passes: the same text each time, paths in the model, and nothing that is lost silently. */
export function exporterConformance(t: TestRunner, { exporter, model: text }: ExporterUnderTest): void {
  const say = (name: string, body: () => Promise<void>) => t.test(`${exporter.name}: ${name}`, body)
  const model = modelOf(text)

  say('its name is a plain word', async () => assert.match(exporter.name, /^[a-z][a-z0-9-]*$/))

  say('the same model gives the same text', async () => {
    assert.deepEqual(await exporter.write(model), await exporter.write(modelOf(text)))
  })

  say('every path is in the model, and a loss is a sentence', async () => {
    const { written, losses } = exportOf(await exporter.write(model))
    for (const path of [...written, ...losses.map(({ path }) => path)])
      assert.ok(hasPath(model.document, path), `there is no ${dotted(path)}`)
    for (const { message } of losses) assert.match(message, /^\S.*\s.*\S$/)
  })

  say('every item is written, or in the list', async () => {
    const { written, losses } = exportOf(await exporter.write(model))
    const said = new Set([...written, ...losses.map(({ path }) => path)].map((path) => dotted(path)))
    for (const kind of ['dataObjects', 'dimensions', 'measures', 'metrics', 'segments'] as const)
      for (const name of Object.keys(model.document[kind] ?? {}))
        assert.ok(said.has(dotted([kind, name])), `${dotted([kind, name])} is lost silently`)
  })

  say('an access rule is a loss of security', async () => {
    const access = { fields: [{ hide: Object.keys(model.document.measures ?? {}).slice(0, 1) }] }
    const { losses } = exportOf(await exporter.write(modelOf(JSON.stringify({ ...model.document, access }))))
    assert.ok(losses.some(({ isSecurity }) => isSecurity))
  })
}

function modelOf(text: string): SemanticModel {
  const { model, errors } = parseModelSync({ text })
  assert.ok(model, JSON.stringify(errors))
  return model
}

function exportOf(exported: Awaited<ReturnType<Exporter['write']>>): Exported {
  assert.ok(!('faults' in exported), 'the model is written')
  return exported
}

function hasPath(document: unknown, path: Segments): boolean {
  const [first, ...rest] = path
  if (first === undefined) return true
  if (Array.isArray(document)) return typeof first === 'number' && first in document && hasPath(document[first], rest)
  return isRecord(document) && Object.hasOwn(document, first) && hasPath(document[String(first)], rest)
}
