/** The regular expressions in sources. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Literal {
  readonly expression: RegExp
  /** File and line. */
  readonly place: string
}

/** All TypeScript and JavaScript files below these folders, without tests. */
export const literalsIn = (root: string, folders: readonly string[]): Literal[] =>
  folders.flatMap((folder) => sources(path.join(root, folder))).flatMap((file) => literals(file, path.relative(root, file)))

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const full = path.join(folder, entry.name)
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sources(full)
      return /\.([cm]?[jt]s|tsx)$/.test(entry.name) && !/\.(test|d)\.ts$/.test(entry.name) ? [full] : []
    })
    .sort()

const SKIPPED = new Set(['node_modules', 'dist', 'image', 'test'])

function literals(file: string, name: string): Literal[] {
  const text = readFileSync(file, 'utf8')
  const found: Literal[] = []
  // The previous token tells whether a slash begins an expression or divides.
  let before = ''
  // Open braces; true for one of a template, after which its text continues.
  const open: boolean[] = []
  const read = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  for (let at = 0; at < text.length; ) {
    const expression = text[at] === '/' && !OPERAND.test(before) ? read(EXPRESSION, at) : null
    const ofTemplate = text[at] === '`' || (text[at] === '}' && open.pop() === true)
    const [token] = expression ?? (ofTemplate ? read(TEMPLATE, at) : read(TOKEN, at)) ?? ['']
    if (token === '') throw new Error(`${name}: cannot be read at ${text.slice(at, at + 40)}`)
    if (token.endsWith('{')) open.push(ofTemplate)
    if (expression) {
      const line = text.slice(0, at).split('\n').length
      found.push({ expression: new RegExp(expression[1]!, expression[2]), place: `${name}:${line}` })
    }
    if (!/^(\s|\/[/*])/.test(token) || expression) before = expression ? ')' : token
    at += token.length
  }
  return found
}

/** Blanks, comments, texts, words, and otherwise one character. */
const TOKEN = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[\w$]+|[\s\S]/y
/** The text of a template, from its beginning or from the end of a value, to its end or to the next value. */
const TEMPLATE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y
const EXPRESSION = /\/(?![/*])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y
/** After an operand a slash divides. */
const OPERAND = /^(?:(?!(?:return|typeof|case|of|in|void|await|yield|else)$)[\w$]+|[)\]]|.*['"`])$/s
