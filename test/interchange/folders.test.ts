/** Folders of models that somebody else has made: links, pipes, bytes that are no text, marks of byte order. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Importer } from '@grainline/core'
import t, { type Test } from 'tap'
import { OWN, readProject } from '../../core/src/service/project.js'
import { cube } from '../../plugins/importer-cube/src/index.js'
import { lookml } from '../../plugins/importer-lookml/src/index.js'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { textOf } from './foreign-texts.js'
import { hostOf } from './host-of.js'

const cubeOf = (name: string) => `cubes:
  - name: ${name}
    sql_table: s.${name}
    measures: [{ name: ${name}_count, type: count }]
`

const folderOf = (t: Test, files: Readonly<Record<string, string | Buffer>>): string => {
  const folder = path.join(t.testdir({}), 'shop')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

async function documentOf(folder: string, importer: Importer) {
  const project = await readProject(folder, importer)
  if ('refused' in project) throw new Error(project.refused)
  const read = await importer.read({ text: project.text })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  return read
}

t.test('a mark of byte order in any of the files says nothing', async (t) => {
  const folder = folderOf(t, { 'a.yml': `\uFEFF${cubeOf('a')}`, 'b.yml': `\uFEFF${cubeOf('b').replaceAll('\n', '\r\n')}` })
  const { document, losses } = await documentOf(folder, cube)
  t.same(Object.keys(document['dataObjects'] as object), ['a', 'b'])
  t.same(
    losses.filter(({ kind }) => kind !== 'rewritten'),
    [],
  )
})

t.test('bytes that are no UTF-8 are no text', async (t) => {
  const latin = Buffer.from(cubeOf('größe'), 'latin1')
  const folder = folderOf(t, { 'a.yml': cubeOf('a'), 'b.yml': latin, 'c.yml': Buffer.from(`\uFEFF${cubeOf('c')}`, 'utf16le') })
  t.match(await readProject(folder, cube), { refused: /b\.yml.*no text in UTF-8/ })
  t.match(await readProject(path.join(folder, 'b.yml'), cube), { refused: /is no text in UTF-8/ })
  t.match(await readProject(path.join(folder, 'c.yml'), cube), { refused: /is no text in UTF-8/ })
})

t.test('a folder with more than an importer reads is refused before it is read', async (t) => {
  const folder = folderOf(t, { 'a.yml': cubeOf('a'), 'b/c.yml': cubeOf('b') })
  truncateSync(path.join(folder, 'b/c.yml'), 20_000_001)
  t.match(await readProject(folder, cube), {
    refused: /^has more than 20 MB of files: name a folder in it, such as that of b.c\.yml\.$/,
  })
})

t.test('a file with more than an importer reads is refused before it is read', async (t) => {
  const folder = folderOf(t, { 'a.yml': cubeOf('a') })
  const file = path.join(folder, 'a.yml')
  truncateSync(file, 20_000_001)
  t.match(await readProject(file, cube), { refused: /^has more than 20 MB: name a part of the project\.$/ })
  t.ok('text' in (await readProject(file, OWN)), 'a model of this server has its own limits')
})

t.test('a link out of the folder is not followed, and one to a folder around it ends', async (t) => {
  const folder = folderOf(t, { 'models/a.yml': cubeOf('a') })
  const secret = path.join(path.dirname(folder), 'secret.yml')
  writeFileSync(secret, cubeOf('secret'))
  symlinkSync(folder, path.join(folder, 'models', 'self'))
  symlinkSync(path.join(folder, 'models'), path.join(folder, 'again'))
  const { document } = await documentOf(folder, cube)
  t.same(Object.keys(document['dataObjects'] as object), ['a'])
  symlinkSync(secret, path.join(folder, 'models', 'b.yml'))
  t.match(await readProject(folder, cube), { refused: /b\.yml \(it is a link out of the folder\)/ })
})

t.test('a folder that a link leads to is refused if it is outside', async (t) => {
  const outside = folderOf(t, { 'b.yml': cubeOf('b') })
  const folder = path.join(path.dirname(outside), 'project')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'a.yml'), cubeOf('a'))
  symlinkSync(outside, path.join(folder, 'more'))
  t.match(await readProject(folder, cube), { refused: /more.b\.yml \(it is a link out of the folder\)/ })
})

t.test('a pipe in a folder is no file, and nobody waits for it', async (t) => {
  const folder = folderOf(t, { 'a.view.lkml': 'view: a { sql_table_name: s.a ;; measure: n { type: count } }' })
  execFileSync('mkfifo', [path.join(folder, 'b.view.lkml')])
  t.match(await readProject(folder, lookml), { refused: /b\.view\.lkml \(it is no file\)/ })
})

t.test('other requests are answered between two formats that look at a long text', async (t) => {
  let turn = 0
  const turns: number[] = []
  const each = (at: number): Importer => ({
    name: `format${at}`,
    detect: () => {
      turns.push(turn)
      return false
    },
    read: async () => ({ faults: [] }),
  })
  const host = await hostOf(t, ...Array.from({ length: 5 }, (_, at) => each(at)))
  let isWatched = true
  const count = () => {
    turn++
    if (isWatched) setImmediate(count)
  }
  setImmediate(count)
  await t.rejects(host.service.convert({ asker: undefined, model_yaml: ' \n'.repeat(100_000) }), { code: 'INVALID_REQUEST' })
  isWatched = false
  t.equal(new Set(turns).size, 5)
})

t.test('an archive is not unpacked: the refusal says so', async (t) => {
  const archive = Buffer.from('504b0304140000000800ffff', 'hex')
  const folder = folderOf(t, { 'a.yml': cubeOf('a'), 'b.yml': archive })
  t.match(await readProject(path.join(folder, 'b.yml'), cube), { refused: 'is an archive: unpack it, and name its folder.' })
  t.match(await readProject(folder, cube), { refused: /b\.yml \(it is an archive/ })
})

t.test('each line of many files has its file, and finding it does not take longer with more files', async (t) => {
  const count = 300
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${String(at).padStart(4, '0')}.yml`, cubeOf(`c${at}`)]),
  )
  const folder = folderOf(t, files)
  const project = await readProject(folder, cube)
  if ('refused' in project) throw new Error(project.refused)
  const lines = project.text.split('\n')
  const wrong = lines.flatMap((line, at) => {
    const name = /name: c(\d+)$/.exec(line)?.[1]
    const { file, first } = project.fileOf(at + 1)
    return name === undefined || (path.basename(file) === `${name.padStart(4, '0')}.yml` && at + 1 - first === 1) ? [] : [line]
  })
  t.same(wrong, [])
  t.equal(path.basename(project.fileOf(lines.length + 10).file), '0299.yml')
  // A list has as many lines as a project has items: with a search through all files, this takes 150 million steps.
  const best = await bestOf(async () => {
    for (let at = 0; at < 500_000; at++) project.fileOf(at % lines.length)
  }, 4)
  keepsTurns(t, best)
})

t.test('a folder with one file of a format whose models are one file is this file', async (t) => {
  const [first, second] = [textOf('snowflake/shop.sql'), textOf('snowflake/shop.yaml')]
  const folder = t.testdir({
    one: { 'shop.sql': first, 'notes.md': 'Notes', 'other.yaml': 'a: 1' },
    two: { 'shop.sql': first, 'shop.yaml': second },
    none: { 'other.yaml': 'a: 1' },
  })
  const read = (name: string) => readProject(path.join(folder, name), snowflake, [snowflake])
  const project = await read('one')
  t.match(project, { text: first })
  if ('text' in project) t.match(project.fileOf(3), { file: path.join(folder, 'one/shop.sql'), first: 1 })
  t.match(await read('two'), {
    refused: /^is a folder, and a model of the format snowflake is one file: name it, such as shop.sql.$/,
  })
  t.match(await read('none'), { refused: 'has no files of the format snowflake.' })
})
