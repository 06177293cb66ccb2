/** What the tests of exporters begin with. */
import type { Exported, Exporter, Importer, SemanticModel } from '@grainline/core'
import { parseModelSync } from '../../core/src/model/load-model.js'

export const modelOf = (text: string): SemanticModel => parsed({ text }, '')

/** `why` follows the errors of a model that has some. */
export function parsed(request: Parameters<typeof parseModelSync>[0], why: string): SemanticModel {
  const { model, errors } = parseModelSync(request)
  if (!model) throw new Error(`${JSON.stringify(errors)}\n${why}`)
  return model
}

export async function exportOf(model: SemanticModel, exporter: Exporter): Promise<Exported> {
  const exported = await exporter.write(model)
  if ('faults' in exported) throw new Error(JSON.stringify(exported.faults))
  return exported
}

/** The document that an exported text is imported as: nothing of it is refused. */
export async function wholeDocument(text: string, importer: Importer): Promise<object> {
  const read = await importer.read({ text })
  if ('faults' in read) throw new Error(`${JSON.stringify(read.faults)}\n${text}`)
  const refused = read.losses.filter(({ kind }) => kind === 'refused')
  if (refused.length > 0) throw new Error(`${JSON.stringify(refused)}\n${text}`)
  return read.document
}

/** Losses as short texts in order. */
export const linesOf = ({ losses }: Exported): readonly string[] =>
  losses.map(({ kind, path }) => `${kind} ${path.join('.')}`).toSorted()
