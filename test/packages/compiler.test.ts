/** The bundle of `@grainline/compiler` in a world without Node: it imports nothing, and writes the SQL of the corpus. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { parseModelSync } from '@grainline/core/unstable'
import { build } from 'esbuild'
import t from 'tap'
import type * as Library from '../../packages/compiler/src/index.js'
import { DIALECTS, FURTHER_DIALECTS, modelText, NOW, readQuestions, sqlOrRefusal } from '../corpus/corpus.js'
import { amount, oneIn } from '../support/amount.js'

t.setTimeout(300_000)

const root = path.resolve(import.meta.dirname, '../..')
const { bundlePackages } = (await import(pathToFileURL(path.join(root, 'scripts/bundle-packages.mjs')).href)) as {
  bundlePackages(folders: readonly string[]): Promise<unknown>
}

t.test('the bundle of the package compiles the corpus where there is no Node', async (t) => {
  const folder = path.join(t.testdir({ packages: {} }), 'packages/compiler')
  for (const part of ['src', 'package.json'])
    cpSync(path.join(root, 'packages/compiler', part), path.join(folder, part), { recursive: true })
  await bundlePackages([folder])
  const library = await inBareWorld(path.join(folder, 'dist/index.js'))

  const { model, errors } = library.readModel(modelText())
  t.same(errors, [])
  const reference = parseModelSync({ text: modelText() }).model!
  t.equal(model!.contentHash, reference.contentHash)
  const all = [...DIALECTS, ...FURTHER_DIALECTS]
  t.same([...library.dialects].toSorted(), all.map(({ name }) => name).toSorted())
  let compared = 0
  // Of the pairs of a question and a dialect, a change asks one in eleven: of each dialect some.
  const pairs = readQuestions().flatMap(({ name, query }) => all.map((dialect) => ({ name, query, dialect })))
  for (const { name, query, dialect } of oneIn(11, pairs)) {
    const expected = sqlOrRefusal(dialect, query, reference)
    const found = sqlOf(library, model!, query, dialect.name)
    if (found === expected) compared += 1
    else t.equal(found, expected, `${name}, ${dialect.name}`)
  }
  t.ok(compared > amount(100, 1000), `${compared} statements are the same`)
})

t.test('a refusal has its code, its place and the nearest name; an invalid model has lines', async (t) => {
  const { compile, readModel, refusalOf } = await import('../../packages/compiler/src/index.js')
  const { model } = readModel(modelText())
  const refusal = (query: object) => {
    try {
      return compile(model!, query, { dialect: 'postgres' }).sql
    } catch (error) {
      return refusalOf(error)
    }
  }
  const [measure] = model!.fields.filter(({ kind }) => kind === 'measure')
  t.match(refusal({ select: { measures: [`${measure!.name}x`] } }), {
    code: /^UNKNOWN_/,
    path: 'select.measures[0]',
    suggestions: [measure!.name],
  })
  const invalid = readModel('version: 1\nname: x\ndataObjects: {}\ndimensions:\n  A: { dataObject: Nope, column: B }\n')
  t.equal(invalid.model, undefined)
  t.match(
    invalid.errors.find(({ code }) => code === 'UNKNOWN_DATA_OBJECT'),
    { line: 5, path: 'dimensions.A.dataObject' },
  )
  t.throws(() => compile(model!, {}, { dialect: 'postgrez' }), /no dialect 'postgrez'; choose one of bigquery, /)
  const query = { select: { measures: [measure!.name] } }
  t.throws(() => compile({ ...model! }, query, { dialect: 'postgres' }), /readModel/)
})

/** The library with the globals that every JavaScript engine with text and structured values has, and no others. */
async function inBareWorld(entry: string): Promise<typeof Library> {
  const bundle = await build({
    stdin: { contents: `export * from ${JSON.stringify(entry)}`, resolveDir: root },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'library',
    write: false,
    logLevel: 'error',
  })
  const context = vm.createContext({ TextEncoder, TextDecoder, performance, structuredClone })
  vm.runInContext(bundle.outputFiles[0]!.text, context)
  return vm.runInContext('library', context) as typeof Library
}

function sqlOf({ compile, refusalOf }: typeof Library, model: Library.Model, query: unknown, dialect: string): string {
  try {
    return compile(model, query as object, { dialect, now: NOW }).sql
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    return `${refusal.code}: ${refusal.message}`
  }
}
