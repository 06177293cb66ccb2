import { intervalZone } from '../session/time-zone.js'
import { refuse } from '../wire/pg-error.js'
import { type Body, bodyOf, constantOf, type Node } from './node.js'
import type { Modes, Statement } from './statement.js'

export function readSet(body: Body<'VariableSetStmt'>): Statement {
  const name = body.name ?? ''
  const local = body.is_local === true
  switch (body.kind) {
    case 'VAR_SET_VALUE':
      return { kind: 'set', name, value: settingValue(name, body.args ?? []), local }
    case 'VAR_SET_MULTI':
      return readMulti(body)
    case 'VAR_RESET_ALL':
      return { kind: 'reset', name: undefined, tag: 'RESET' }
    case 'VAR_SET_DEFAULT':
      return { kind: 'reset', name, tag: 'SET' }
    case 'VAR_RESET':
      return { kind: 'reset', name, tag: 'RESET' }
    default:
      return refuse('0A000', `SET ${name} FROM CURRENT is not supported`)
  }
}

/** Reads SET TRANSACTION and SET SESSION CHARACTERISTICS. */
function readMulti({ name = '', args }: Body<'VariableSetStmt'>): Statement {
  if (name === 'TRANSACTION SNAPSHOT') return { kind: 'nothing', tag: 'SET' }
  const session = name === 'SESSION CHARACTERISTICS'
  return { kind: 'set-modes', session, modes: modesOf(args, session ? 'default_transaction' : 'transaction') }
}

/** The modes of a transaction as settings. */
export function modesOf(options: readonly Node[] | undefined, prefix: 'transaction' | 'default_transaction'): Modes {
  return (options ?? []).map((option) => {
    const mode = bodyOf(option, 'DefElem')
    const value = constantOf(mode?.arg) ?? ''
    const name = mode?.defname?.replace('transaction', prefix) ?? ''
    return [name, name.endsWith('isolation') ? value : truthOf(value)] as const
  })
}

const truthOf = (value: string): string => (value === '1' || value === 'on' || value === 'true' ? 'on' : 'off')

/** The names of a search path are quoted, so that a client can set the value that SHOW returns. */
function settingValue(name: string, args: readonly Node[]): string {
  if (name.toLowerCase() === 'timezone' && isInterval(args[0])) return intervalZone(constantOf(args[0]) ?? '') ?? ''
  const values = args.map((arg) => constantOf(arg) ?? '')
  return name.toLowerCase() === 'search_path' && args.length > 1 ? values.map(quoted).join(', ') : values.join(', ')
}

const isInterval = (node: Node | undefined): boolean =>
  bodyOf(bodyOf(node, 'TypeCast')?.typeName?.names?.at(-1), 'String')?.sval === 'interval'

const quoted = (word: string): string => (/^[a-z_][a-z0-9_$]*$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`)
