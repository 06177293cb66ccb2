/** Generated models with rows, written in another format and read again. */
import type { Exported, Exporter, Importer, SemanticModel } from '@grainline/core'
import { stringify } from 'yaml'
import * as databricks from '../../plugins/importer-databricks/src/export/exporter.js'
import { importer as ofDatabricks } from '../../plugins/importer-databricks/src/importer.js'
import { exporter as ossie } from '../../plugins/importer-ossie/src/export/exporter.js'
import { importer as ofOssie } from '../../plugins/importer-ossie/src/importer.js'
import * as snowflake from '../../plugins/importer-snowflake/src/export/exporter.js'
import { importer as ofSnowflake } from '../../plugins/importer-snowflake/src/importer.js'
import { generateCase } from '../oracle/generate/case.js'
import { KINDS_OF_DATA, LATER } from '../oracle/generate/later.js'
import { asWritten, type ModelJson, type Tables } from '../oracle/model.js'
import { parsed, wholeDocument } from './exported-models.js'

export interface Trip {
  readonly exporter: Exporter
  readonly importer: Importer
  /** The texts that are read one by one. */
  readonly texts: (exported: Exported) => readonly string[]
  /** Whether a text has no types, so that columns get those of the model. */
  readonly isUntyped: boolean
}

const whole = ({ content }: Exported): readonly string[] => ['text' in content ? content.text : stringify(content.yaml)]

/** The metric views of a text. */
const viewsOf = (exported: Exported): readonly string[] =>
  whole(exported).flatMap((text) => text.split(/^(?:---\n|(?=CREATE OR REPLACE VIEW ))/m).filter((view) => view.trim() !== ''))

/** Without what Ossie alone says. */
const plainOssie = ({ content }: Exported): readonly string[] => {
  if ('text' in content) throw new Error(content.text)
  const { semantic_model: models, ...rest } = content.yaml as { readonly semantic_model: readonly Record<string, unknown>[] }
  const plain = models.map(({ custom_extensions: _, ...model }) => model)
  return [stringify({ ...rest, semantic_model: plain }, { aliasDuplicateObjects: false })]
}

/** Importers without a thread, which is started for each long text. */
export const TRIPS: readonly Trip[] = [
  { exporter: snowflake.yamlExporter, importer: ofSnowflake, texts: whole, isUntyped: false },
  { exporter: snowflake.statementExporter, importer: ofSnowflake, texts: whole, isUntyped: true },
  { exporter: ossie, importer: ofOssie, texts: plainOssie, isUntyped: false },
  { exporter: databricks.yamlExporter, importer: ofDatabricks, texts: viewsOf, isUntyped: true },
  { exporter: databricks.statementExporter, importer: ofDatabricks, texts: viewsOf, isUntyped: true },
]

export function tripOf(format: string): Trip {
  const trip = TRIPS.find(({ exporter }) => exporter.name === format)
  if (!trip) throw new Error(`there is no round trip of '${format}'`)
  return trip
}

/** A model, and rows of its tables. */
export interface Ground {
  readonly model: SemanticModel
  readonly json: ModelJson
  readonly data: Tables
}

/** A table of ancestors is written in another way for the oracle. */
const KINDS = LATER.filter((kind) => !KINDS_OF_DATA.has(kind) && kind !== 'trees')

/** Every other model is of the basic language: formats say more of it. */
export function groundOf(seed: number): Ground {
  const { model: json, data } = caseOf(seed)
  const { filters: _, ...document } = asWritten(json) as Record<string, unknown>
  return { model: parsed({ json: document }, `seed ${seed}`), json, data }
}

function caseOf(seed: number) {
  try {
    return generateCase(seed, 0, seed % 2 === 0 ? [] : KINDS)
  } catch (error) {
    // The oracle follows a filter in a circle.
    if (!(error instanceof RangeError)) throw error
    return generateCase(seed + 1_000_000_000, 0, seed % 2 === 0 ? [] : KINDS)
  }
}

type Columns = Record<string, { code?: string; abstractType?: string; sqlType?: string }>

/** A text without types is read with assumed ones: a person writes those of the model. */
function typed(document: unknown, { document: of }: SemanticModel): void {
  const objects = (document as { dataObjects: Record<string, { code: string; columns: Columns }> }).dataObjects
  for (const { code, columns } of Object.values(objects))
    for (const column of Object.values(columns)) {
      const own = Object.values(of.dataObjects ?? {}).find((each) => each.code === code)
      const found = Object.values((own?.columns ?? {}) as Columns).find((each) => each.code === column.code)
      if (column.code === undefined || !found) continue
      delete column.abstractType
      for (const key of ['abstractType', 'sqlType', 'sqlPrecision', 'sqlScale'] as const)
        if (Object.hasOwn(found, key)) Object.assign(column, { [key]: found[key as 'sqlType'] })
    }
}

/** The model that a text is read as: nothing of it is refused. */
export async function readBack(text: string, { importer, isUntyped }: Trip, of: SemanticModel): Promise<SemanticModel> {
  const document = await wholeDocument(text, importer)
  if (isUntyped) typed(document, of)
  return parsed({ json: document }, text)
}

/** The name of a field there: its own, or that of which its own is a synonym. */
export function nameThere(kind: 'dimensions' | 'measures' | 'metrics', name: string, there: SemanticModel): string | undefined {
  const kinds = kind === 'dimensions' ? [there.dimensions] : [there.measures, there.metrics]
  for (const fields of kinds) if (fields.has(name)) return name
  for (const fields of kinds) for (const [other, { synonyms = [] }] of fields) if (synonyms.includes(name)) return other
  return undefined
}
