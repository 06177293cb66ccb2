import { refuse } from '../wire/pg-error.js'
import { after } from './clauses.js'
import type { Grammar } from './grammar.js'
import type { Body } from './node.js'
import { readSelect, type Source } from './select.js'
import type { DeclareStatement, FetchStatement } from './statement.js'

/** The option bits of a cursor (PostgreSQL, `parsenodes.h`). */
const BINARY = 0x0001
const HOLD = 0x0020

export function readDeclare(
  { portalname = '', options = 0, query }: Body<'DeclareCursorStmt'>,
  source: Source,
  grammar: Grammar,
): DeclareStatement {
  if (query === undefined) refuse('42601', 'DECLARE CURSOR needs a query')
  const text = after(source.source, grammar, 'for')
  return {
    kind: 'declare',
    name: portalname,
    hold: (options & HOLD) !== 0,
    binary: (options & BINARY) !== 0,
    query: readSelect(query!, { ...source, source: text }),
  }
}

const DIRECTIONS = {
  FETCH_FORWARD: 'forward',
  FETCH_BACKWARD: 'backward',
  FETCH_ABSOLUTE: 'absolute',
  FETCH_RELATIVE: 'relative',
} as const

export function readFetch({ portalname = '', ismove, direction, howMany }: Body<'FetchStmt'>): FetchStatement {
  const count = Number(howMany ?? 0)
  return {
    kind: 'fetch',
    name: portalname,
    move: ismove === true,
    direction: DIRECTIONS[direction ?? 'FETCH_FORWARD'],
    // In the tree, the largest 64-bit integer stands for ALL.
    count: count > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : count,
  }
}
