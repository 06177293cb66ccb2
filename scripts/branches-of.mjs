// The branches of the compiler's sources: each notes, when it is taken, that it was (docs/how-it-is-tested.md).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { filesBelow } from '../test/groups.mjs'
import { applied, rangesOfTypes } from './source-edits.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const FOLDERS = ['core/src/resolve', 'core/src/bind', 'core/src/plan', 'core/src/sql/rules']

const texts = new Map()
/** All branches; their numbers are their places. */
export const branches = []
for (const file of FOLDERS.flatMap(filesBelow).filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts'))) {
  const { text, more } = withBranches(file, readFileSync(path.join(root, file), 'utf8'), branches.length)
  texts.set(file, text)
  branches.push(...more)
}

/** What each bundle begins with. At its end, a process or thread writes the numbers of the branches that it took into the folder BRANCHES_TAKEN. */
export const RUNTIME = `
if (!globalThis.__take) {
  const taken = new Uint8Array(${branches.length});
  globalThis.__taken = taken;
  globalThis.__take = (n) => { taken[n] = 1 };
  globalThis.__either = (n, value) => { taken[value ? n : n + 1] = 1; return value };
  if (process.env.BRANCHES_TAKEN) {
  const { threadId } = process.getBuiltinModule('node:worker_threads');
  const file = process.env.BRANCHES_TAKEN + '/' + process.pid + '-' + threadId + '.json';
  const numbers = () => [...taken].flatMap((is, n) => (is ? [n] : []));
  process.on('exit', () => process.getBuiltinModule('node:fs').writeFileSync(file, JSON.stringify(numbers())));
  }
}
`

/** The text of a file that notes its branches; `undefined` for other files. */
export const noting = (file) => texts.get(file)

/** The text with its branches, numbered from `first`: both ways of a condition, the second operand of `&&`, `||` and `??`, each default and each case. */
function withBranches(file, text, first) {
  const { program } = parseSync(file, text)
  const types = rangesOfTypes(program)
  const [edits, more] = [[], []]
  const add = (node, kind) => {
    const line = text.slice(0, node.start).split('\n').length
    const said = text.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, 90)
    more.push({ file, line, kind, text: said })
    return first + more.length - 1
  }
  const isOfType = ({ start, end }) => types.some(([from, to]) => start >= from && end <= to)
  const around = (node, before, after) => {
    const size = node.end - node.start
    edits.push({ at: node.start, text: before, side: 1, size }, { at: node.end, text: after, side: 0, size })
  }
  const either = ({ test }) => {
    if (!test) return
    const number = add(test, 'yes')
    add(test, 'no')
    around(test, `__either(${number},(`, '))')
  }
  const taken = (node, whole, kind) => around(node, `(__take(${add(whole, kind)}),`, ')')
  new Visitor({
    IfStatement: either,
    ConditionalExpression: either,
    WhileStatement: either,
    LogicalExpression: (node) => taken(node.right, node, node.operator),
    AssignmentPattern: (node) => {
      if (!isOfType(node)) taken(node.right, node, '=')
    },
    SwitchCase(node) {
      const colon = text.indexOf(':', node.test ? node.test.end : node.start)
      edits.push({
        at: colon + 1,
        text: `__take(${add(node.test ?? { start: node.start, end: colon }, 'case')});`,
        side: 0.5,
        size: 0,
      })
    },
  }).visit(program)
  return { text: applied(text, edits), more }
}
