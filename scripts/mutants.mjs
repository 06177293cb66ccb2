// Small faults of a source text, all in one program: MUTANT, or `globalThis.__mutant`, is the number of the one that acts.
import { parseSync, Visitor } from 'oxc-parser'
import { applied, rangesOfTypes } from './source-edits.mjs'

const COMPARISONS = new Set(['===', '!==', '<', '<=', '>', '>=', 'in', 'instanceof'])
const ARITHMETIC = new Set(['+', '-', '*'])
const QUANTIFIERS = { some: 'every', every: 'some' }

/**
 * What the program calls: the number of a mutant, and the values around it. Operands of `&&`, `||` and `??` stay lazy. With `MUTANTS_REACHED`, no mutant acts, and
 * `__reached` collects the numbers of those that the program meets.
 */
export const RUNTIME = `
globalThis.__mutant ??= Number(process.env.MUTANT ?? -1);
globalThis.__reached ??= new Set();
globalThis.__acts ??= process.env.MUTANTS_REACHED === undefined
  ? (n) => n === globalThis.__mutant
  : (n) => { globalThis.__reached.add(n); return false };
globalThis.__not ??= (n, value) => __acts(n) ? !value : value;
globalThis.__sum ??= (n, sign, a, b) => { const s = __acts(n) ? (sign === '+' ? '-' : '+') : sign; return s === '+' ? a + b : s === '-' ? a - b : a * b };
globalThis.__logic ??= (n, sign, a, b) => {
  if (sign === '??') return __acts(n) ? b() : a() ?? b();
  return (sign === '&&') !== __acts(n) ? a() && b() : a() || b() };
globalThis.__method ??= (n, name, other) => __acts(n) ? other : name;
globalThis.__filter ??= (n, keep) => __acts(n) ? () => true : keep;
`

/** The text with its mutants, numbered from `first`. */
export function mutated(file, text, first) {
  const { program } = parseSync(file, text)
  const types = rangesOfTypes(program)
  const edits = []
  const mutants = []
  const taken = new Set()
  const line = (at) => text.slice(0, at).split('\n').length
  const number = (node, kind) => {
    mutants.push({
      file,
      line: line(node.start),
      kind,
      text: text.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, 90),
    })
    return first + mutants.length - 1
  }
  const usable = (node) =>
    !types.some(([from, to]) => node.start >= from && node.end <= to) &&
    !/\b(await|yield)\b/.test(text.slice(node.start, node.end))
  const around = (node, before, after) => {
    edits.push(
      { at: node.start, text: before, side: 1, size: node.end - node.start },
      { at: node.end, text: after, side: 0, size: node.end - node.start },
    )
  }
  const negate = (node, kind) => {
    if (!usable(node) || taken.has(node.start * 1e7 + node.end)) return
    taken.add(node.start * 1e7 + node.end)
    around(node, `__not(${number(node, kind)},(`, '))')
  }
  const test = (node) => {
    const inner = node.type === 'ParenthesizedExpression' ? node.expression : node
    const isMutatedItself =
      (inner.type === 'BinaryExpression' && COMPARISONS.has(inner.operator)) ||
      inner.type === 'LogicalExpression' ||
      (inner.type === 'UnaryExpression' && inner.operator === '!')
    if (!isMutatedItself) negate(node, 'condition')
  }
  const between = (left, right, separator) =>
    edits.push({ at: left.end, until: right.start, text: separator, side: 0.5, size: 0 })
  new Visitor({
    BinaryExpression(node) {
      if (COMPARISONS.has(node.operator)) negate(node, node.operator)
      else if (ARITHMETIC.has(node.operator) && usable(node) && !/['"`]/.test(text.slice(node.start, node.end))) {
        around(node, `__sum(${number(node, node.operator)},'${node.operator}',(`, '))')
        between(node.left, node.right, '),(')
      }
    },
    LogicalExpression(node) {
      if (!usable(node)) return
      around(node, `__logic(${number(node, node.operator)},'${node.operator}',()=>(`, '))')
      between(node.left, node.right, '),()=>(')
    },
    UnaryExpression(node) {
      if (node.operator === '!') negate(node, '!')
    },
    IfStatement: (node) => test(node.test),
    ConditionalExpression: (node) => test(node.test),
    CallExpression(node) {
      const { callee, arguments: args } = node
      if (callee.type !== 'MemberExpression' || callee.computed || callee.optional || !usable(node)) return
      const { name } = callee.property
      if (Object.hasOwn(QUANTIFIERS, name)) {
        edits.push({
          at: callee.object.end,
          until: callee.property.end,
          text: `[__method(${number(node, name)},'${name}','${QUANTIFIERS[name]}')]`,
          side: 0.5,
          size: 0,
        })
      } else if (name === 'filter' && args.length === 1 && args[0].type !== 'SpreadElement')
        around(args[0], `__filter(${number(node, 'filter')},(`, '))')
    },
  }).visit(program)
  return { text: applied(text, edits), mutants }
}
