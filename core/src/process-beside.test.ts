/** A process beside the server has no secrets, and ends with it alone. */
import { once } from 'node:events'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { startBeside } from './process-beside.js'

t.test('it gets its words and variables, and none of the environment but those by which it finds its libraries', async (t) => {
  const folder = t.testdir({
    'beside.mjs':
      "process.send({ argv: process.argv.slice(2), env: process.env, execArgv: process.execArgv })\nprocess.on('message', () => process.exit(3))\n",
  })
  process.env['GRAINLINE_SECRET'] = 'secret'
  t.teardown(() => delete process.env['GRAINLINE_SECRET'])
  const self = pathToFileURL(path.join(folder, 'beside.mjs')).href
  const child = startBeside(self, { args: ['role', '{}'], execArgv: ['--max-old-space-size=64'], env: { OWN: 'x' }, pipes: 1 })
  const [said] = await once(child, 'message')
  t.same(said.argv, ['role', '{}'])
  t.same(said.execArgv, ['--max-old-space-size=64'])
  t.equal(said.env.OWN, 'x')
  t.equal(said.env.PATH, process.env['PATH'])
  t.notOk('GRAINLINE_SECRET' in said.env)
  t.ok(child.stdio[4], 'it has the pipe')
  child.send('end')
  const [code] = await once(child, 'close')
  t.equal(code, 3)
})
