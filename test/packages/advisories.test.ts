/** The check of known vulnerabilities knows what it does not know. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'

const root = path.resolve(import.meta.dirname, '../..')
const real = JSON.parse(readFileSync(path.join(root, 'scripts/advisories.json'), 'utf8')) as { installScripts: object }
const asked = { asked: '2026-11-01', advisories: [], installScripts: real.installScripts }

/** The check with a file of this content, or without a file. */
function check(t: Test, content: unknown, ...args: readonly string[]) {
  const file = path.join(t.testdir({}), 'advisories.json')
  if (content !== undefined) writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const env = { PATH: process.env.PATH, ADVISORIES_FILE: file }
  return new Promise<{ code: number; text: string }>((resolve) => {
    execFile(process.execPath, [path.join(root, 'scripts/advisories.mjs'), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    )
  })
}

t.test('the check fails unless the registry was asked', async (t) => {
  t.match(await check(t, asked), { code: 0, text: /0 faults/ })
  for (const content of [
    undefined,
    '',
    '{',
    '[]',
    {},
    { ...asked, asked: null },
    { ...asked, asked: 'never' },
    { ...asked, advisories: null },
  ])
    t.match(await check(t, content), { code: 1, text: /--refresh/ }, JSON.stringify(content))
})

t.test('a vulnerable version is a fault unless it is accepted, and so is an unlisted script', async (t) => {
  const known = { name: 'fastify', range: '*', severity: 'high', title: 'A hole', url: 'https://example.org/1' }
  t.match(await check(t, { ...asked, advisories: [known] }), { code: 1, text: /fastify [\d.]+: A hole/ })
  t.match(await check(t, { ...asked, advisories: [{ ...known, accepted: 'not reachable' }] }), { code: 0 })
  t.match(await check(t, { ...asked, installScripts: {} }, '--scripts'), { code: 1, text: /protobufjs runs a script/ })
  t.match(await check(t, { ...asked, asked: null }, '--scripts'), { code: 0 })
})
