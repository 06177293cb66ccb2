import { spawnSync } from 'node:child_process'
import t from 'tap'
import { type Asked, CODE_KINDS, codeFor } from './code-for.js'

const asked: Asked = {
  address: 'https://example.com/semantic',
  session: 'a shop',
  model: 'm1',
  query: {
    select: { dimensions: ['City'], measures: ['Sales'] },
    where: [{ field: 'Name', op: 'in', value: ["O'Neil", true, null, 1.5] }],
    limit: 5,
  },
  needsKey: true,
  sql: 'SELECT 1',
}
const body = { model_id: 'm1', query: asked.query }

t.test('a shell sends the question unchanged', async (t) => {
  const written = codeFor('curl', asked)
  const { stdout } = spawnSync('sh', ['-c', written.replace(/^curl/, `node -p 'JSON.stringify(process.argv.slice(1))' --`)], {
    encoding: 'utf8',
    env: { ...process.env, GRAINLINE_API_KEY: 'secret' },
  })
  const words = JSON.parse(stdout) as string[]
  t.same(words.slice(0, 3), ['-X', 'POST', 'https://example.com/semantic/v1/sessions/a%20shop/query/execute'])
  t.ok(words.includes('Authorization: Bearer secret'))
  t.same(JSON.parse(words.at(-1)!), body)
})

t.test('every other kind has the question, and a key only if the server wants one', async (t) => {
  t.match(codeFor('REST', asked), /^POST \/v1\/sessions\/a%20shop\/query\/execute HTTP\/1.1\nHost: example.com\n/)
  t.match(codeFor('Python', asked), `"value": ["O'Neil", True, None, 1.5],`)
  t.match(codeFor('TypeScript', asked), `model: { session_id: "a shop", model_id: "m1" },`)
  t.equal(codeFor('SQL', asked), 'SELECT 1')
  for (const kind of CODE_KINDS) {
    t.equal(/GRAINLINE_API_KEY|<your key>/.test(codeFor(kind, asked)), kind !== 'SQL')
    t.notMatch(codeFor(kind, { ...asked, needsKey: false }), /GRAINLINE_API_KEY|<your key>/, kind)
  }
})

t.test('Python reads it as the same question', { skip: spawnSync('python3', ['-V']).error && 'no Python' }, async (t) => {
  const source = `import json, sys, types
requests = types.ModuleType('requests')
class Answer:
    def raise_for_status(self): pass
    def json(self): return {'rows': []}
def post(url, headers, json):
    sys.modules['sent'] = (url, headers, json)
    return Answer()
requests.post = post
sys.modules['requests'] = requests
exec(sys.stdin.read())
print(json.dumps(sys.modules['sent']))`
  const { stdout, stderr } = spawnSync('python3', ['-c', source], {
    input: codeFor('Python', asked),
    encoding: 'utf8',
    env: { ...process.env, GRAINLINE_API_KEY: 'secret' },
  })
  t.equal(stderr, '')
  t.same(JSON.parse(stdout), [
    'https://example.com/semantic/v1/sessions/a%20shop/query/execute',
    { Authorization: 'Bearer secret' },
    body,
  ])
})
