/** What a block reads as short texts, so that a test shows its meaning. A relation is named by the object at the end of its path. */
import type { BoundJoin, BoundRows } from '../../core/src/bind/bound-block.js'
import type { ReadColumn, ReadExpr } from '../../core/src/bind/read-column.js'
import { BOOLEAN, formatDataType } from '../../core/src/model/data-type.js'
import { type Expr, mapLeaves } from '../../core/src/model/expression/ast.js'
import { originOf } from '../../core/src/relation/relation.js'
import { type RelationColumn, relationColumn } from '../../core/src/resolve/relation-column.js'
import type { MetricStep, WhereLeaf } from '../../core/src/resolve/resolved-query.js'
import { conditionOf, type RowTerm } from '../../core/src/resolve/row-terms.js'

export function said(expression: ReadExpr): string {
  switch (expression.kind) {
    case 'column':
      return expression.table === '' ? expression.name : `${placeOf(expression.table)}.${expression.name}`
    case 'found':
      return `found(${expression.label.to})`
    case 'period-end':
      return `${expression.end} of ${expression.label.to}`
    case 'of-bridge':
      return `${expression.node}[${said(expression.value)}]`
    case 'literal':
      return typeof expression.value === 'string' ? `'${expression.value}'` : String(expression.value)
    case 'parameter':
      return `:${expression.name}`
    case 'unary':
      return saidUnary(expression.operator, expression.operand)
    case 'binary':
      return `(${said(expression.left)} ${expression.operator} ${said(expression.right)})`
    case 'call':
      return `${expression.name}(${expression.args.map(said).join(', ')})`
    case 'case':
      return `case ${expression.branches.map(({ when, then }) => `${said(when)}: ${said(then)}`).join(', ')}${expression.otherwise ? `, else ${said(expression.otherwise)}` : ''}`
    case 'cast':
      return `${said(expression.operand)}::${formatDataType(expression.type)}`
    case 'in':
      return `${said(expression.operand)} in (${expression.list.map(said).join(', ')})`
    case 'like':
      return `${said(expression.operand)} like ${said(expression.pattern)}`
    case 'is-null':
      return `${said(expression.operand)} is null`
  }
}

const saidUnary = (operator: string, operand: ReadExpr): string =>
  operand.kind === 'is-null' && operator === 'not' ? `${said(operand.operand)} is not null` : `${operator} ${said(operand)}`

/** The object at the end of the path, or the own name of a derived relation. */
function placeOf(table: string): string {
  const origin = originOf(table)
  switch (origin.kind) {
    case 'path':
      return origin.steps.at(-1)?.to ?? origin.root
    case 'measured':
      return origin.column
    case 'made':
      return `${origin.of}${origin.suffix}`
    case 'named':
      return origin.name
  }
}

export const saidTerms = (on: readonly RowTerm<ReadColumn>[]): string => {
  const condition = conditionOf(on)
  return condition ? said(condition) : ''
}

/** The joins of rows, one line each. */
export const saidJoins = ({ joins }: BoundRows): readonly string[] => joins.map(saidJoin)

export const saidJoin = ({ type, right, on }: BoundJoin): string =>
  `${type} ${right.kind === 'scan' ? right.object : right.kind} on ${saidTerms(on)}`

/** Like `Rank = rank() per Region where Region is not null`. */
export function saidStep(step: MetricStep): string {
  if (step.kind === 'expression') return `${step.name} = ${said(step.expression)}`
  const per = step.partitionBy.length > 0 ? ` per ${step.partitionBy.map(said).join(', ')}` : ''
  return `${step.name} = ${step.function}(${step.args.map(said).join(', ')})${per}${step.where ? ` where ${said(step.where)}` : ''}`
}

/** A condition of a query before it is bound: a field by its name. */
export const saidWhere = (expression: Expr<WhereLeaf>): string =>
  said(
    mapLeaves<WhereLeaf, RelationColumn>(expression, (leaf) => {
      if (leaf.kind === 'where-field') return relationColumn('', leaf.name, leaf.type)
      return relationColumn('', leaf.kind === 'where-exists' ? `row of ${leaf.target}` : `${leaf.end} day`, BOOLEAN)
    }),
  )
