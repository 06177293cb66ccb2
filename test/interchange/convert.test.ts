/** `grainline convert`: a folder of files is one text, and every line of the report is in its own file. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { parse } from 'yaml'
import { streamsThatKeep } from '../support/streams-that-keep.js'

/** Reads lines `column NAME`; `note` is inert, `rule` refused, and `bad` no model. */
const PLUGIN = `
export default Object.assign(function columns (host) {
  host.importers.register({
    name: 'columns', detect: () => false, files: (file) => file.endsWith('.columns'),
    async read({ text }) {
      const columns = {}, places = [], losses = [], faults = []
      text.split('\\n').forEach((line, at) => {
        const place = { line: at + 1, column: 1 }
        const [word, name] = line.split(' ')
        if (word === 'column') columns[name] = { code: name, abstractType: 'int' }
        if (word === 'column') places.push({ path: ['dataObjects', 'A', 'columns', name], place })
        if (word === 'note') losses.push({ kind: 'inert', message: 'A note is kept.', place })
        if (word === 'rule') losses.push({ kind: 'refused', message: 'A rule is left out.', place })
        if (word === 'bad') faults.push({ message: 'A line is bad.', place })
      })
      return faults.length ? { faults } : { document: { version: 1, dataObjects: { A: { code: 'a', columns } } }, places, losses }
    },
  })
}, { [Symbol.for('plugin-meta')]: { name: 'columns', host: '*' } })`

const cwd = t.testdir({
  'own.mjs': PLUGIN,
  'config.yaml': "plugins: ['./own.mjs']\n",
  exact: { 'a.columns': 'column x\n', 'b.columns': 'column y', 'c.txt': 'bad' },
  inert: { 'a.columns': 'column x', 'b.columns': '\nnote' },
  refused: { 'a.columns': 'column x\nnote', 'b.columns': 'column y\nrule' },
  bad: { 'a.columns': 'column x', deep: { 'b.columns': 'column y\n\nbad' } },
  'one.columns': 'column x\nrule\n',
})

const convert = async (...args: string[]) => {
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main(['convert', ...args, '--config', path.join(cwd, 'config.yaml')], { stdout, stderr, cwd, env: {} })
  return { code, out: written().out, err: written().err }
}

t.test('the exit code is that of the worst item', async (t) => {
  t.match(await convert('exact', '--from', 'columns'), { code: 0, err: '2 exact, 0 rewritten, 0 inert, 0 refused\n' })
  t.match(await convert('inert', '--from', 'columns'), { code: 3, err: /^inert\/b\.columns:2:1: inert: A note is kept\.\n/ })
  t.match(await convert('refused', '--from', 'columns'), {
    code: 4,
    err: /refused\/b\.columns:2:1: refused: A rule is left out\./,
  })
})

t.test('an error about the folder of the user is shown whole', async (t) => {
  t.match(await convert('.', '--from', 'obml'), { code: 2, err: /^\. has no files of the format obml \(grainline --help/ })
})

t.test('the model is written, or nothing is', async (t) => {
  const { out } = await convert('exact', '--from', 'columns')
  t.match(parse(out), { dataObjects: { A: { columns: { x: {}, y: {} } } } })
  await convert('exact', '--from', 'columns', '--output', 'model.yaml')
  t.equal(readFileSync(path.join(cwd, 'model.yaml'), 'utf8'), out)
  t.same(await convert('bad', '--from', 'columns'), { code: 1, out: '', err: 'bad/deep/b.columns:3:1: error: A line is bad.\n' })
})

t.test('a file of a folder that cannot be read is named', async (t) => {
  mkdirSync(path.join(cwd, 'linked'))
  symlinkSync('nowhere', path.join(cwd, 'linked/a.columns'))
  t.match(await convert('linked', '--from', 'columns'), { code: 2, err: /linked has a file that cannot be read: a\.columns/ })
})

t.test('the report as JSON, of one file', async (t) => {
  const { err } = await convert('one.columns', '--from', 'columns', '--json')
  t.match(JSON.parse(err), { counts: { exact: 1, refused: 1 }, losses: [{ kind: 'refused', at: 'one.columns:2:1' }] })
})

t.test('a wrong call says what is missing', async (t) => {
  t.match(await convert('one.columns'), { code: 2, err: /--from FORMAT/ })
  t.match(await convert('--from', 'columns'), { code: 2, err: /one file or folder/ })
  t.match(await convert('one.columns', '--from', 'Columns'), { code: 1, err: /'Columns'.*columns/ })
})
