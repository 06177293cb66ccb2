/** An expression of OData (Part 2, 5.1.1), as written. Names are those of the metadata document. */
export type Expression =
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] }
  /** All of its operands, so that a long list of conditions is no deep tree. */
  | { readonly kind: 'logic'; readonly operator: Logical; readonly operands: readonly Expression[] }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not' | 'minus'; readonly operand: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly list: readonly Literal[] }

export type BinaryOperator = Comparison | Arithmetic
type Logical = 'and' | 'or'
export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'
export type Arithmetic = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod'

/** A value as text without its quotes, so that every digit is kept. */
export type Literal =
  | { readonly type: 'null' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'string' | 'int' | 'decimal' | 'float' | 'date' | 'time' | 'instant'; readonly value: string }
