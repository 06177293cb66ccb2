import type { IntrospectedColumn, IntrospectedForeignKey, IntrospectedTable } from '../execute/introspection.js'
import { formatDataType, isNumeric, parseDataType } from '../model/data-type.js'

/**
 * A model document of what a database says of itself: an object for each table, a join for each foreign key, a dimension for each text,
 * date and truth value, a sum for each number that is no key. It validates; what the numbers mean is for its author to say.
 */
export function firstModel(name: string, tables: readonly IntrospectedTable[]): object {
  const objects = named(tables)
  const joins = new Joins(objects)
  const dataObjects: Record<string, object> = {}
  const dimensions: Record<string, object> = {}
  const measures: Record<string, object> = {}
  for (const [label, table] of objects) {
    const columns = columnLabels(table)
    const keys = new Set([...table.primaryKey, ...table.foreignKeys.flatMap((key) => key.columns)])
    dataObjects[label] = dataObject(table, columns, joins.of(label, table))
    for (const [columnLabel, column] of columns) {
      const type = parseDataType(column.sqlType)
      if (type === undefined || type.kind === 'json' || type.kind === 'time' || keys.has(column.name)) continue
      const field = { dataObject: label, column: columnLabel }
      if (isNumeric(type)) measures[`${label} ${columnLabel}`] = { columns: [field], aggregation: 'sum' }
      else dimensions[`${label} ${columnLabel}`] = field
    }
  }
  return { version: 1, name, dataObjects, dimensions, measures }
}

type Labelled = ReadonlyMap<string, IntrospectedTable>

/** Tables by a readable name; those of one name in several schemas have the schema before it. */
function named(tables: readonly IntrospectedTable[]): Labelled {
  const labels = new Map<string, IntrospectedTable>()
  for (const table of tables) {
    const plain = readable(table.name)
    const shared = tables.some((other) => other !== table && readable(other.name).toLowerCase() === plain.toLowerCase())
    labels.set(unused(shared && table.schema ? `${readable(table.schema)} ${plain}` : plain, labels), table)
  }
  return labels
}

function columnLabels({ columns }: IntrospectedTable): ReadonlyMap<string, IntrospectedColumn> {
  const labels = new Map<string, IntrospectedColumn>()
  for (const column of columns) labels.set(unused(readable(column.name), labels), column)
  return labels
}

function dataObject(
  table: IntrospectedTable,
  columns: ReadonlyMap<string, IntrospectedColumn>,
  joins: readonly object[],
): object {
  const { database, schema, name, comment, primaryKey } = table
  const described = [...columns].map(([label, column]) => {
    const type = parseDataType(column.sqlType)
    const shown = {
      code: column.name,
      // What the model has no type for is text.
      abstractType: type === undefined ? 'string' : type.kind === 'decimal' ? 'float' : type.kind,
      ...(type?.kind === 'decimal' && { sqlType: formatDataType(type) }),
      ...(primaryKey.includes(column.name) && { primaryKey: true }),
      ...(column.comment !== undefined && { description: column.comment }),
    }
    return [label, shown] as const
  })
  return {
    code: name,
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    ...(comment !== undefined && { description: comment }),
    columns: Object.fromEntries(described),
    ...(joins.length > 0 && { joins }),
  }
}

/** Joins of foreign keys: the first to a table is the way there, others have a name; what would close a circle does too. */
class Joins {
  readonly #ways = new Map<string, Set<string>>()

  constructor(private readonly objects: Labelled) {}

  of(from: string, table: IntrospectedTable): object[] {
    return table.foreignKeys.flatMap((key) => {
      const target = [...this.objects].find(([, t]) => t.name === key.target.name && (key.target.schema ?? t.schema) === t.schema)
      return target === undefined || target[0] === from ? [] : [this.#join(from, table, key, target)]
    })
  }

  #join(
    from: string,
    table: IntrospectedTable,
    key: IntrospectedForeignKey,
    [to, target]: readonly [string, IntrospectedTable],
  ): object {
    const secondary = this.#reaches(from, to, true) || this.#reaches(to, from)
    if (!secondary) this.#ways.set(from, new Set([...(this.#ways.get(from) ?? []), to]))
    return {
      joinType: 'many-to-one',
      joinTo: to,
      columnsFrom: key.columns.map((column) => labelOf(table, column)),
      columnsTo: key.targetColumns.map((column) => labelOf(target, column)),
      ...(secondary && { secondary: true, pathName: key.columns.join('_') }),
    }
  }

  #reaches(from: string, to: string, directly = false, seen = new Set<string>()): boolean {
    const next = this.#ways.get(from) ?? new Set<string>()
    if (from === to || next.has(to)) return true
    if (directly || seen.has(from)) return false
    seen.add(from)
    return [...next].some((step) => this.#reaches(step, to, false, seen))
  }
}

const labelOf = (table: IntrospectedTable, column: string): string =>
  [...columnLabels(table)].find(([, { name }]) => name === column)?.[0] ?? column

/** `order_items` → `Order Items`. */
const readable = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[\s_.:{}[\]]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ') || 'Unnamed'

function unused(label: string, taken: ReadonlyMap<string, unknown>): string {
  const lower = new Set([...taken.keys()].map((name) => name.toLowerCase()))
  let free = label
  for (let i = 2; lower.has(free.toLowerCase()); i++) free = `${label} ${i}`
  return free
}
