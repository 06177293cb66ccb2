/** `measure_per('Orders Count', 'Customers')`: a measure for each row of a data object, as a dimension that only this statement sees. */
import { GrainlineError } from '@grainline/core'
import { type Catalogue, type ModelScope, type NamedModel, withQueryColumns } from '@grainline/core/language'
import { bodyOf, columnNode, type FuncCall, functionName, type Node, nodesIn, wordsOf } from './grammar/node.js'
import type { ParsedSql } from './grammar/parse-sql.js'
import { quoted } from './grammar/quoted.js'
import { rewritten } from './grammar/rewrite.js'
import { type Place, refuse } from './refusal.js'

interface Written<M extends NamedModel> {
  readonly statement: Node
  readonly scope: ModelScope<M>
}

interface Rewritten<M extends NamedModel> extends Written<M> {
  /** Reads the statement; refusals then say what the author wrote in place of the names. */
  readonly reading: <T>(read: () => Promise<T>) => Promise<T>
}

type Column = NonNullable<NamedModel['columns']>[number]

const NAME = 'measure_per'

/** The statement with each such call as a name, and the scope with the models in which these names are dimensions. */
export function withMeasuresPerRow<M extends NamedModel>(
  { statement, scope }: Written<M>,
  { sql, ...catalogue }: Catalogue & { readonly sql: ParsedSql },
): Rewritten<M> {
  if (!nodesIn(statement).some((node) => isCall(bodyOf(node, 'FuncCall')))) return { statement, scope, reading: (read) => read() }
  const columns = new Map<string, Column & { readonly at: Place | undefined }>()
  const changed = rewritten(statement, (node) => {
    const call = bodyOf(node, 'FuncCall')
    if (!call || !isCall(call)) return undefined
    const at = sql.place(call.location)
    const [measure, per] = namesIn(call, at)
    const as = nameOf(measure, per, scope)
    columns.set(as, { measure, per, as, at })
    const named = columnNode(as)
    return { ColumnRef: { ...bodyOf(named, 'ColumnRef'), ...(call.location !== undefined && { location: call.location }) } }
  })
  const all = [...columns.values()]
  return { statement: changed, scope: scopeWith(all, scope, catalogue), reading: (read) => inItsWords(read, all) }
}

const isCall = (call: FuncCall | undefined): boolean => call !== undefined && functionName(call.funcname) === NAME

/** Two texts, or two names in double quotes. */
function namesIn({ args = [], over, agg_filter, agg_distinct }: FuncCall, at: Place | undefined): readonly [string, string] {
  const [measure, per] = args.map((arg) => {
    const words = wordsOf(bodyOf(arg, 'ColumnRef')?.fields)
    return bodyOf(arg, 'A_Const')?.sval?.sval ?? (words.length === 1 ? words[0] : undefined)
  })
  if (measure === undefined || per === undefined || args.length !== 2 || over || agg_filter || agg_distinct)
    return refuse('INVALID_QUERY', 'measure_per takes the name of a measure and that of a data object', {
      at,
      rewrite: "measure_per('Measure', 'Data Object')",
    })
  return [measure, per]
}

/** A name that no field of any model has. */
function nameOf(measure: string, per: string, { models }: ModelScope): string {
  const plain = `${measure} per ${per}`
  const isTaken = (name: string): boolean =>
    models.some(({ model: { dimensions, measures, metrics } }) => [dimensions, measures, metrics].some((all) => all.has(name)))
  let name = plain
  for (let n = 2; isTaken(name); n++) name = `${plain} ${n}`
  return name
}

/** The models that have these measures and objects. If none has, the statement is refused for the first fault. */
function scopeWith<M extends NamedModel>(
  columns: readonly (Column & { readonly at: Place | undefined })[],
  { models, chosen }: ModelScope<M>,
  catalogue: Catalogue,
): ModelScope<M> {
  const plain = columns.map(({ measure, per, as }) => ({ measure, per, as }))
  const faults: GrainlineError[] = []
  const made = new Map(
    models.map((named): [M, M] => {
      try {
        return [named, { ...named, model: withQueryColumns(named.model, plain, catalogue), columns: plain }]
      } catch (error) {
        if (!(error instanceof GrainlineError)) throw error
        faults.push(error)
        return [named, named]
      }
    }),
  )
  const [fault] = faults
  if (fault && faults.length === models.length) refuseFor(fault, columns)
  return { models: [...made.values()], chosen: chosen && (made.get(chosen) ?? chosen) }
}

function refuseFor(
  { code, message, path, details: { suggestions } }: GrainlineError,
  columns: readonly { readonly at: Place | undefined }[],
): never {
  const at = columns[Number(/^columns\[(\d+)\]/.exec(path ?? '')?.[1] ?? 0)]?.at
  return refuse(code, message, { at, ...(suggestions && { suggestions }) })
}

async function inItsWords<T>(read: () => Promise<T>, columns: readonly Column[]): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof GrainlineError)) throw error
    const { hint, ...details } = error.details
    const words = (text: string): string =>
      columns.reduce((of, { measure, per, as }) => {
        const call = `measure_per(${literal(measure)}, ${literal(per)})`
        return of.replaceAll(quoted(as), call).replaceAll(`'${as}'`, call)
      }, text)
    throw new GrainlineError(error.code, words(error.message), { ...details, ...(hint !== undefined && { hint: words(hint) }) })
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
