/** What the tests of the house read from the syntax tree of a source: it is parsed once for all of them, which share a process. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { filesBelow } from './groups.mjs'

export interface Syntax {
  /** `as`, except `as const`. */
  readonly casts: number
  /** The `!` that removes `undefined`. */
  readonly assertions: number
  /** Functions with a body, by the place of their first line; one that is passed to another is named after the constant. */
  readonly functions: readonly { readonly name: string; readonly lines: number }[]
  readonly lines: number
}

interface ParsedFunction {
  readonly start: number
  readonly end: number
  readonly body?: object | null
}

const root = path.resolve(import.meta.dirname, '..')
const known = new Map<string, Syntax>()

/** Of a file, by its path from the root. */
export function syntaxOf(file: string): Syntax {
  const syntax = known.get(file) ?? syntaxIn(file, readFileSync(path.join(root, file), 'utf8'))
  known.set(file, syntax)
  return syntax
}

export function syntaxIn(file: string, text: string): Syntax {
  let [casts, assertions] = [0, 0]
  const found: { readonly start: number; readonly name: string; readonly lines: number }[] = []
  const constants: { readonly start: number; readonly end: number; readonly name: string }[] = []
  const add = ({ start, end, body }: ParsedFunction, own?: string) => {
    if (!body) return
    const constant = constants.findLast((each) => each.start <= start && each.end >= end)
    found.push({ start, name: own ?? constant?.name ?? '', lines: text.slice(start, end).split('\n').length })
  }
  const visitor = new Visitor({
    TSAsExpression({ typeAnnotation }) {
      if (text.slice(typeAnnotation.start, typeAnnotation.end) !== 'const') casts++
    },
    TSNonNullExpression() {
      assertions++
    },
    VariableDeclarator: ({ id, start, end }) => constants.push({ start, end, name: text.slice(id.start, id.end) }),
    MethodDefinition: ({ key, start, end }) => constants.push({ start, end, name: text.slice(key.start, key.end) }),
    FunctionDeclaration: (node) => add(node, node.id?.name),
    FunctionExpression: (node) => add(node, node.id?.name),
    ArrowFunctionExpression: (node) => add(node),
  })
  visitor.visit(parseSync(file, text).program)
  const functions = found.sort((a, b) => a.start - b.start).map(({ name, lines }) => ({ name, lines }))
  return { casts, assertions, functions, lines: text.split('\n').length - 1 }
}

/** The sources below a folder that are no tests. */
export const sourcesBelow = (folder: string): readonly string[] =>
  filesBelow(folder).filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$|\/(test|testing)\//.test(file))
