/**
 * A function of production code has at most 80 lines: a longer one has parts without names. Tables of data are no functions.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import t from 'tap'

const MOST_LINES = 80

const root = path.resolve(import.meta.dirname, '..')

interface ParsedFunction {
  readonly start: number
  readonly end: number
  readonly body?: object | null
}

interface Found {
  readonly name: string
  readonly lines: number
}

t.test('functions are found with their names and lines', (t) => {
  const text =
    'export function a() {\n  const b = () => {\n    return 1\n  }\n  return b\n}\nexport const c = once(() => {\n\n})\nclass D {\n  e() {\n  }\n}'
  t.same(functionsOf('example.ts', text), [
    { name: 'a', lines: 6 },
    { name: 'b', lines: 3 },
    { name: 'c', lines: 3 },
    { name: 'e', lines: 2 },
  ])
  t.end()
})

t.test(`no function has more than ${MOST_LINES} lines`, (t) => {
  const long = ['core/src', 'packages', 'plugins']
    .flatMap(sources)
    .flatMap((file) => functionsOf(file, readFileSync(path.join(root, file), 'utf8')).map((each) => ({ file, ...each })))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ file, name, lines }) => [`${file} ${name}` as string, lines] as const)
  t.same(long, [], 'split the function into parts with names')
  t.end()
})

/** Functions by the place of their first line; one that is passed to another is named after the constant. */
function functionsOf(file: string, text: string): Found[] {
  const found: { readonly start: number; readonly name: string; readonly lines: number }[] = []
  const constants: { readonly start: number; readonly end: number; readonly name: string }[] = []
  const add = ({ start, end, body }: ParsedFunction, own?: string) => {
    if (!body) return
    const constant = constants.findLast((each) => each.start <= start && each.end >= end)
    found.push({ start, name: own ?? constant?.name ?? '', lines: text.slice(start, end).split('\n').length })
  }
  const visitor = new Visitor({
    VariableDeclarator: ({ id, start, end }) => constants.push({ start, end, name: text.slice(id.start, id.end) }),
    MethodDefinition: ({ key, start, end }) => constants.push({ start, end, name: text.slice(key.start, key.end) }),
    FunctionDeclaration: (node) => add(node, node.id?.name),
    FunctionExpression: (node) => add(node, node.id?.name),
    ArrowFunctionExpression: (node) => add(node),
  })
  visitor.visit(parseSync(file, text).program)
  return found.sort((a, b) => a.start - b.start).map(({ name, lines }) => ({ name, lines }))
}

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$|(^|\/)(node_modules|dist|test|testing)\//.test(file))
    .map((file) => path.posix.join(folder, file))
}
