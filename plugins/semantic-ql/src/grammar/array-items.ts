/** The items of an array in the forms of the grammar and of drivers: `ARRAY[…]`, `'{…}'`, or a parameter, each possibly with a cast. */
import type { SqlParameter } from '@grainline/core/language'
import { bodyOf, type Node } from './node.js'

/** Each item as a constant or expression; `undefined` for a node that is not an array. */
export function arrayItems(node: Node | undefined, parameters: readonly SqlParameter[]): readonly Node[] | undefined {
  const cast = bodyOf(node, 'TypeCast')
  if (cast) return cast.typeName?.arrayBounds ? arrayItems(cast.arg, parameters) : undefined
  const written = bodyOf(node, 'A_ArrayExpr')
  if (written) return written.elements ?? []
  const parameter = bodyOf(node, 'ParamRef')
  const text = parameter ? parameters[(parameter.number ?? 0) - 1]?.value : bodyOf(node, 'A_Const')?.sval?.sval
  return typeof text === 'string' ? itemsOf(text) : undefined
}

/** Only one part matches blanks, so that a long run of them is read once. */
const ITEM = /(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^",{}]*))([,}])/gsy

/** The items of `{a,"b c",NULL}`; `undefined` for another text, and for arrays of arrays. */
function itemsOf(text: string): readonly Node[] | undefined {
  const trimmed = text.trim()
  if (/^\{\s*\}$/.test(trimmed)) return []
  if (!trimmed.startsWith('{')) return undefined
  const items: Node[] = []
  ITEM.lastIndex = 1
  for (let found = ITEM.exec(trimmed); found; found = ITEM.exec(trimmed)) {
    const [, quoted, unquoted = '', end] = found
    const bare = unquoted.trim()
    if (quoted === undefined && bare === '') return undefined
    items.push(quoted === undefined ? constant(bare, /^null$/i.test(bare)) : constant(quoted, false))
    if (end === '}') return ITEM.lastIndex === trimmed.length ? items : undefined
  }
  return undefined
}

/** A quoted text of SQL, which has no type yet. */
const constant = (text: string, isNull: boolean): Node => ({
  A_Const: isNull ? { isnull: true } : { sval: { sval: text.replace(/\\(.)/gs, '$1') } },
})
