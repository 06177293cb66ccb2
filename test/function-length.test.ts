/**
 * A function of production code has at most 80 lines: a longer one has parts without names. Tables of data are no functions.
 */
import t from 'tap'
import { sourcesBelow, syntaxIn, syntaxOf } from './syntax.js'

const MOST_LINES = 80

t.test('functions are found with their names and lines', (t) => {
  const text =
    'export function a() {\n  const b = () => {\n    return 1\n  }\n  return b\n}\nexport const c = once(() => {\n\n})\nclass D {\n  e() {\n  }\n}'
  t.same(syntaxIn('example.ts', text).functions, [
    { name: 'a', lines: 6 },
    { name: 'b', lines: 3 },
    { name: 'c', lines: 3 },
    { name: 'e', lines: 2 },
  ])
  t.end()
})

t.test(`no function has more than ${MOST_LINES} lines`, (t) => {
  const long = ['core/src', 'packages', 'plugins']
    .flatMap(sourcesBelow)
    .flatMap((file) => syntaxOf(file).functions.map((each) => ({ file, ...each })))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ file, name, lines }) => [`${file} ${name}` as string, lines] as const)
  t.same(long, [], 'split the function into parts with names')
  t.end()
})
