import { asDecimal, type DataType, FLOAT } from '../data-type.js'
import type { Expr, Literal } from './ast.js'
import { literalAs } from './literal-as.js'

/** A value as an expression of exactly this type; `undefined` if it is none of it. Numbers are cast, so that no engine derives another type from the digits. */
export function valueAs(value: Exclude<Literal['value'], null>, type: DataType): Expr<never> | undefined {
  const isText = typeof value === 'string'
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? { kind: 'literal', value, type } : undefined
    case 'int':
    case 'decimal':
    case 'float':
      return typeof value === 'boolean' ? undefined : numberAs(String(value), type)
    case 'string':
    case 'json':
      return isText ? { kind: 'literal', value, type } : undefined
    default: {
      const read = isText ? literalAs(value, type.kind) : undefined
      return read?.type.kind === type.kind ? read : undefined
    }
  }
}

function numberAs(text: string, type: DataType): Expr<never> | undefined {
  if (type.kind === 'float') {
    const isNumber = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    return isNumber ? { kind: 'literal', value: text, type: FLOAT } : undefined
  }
  const [, whole = '', part = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const { precision, scale } = asDecimal(type)
  const fits = whole !== '' && part.length <= scale && whole.replace(/^0+/, '').length <= precision - scale
  return fits && (type.kind !== 'int' || isLong(text))
    ? { kind: 'cast', operand: { kind: 'literal', value: text, type }, type }
    : undefined
}

const LONG = 2n ** 63n
const isLong = (digits: string): boolean => BigInt(digits) >= -LONG && BigInt(digits) < LONG
