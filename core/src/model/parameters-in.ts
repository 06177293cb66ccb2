/** The parameters that parts of a model read, through everything that they are computed from. */
import { type ColumnRef, type Expr, leavesOf, someNode } from './expression/ast.js'
import { isReference } from './parameter.js'
import type { DataObject, ModelCondition, WindowSource } from './semantic-model.js'

type Objects = ReadonlyMap<string, Pick<DataObject, 'columns'>>
interface Read {
  readonly names: Set<string>
  /** `object\0column`, so that each column is followed once. */
  readonly columns: Set<string>
}

/** The names of the parameters that an expression over columns reads, and the columns that it is computed from. */
export const parametersIn = (expression: Expr<ColumnRef>, objects: Objects, read: Read = nothing()): ReadonlySet<string> => {
  addNames(expression, read.names)
  for (const { object, column } of leavesOf<ColumnRef>(expression)) followColumn(object, column, objects, read)
  return read.names
}

/** The parameters of a column; none if it is stored. */
export function parametersInColumn(object: string, column: string, objects: Objects): ReadonlySet<string> {
  const read = nothing()
  followColumn(object, column, objects, read)
  return read.names
}

export function parametersInCondition(condition: ModelCondition, objects: Objects, read: Read = nothing()): ReadonlySet<string> {
  switch (condition.kind) {
    case 'expression':
      return parametersIn(condition.expression, objects, read)
    case 'exists':
    case 'group':
      for (const member of condition.filters) parametersInCondition(member, objects, read)
      return read.names
    case 'leaf':
      for (const value of condition.values) if (isReference(value)) read.names.add(value.parameter)
      return parametersIn(condition.column, objects, read)
  }
}

/** The parameters that an expression names itself, whatever its leaves are. */
export function addNames<L extends { readonly kind: string }>(expression: Expr<L>, names: Set<string>): void {
  someNode<L>(expression, (node) => {
    if (isParameter(node)) names.add(node.name)
    return false
  })
}

const isParameter = (node: { readonly kind: string }): node is { readonly kind: 'parameter'; readonly name: string } =>
  node.kind === 'parameter'

const nothing = (): Read => ({ names: new Set(), columns: new Set() })

function followColumn(object: string, column: string, objects: Objects, read: Read): void {
  const key = `${object}\0${column}`
  if (read.columns.has(key)) return
  read.columns.add(key)
  const source = objects.get(object)?.columns.get(column)?.source
  if (source?.kind === 'expression') parametersIn(source.expression, objects, read)
  if (source?.kind === 'window') parametersInWindow(source, objects, read)
  if (source?.kind === 'exists') for (const filter of source.filters) parametersInCondition(filter, objects, read)
  if (source?.kind === 'measure') for (const name of source.parameters) read.names.add(name)
}

function parametersInWindow({ partitionBy, orderBy, column, filters }: WindowSource, objects: Objects, read: Read): void {
  for (const ref of [...partitionBy, ...orderBy, ...(column ? [column] : [])]) parametersIn(ref, objects, read)
  for (const filter of filters) parametersInCondition(filter, objects, read)
}
