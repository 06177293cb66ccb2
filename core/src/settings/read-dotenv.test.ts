import { parseEnv } from 'node:util'
import t from 'tap'
import { readDotenv } from './read-dotenv.js'

const read = (text: string) => readDotenv(Buffer.from(text))
const KEPT = 'AUTH_MODE=api_key\nPORT=1'
const kept = { AUTH_MODE: 'api_key', PORT: '1' }

t.test('a line that cannot be read changes no other line, and is named', async (t) => {
  const stray = ['FOO', 'These are the settings of the server', '[section]', 'FOO: bar', '=x', '= x', '1', '"', "it's", 'set A=b']
  for (const line of [...stray, 'FOO="open', "FOO='open", 'FOO=`open', '\tFOO', 'FOO "=" x'])
    for (const end of ['\n', '\r\n', '\r']) {
      t.match(read(`${line}\n${KEPT}`.replaceAll('\n', end)), { values: kept, unreadable: [1] }, JSON.stringify(line + end))
      t.match(read(`A=1\n${line}\n${KEPT}\n${line}`.replaceAll('\n', end)), { values: { A: '1', ...kept }, unreadable: [2, 5] })
    }
})

t.test('byte-order marks, UTF-16, tabs and blanks do not lose the first line', async (t) => {
  for (const before of ['\uFEFF', '\t', '  ', '\n\n', 'export ', '\u00a0'])
    t.same(read(before + KEPT), { values: kept, unreadable: [] }, JSON.stringify(before))
  t.same(readDotenv(Buffer.from(`\uFEFF${KEPT}`, 'utf16le')), { values: kept, unreadable: [] })
})

t.test('an open quotation mark takes no setting, and a closed one may take several lines', async (t) => {
  const key = '-----BEGIN KEY-----\nMIIB\nABC=\nABCD==\n-----END KEY-----'
  t.same(read(`KEY="${key}"\n${KEPT}`).values, { KEY: key, ...kept })
  t.same(read(`NOTE="open\n${KEPT}\nOTHER="closed"`), { values: { ...kept, OTHER: 'closed' }, unreadable: [1] })
  t.same(read(`NOTE="open\n${KEPT}"`), { values: { AUTH_MODE: 'api_key', PORT: '1"' }, unreadable: [1] })
})

t.test('what Node reads without losing a line is read in the same way', async (t) => {
  const texts = [
    '# a comment\nA=1\n\nB = two words \nC=x # note\nD=a#b\nE=\nF=""\nexport G=g',
    'A="a # b"\nB=\'a"b\'\nC=`a\'b"c`\nD="a\\nb"\nE=\'a\\nb\'\nF="x" # note',
    'A=a=b\nB=https://x.example/?a=b\nC="line\nline"\nD=d',
    'A=1\r\nB="2"\r\nC=3\r\n',
    'A.b=1\nC-d=2\n_e=3\nA=first\nA=last',
  ]
  for (const text of texts) t.same(read(text), { values: { ...parseEnv(text) }, unreadable: [] }, text)
})
