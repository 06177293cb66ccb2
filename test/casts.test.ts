/**
 * Places that overrule the compiler: `as` (except `as const`) and the `!` that removes `undefined`. They are counted on the syntax tree,
 * per 1,000 lines of code that is not a test. A number may only decrease: lower the limit with it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import t from 'tap'

const CEILINGS = {
  'core/src': { casts: 3.9, assertions: 5.9 },
  packages: { casts: 4.9, assertions: 10.7 },
  plugins: { casts: 3.4, assertions: 6.7 },
} as const

const root = path.resolve(import.meta.dirname, '..')

t.test('casts and assertions are distinguished from similar text', (t) => {
  const text = 'const a = b as C; const d = [1] as const; const e = f! + g!.h; const i = !j; import { k as l } from "m"'
  t.same(count('example.ts', text), { casts: 1, assertions: 2 })
  t.end()
})

for (const [folder, ceiling] of Object.entries(CEILINGS))
  t.test(`${folder} has no more casts and assertions than its limit`, (t) => {
    const texts = sources(folder).map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const)
    const counts = texts.map(([file, text]) => count(file, text))
    const thousands = texts.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0) / 1000
    for (const kind of ['casts', 'assertions'] as const) {
      const found = counts.reduce((sum, each) => sum + each[kind], 0) / thousands
      t.ok(found <= ceiling[kind], `${kind}: ${found.toFixed(2)} per 1,000 lines, ${ceiling[kind]} at most`)
    }
    t.end()
  })

function count(file: string, text: string): { readonly casts: number; readonly assertions: number } {
  let [casts, assertions] = [0, 0]
  const visitor = new Visitor({
    TSAsExpression({ typeAnnotation }) {
      if (text.slice(typeAnnotation.start, typeAnnotation.end) !== 'const') casts++
    },
    TSNonNullExpression() {
      assertions++
    },
  })
  visitor.visit(parseSync(file, text).program)
  return { casts, assertions }
}

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$|(^|\/)(node_modules|dist|test|testing)\//.test(file))
    .map((file) => path.posix.join(folder, file))
}
