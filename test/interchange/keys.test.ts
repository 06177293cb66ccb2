/** No key that a format has is lost in silence: each one, set on an item of a model, changes what the importer gives or has a line. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Importer } from '@grainline/core'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { importer as cube } from '../../plugins/importer-cube/src/importer.js'
import { importer as databricks } from '../../plugins/importer-databricks/src/importer.js'
import { importer as dbt } from '../../plugins/importer-dbt/src/importer.js'
import { importer as lookml } from '../../plugins/importer-lookml/src/importer.js'
import { importer as ossie } from '../../plugins/importer-ossie/src/importer.js'
import { importer as snowflake } from '../../plugins/importer-snowflake/src/importer.js'
import { importer as tmdl } from '../../plugins/importer-tmdl/src/importer.js'
import { oneIn, PART } from '../support/amount.js'

const at = (file: string) => new URL(`./test/interchange/${file}`, `file://${process.cwd()}/`)
const textOf = (file: string) => readFileSync(at(file), 'utf8')

/** Without a thread, which is started for each long text. */
const IMPORTERS: readonly Importer[] = [cube, databricks, dbt, lookml, ossie, snowflake, tmdl]

/** The keys of a format, and the items that have them. */
interface Keys {
  /** By default that of the file. */
  readonly format?: string
  readonly text: string
  readonly more?: string
  /** Keys of a text in YAML, by the path of the item that has them: `@orders` is the item with this name. */
  readonly items?: readonly { readonly at: string; readonly keys: Readonly<Record<string, unknown>> }[]
  /** What is written at the beginning of a block, and below a line. */
  readonly blocks?: readonly Written[]
  readonly lines?: readonly Written[]
}

type Written = Readonly<Record<string, readonly string[]>>

const WRITING = { aliasDuplicateObjects: false } as const

for (const file of readdirSync(at('keys')).toSorted()) {
  const keys = parse(textOf(`keys/${file}`)) as Keys
  const name = keys.format ?? file.replace('.yaml', '')
  const importer = IMPORTERS.find((each) => each.name === name)
  t.test(`${file}: each key has an effect or a line`, async (t) => {
    if (!importer) throw new Error(`there is no format '${name}'`)
    const text = `${textOf(keys.text)}\n${keys.more ?? ''}`
    const changes = [...inYaml(text, keys), ...inText(text, keys)]
    t.ok(changes.length > 20, `${changes.length} keys`)
    t.comment(`TEST_PART=${PART}`)
    const before = new Map<string, string>()
    const silent: string[] = []
    const said = async (text: string) => {
      const known = before.get(text)
      if (known !== undefined) return known
      const found = await saidOf(importer, text)
      before.set(text, found)
      return found
    }
    for (const change of oneIn(3, changes)) {
      const { what, from, without, to } = change()
      const now = await saidOf(importer, to)
      // A line is the same for each value of a key.
      if (now === (await said(from)) && (without === undefined || now === (await said(without)))) silent.push(what)
    }
    t.same(silent, [])
  })
}

/** Texts with and without a key. Only those of a part are written, which takes longer than to read them. */
type Change = () => {
  readonly what: string
  readonly from: string
  readonly to: string
  /** The text without the key, if it has it. */
  readonly without?: string
}

/** The model, and the sentences of the list or of the errors. Without their places, which a new line moves. */
async function saidOf(importer: Importer, text: string): Promise<string> {
  const read = await importer.read({ text })
  if ('faults' in read) return JSON.stringify(read.faults.map(({ message }) => message))
  return JSON.stringify([read.document, read.losses.map(({ kind, message }) => `${kind} ${message}`)])
}

function inYaml(text: string, { items = [] }: Keys): readonly Change[] {
  if (items.length === 0) return []
  const parsed: unknown = parse(text)
  const from = stringify(parsed, WRITING)
  return items.flatMap(({ at: path, keys }) =>
    Object.entries(keys).map(([key, value]) => () => {
      const written = (change: (item: Record<string, unknown>) => void): string => {
        const data = structuredClone(parsed)
        const item = path === '' ? data : path.split('.').reduce(below, data)
        if (typeof item !== 'object' || item === null) throw new Error(`there is no item at '${path}'`)
        change(item as Record<string, unknown>)
        return stringify(data, WRITING)
      }
      const to = written((item) => Object.assign(item, { [key]: value }))
      const without = written((item) => delete item[key])
      return { what: `${path}: ${key}`, from, to, ...(without !== from && { without }) }
    }),
  )
}

function below(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (!step.startsWith('@')) return (value as Readonly<Record<string, unknown>>)[step]
  return (value as readonly { readonly name?: unknown }[]).find(({ name }) => name === step.slice(1))
}

function inText(text: string, { blocks = [], lines = [] }: Keys): readonly Change[] {
  const inserted = (written: readonly Written[], isLine: boolean) =>
    written.flatMap((each) =>
      Object.entries(each).flatMap(([anchor, keys]) =>
        keys.map(
          (key): Change =>
            () => {
              const place = isLine ? `${anchor}\n` : anchor
              if (!text.includes(place)) throw new Error(`the text has no '${anchor}'`)
              const margin = `${/^\t*/.exec(anchor)?.[0] ?? ''}\t`
              const to = text.replace(place, () => (isLine ? `${place}${margin}${key}\n` : `${place} ${key} `))
              return { what: `${anchor}: ${key}`, from: text, to }
            },
        ),
      ),
    )
  return [...inserted(blocks, false), ...inserted(lines, true)]
}
