import { isScalar, type Node, type Scalar } from 'yaml'
import { isQuoted } from './model-text.js'

/** A name written in place of a scalar: in its quotes, or plain if YAML reads it as the same text. */
export function writeLike(node: Scalar, name: string): string {
  if (node.type === 'QUOTE_SINGLE') return name.replaceAll("'", "''")
  if (isQuoted(node)) return JSON.stringify(name).slice(1, -1)
  return writeScalar(name)
}

/** A name in YAML: plain if that is safe in every context. */
export function writeScalar(name: string): string {
  const plain =
    /^[\p{L}_][\p{L}\p{N}_ ./%()+-]*$/u.test(name) && name.trim() === name && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(name)
  return plain ? name : `'${name.replaceAll("'", "''")}'`
}

/** A name inside an expression, escaped for the quotes of the expression. */
export function writeWithin(node: Node | null, name: string): string {
  return isScalar(node) && isQuoted(node) ? writeLike(node, name) : name
}
