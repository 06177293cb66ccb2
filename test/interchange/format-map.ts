/** What becomes of each concept of other formats, and of a model that is written in them: one text and one verdict for each. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Exporter, Importer, Loss } from '@grainline/core'
import type { Test } from 'tap'
import { parse, stringify } from 'yaml'
import { modelOf } from './exported-models.js'
import { textOf } from './foreign-texts.js'

const FOLDER = path.join(process.cwd(), 'test/interchange/map')

/** `text`: the whole text, or model, is refused. */
export const VERDICTS = ['exact', 'rewritten', 'inert', 'refused', 'text'] as const
export type Verdict = (typeof VERDICTS)[number]

/** A change of the text of the format, or of the model that is exported, and what becomes of it. */
export interface Probe {
  readonly what: string
  readonly is: Verdict
  /** Parts of the text that are others, by turns: `[from, to, from, to]`. */
  readonly change?: readonly string[]
  /** What is written behind the text. */
  readonly more?: string
  /** Another text of the format. */
  readonly text?: string
  /** Another text that is changed: a file beside the tests. */
  readonly file?: string
  /** Words of the line of the list, or of the error. */
  readonly line?: string
  /** A part of the model that is read. */
  readonly gives?: object
  /** The path of an item that the model does not have. */
  readonly lacks?: readonly (string | number)[]
  /** A part of the text that is written, by its words. */
  readonly writes?: string
  /** By default all exporters of the format. */
  readonly exporters?: readonly string[]
}

/** Formats of the field that no importer reads. */
export const NOT_READ = ['Lightdash', 'Malloy', 'Omni', 'Rill', 'SML']

export interface Row {
  /** The concept, as the map of formats calls it. */
  readonly row: string
  readonly import: readonly Probe[]
  readonly export?: readonly Probe[]
}

export interface FormatMap {
  readonly format: string
  readonly product: string
  /** The text that is changed: a file beside the tests. */
  readonly text: string
  readonly rows: readonly Row[]
}

export const formatMaps: readonly FormatMap[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml') && file !== 'model.yaml')
  .sort()
  .map((file) => parse(readFileSync(path.join(FOLDER, file), 'utf8')) as FormatMap)

const MODEL = textOf('map/model.yaml')

/** The text of a probe. */
export function changed(whole: string, { change = [], more = '', text }: Probe): string {
  if (text !== undefined) return text
  let found = whole
  for (let at = 0; at < change.length; at += 2) {
    const [from = '', to = ''] = change.slice(at)
    if (!found.includes(from)) throw new Error(`the text has no '${from}'`)
    found = found.replace(from, () => to)
  }
  return found + more
}

const wordsOf = (losses: readonly Pick<Loss, 'kind' | 'message'>[]): readonly string[] =>
  losses.map(({ kind, message }) => `${kind}: ${message}`)

/** What a reading, or a writing, says: errors of the whole text, or a list. */
interface Said {
  readonly faults: readonly { readonly message: string; readonly place?: unknown }[]
  readonly losses: readonly (Pick<Loss, 'kind' | 'message'> & { readonly place?: unknown })[]
}

/** Whether the verdict is the one that the list gives. `before`: the lines of the text without the change. */
function holds(t: Test, says: string, { is, line }: Probe, { faults, losses }: Said, before: readonly string[]): void {
  const known = new Map<string, number>()
  for (const each of before) known.set(each, (known.get(each) ?? 0) + 1)
  const added = losses.filter((loss) => {
    const [words = ''] = wordsOf([loss])
    const left = known.get(words) ?? 0
    known.set(words, left - 1)
    return left <= 0
  })
  if (is === 'text') {
    t.ok(
      faults.some(({ message, place }) => message.includes(line ?? '\0') && place !== undefined),
      `${says}: the error has '${line}' and a place: ${JSON.stringify([faults, wordsOf(added)]).slice(0, 600)}`,
    )
    return
  }
  t.same(faults, [], says)
  if (is === 'exact') return void t.same(wordsOf(added), [], `${says}: no line`)
  t.ok(
    losses.some(({ kind, message, place }) => kind === is && message.includes(line ?? '\0') && place !== undefined),
    `${says}: a line (${is}) has '${line}' and a place: ${wordsOf(added).join(' | ').slice(0, 900)}`,
  )
}

/** The texts and the model that probes change are read and written once. */
const unchangedTexts = new Map<string, ReturnType<Importer['read']>>()
const unchangedModels = new Map<Exporter, ReturnType<Exporter['write']>>()

function readUnchanged(importer: Importer, text: string): ReturnType<Importer['read']> {
  const key = `${importer.name} ${text}`
  const read = unchangedTexts.get(key) ?? importer.read({ text })
  unchangedTexts.set(key, read)
  return read
}

function writeUnchanged(exporter: Exporter): ReturnType<Exporter['write']> {
  const written = unchangedModels.get(exporter) ?? exporter.write(modelOf(MODEL))
  unchangedModels.set(exporter, written)
  return written
}

/** Reads the texts of a row. */
export async function readRow(t: Test, importer: Importer, { text, format }: FormatMap, row: Row): Promise<void> {
  for (const probe of row.import) {
    const says = `${format}: ${probe.what}`
    const whole = textOf(probe.file ?? text)
    const first = await readUnchanged(importer, whole)
    if ('faults' in first) throw new Error(JSON.stringify(first.faults))
    const read = await importer.read({ text: changed(whole, probe) })
    if ('faults' in read) {
      holds(t, says, probe, { faults: read.faults, losses: [] }, [])
      continue
    }
    const rules = read.losses.filter(({ isSecurity }) => isSecurity)
    const said = probe.is === 'text' ? { faults: rules, losses: read.losses } : { faults: [], losses: read.losses }
    const isChanged = probe.change !== undefined || probe.more !== undefined
    holds(t, says, probe, said, isChanged ? wordsOf(first.losses) : probe.text === undefined ? wordsOf(read.losses) : [])
    if (probe.is === 'exact') t.same(linesAbout(probe.gives ?? {}, read.losses), [], `${says}: no line about it`)
    if (probe.gives) t.match(read.document, probe.gives, `${says}: the model has it`)
    if (probe.lacks) t.equal(at(read.document, probe.lacks), undefined, `${says}: the model has none`)
  }
}

/** The lines that name a field of the given part of the model. */
const linesAbout = (gives: object, losses: Said['losses']): readonly string[] =>
  Object.entries(gives).flatMap(([kind, items]) =>
    FIELDS.has(kind)
      ? Object.keys(items as object).flatMap((name) => wordsOf(losses.filter(({ message }) => message.includes(`'${name}'`))))
      : [],
  )

const FIELDS = new Set(['dimensions', 'measures', 'metrics', 'segments'])

const at = (document: unknown, keys: readonly (string | number)[]): unknown =>
  keys.reduce<unknown>((value, key) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[key], document)

/** Writes the models of a row. A line about a model has a path, which is its place. */
export async function writeRow(t: Test, exporters: readonly Exporter[], format: string, row: Row): Promise<void> {
  for (const probe of row.export ?? [])
    for (const exporter of exporters) {
      if (probe.exporters && !probe.exporters.includes(exporter.name)) continue
      const says = `${exporter.name}: ${probe.what}`
      const [plain, written] = [await writeUnchanged(exporter), await exporter.write(modelOf(changed(MODEL, probe)))]
      if ('faults' in plain) throw new Error(`${format}: ${JSON.stringify(plain.faults)}`)
      if ('faults' in written) {
        const faults = written.faults.map(({ message, path: place }) => ({ message, place }))
        holds(t, says, probe, { faults, losses: [] }, [])
        continue
      }
      const losses = written.losses.map(({ kind, message, path: place }) => ({ kind, message, place }))
      const rules = written.losses.flatMap(({ isSecurity, message, path: place }) => (isSecurity ? [{ message, place }] : []))
      holds(t, says, probe, { faults: probe.is === 'text' ? rules : [], losses }, wordsOf(plain.losses))
      const text = 'text' in written.content ? written.content.text : stringify(written.content.yaml, { lineWidth: 0 })
      if (probe.writes !== undefined)
        t.ok(plainly(text).includes(plainly(probe.writes)), `${says}: the text has '${probe.writes}'`)
    }
}

const plainly = (text: string): string => text.replace(/[\s`"]+/g, ' ')
