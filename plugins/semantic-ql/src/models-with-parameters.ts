/** `FROM shop(currency => 'USD')`: a model with values of its parameters, as a separate relation. */
import type { GivenValue, ModelScope, NamedModel } from '@grainline/core/language'
import { isNumeric, type SqlParameter } from '@grainline/core/language'
import { constantOf } from './constants.js'
import {
  type A_Const,
  bodyOf,
  type FuncCall,
  locationOf,
  type Node,
  nodesIn,
  type RangeFunction,
  wordsOf,
} from './grammar/node.js'
import type { ParsedSql } from './grammar/parse-sql.js'
import { rewritten } from './grammar/rewrite.js'
import { mainName, modelOf } from './model-scope.js'
import { type Place, refuse } from './refusal.js'

interface Written<M extends NamedModel> {
  readonly statement: Node
  readonly scope: ModelScope<M>
}

interface Values {
  readonly sql: ParsedSql
  readonly parameters: readonly SqlParameter[]
}

/** The statement with each such call as a relation, and the scope with the models that these relations are. */
export function withModelParameters<M extends NamedModel>({ statement, scope }: Written<M>, values: Values): Written<M> {
  if (!nodesIn(statement).some((node) => 'RangeFunction' in node)) return { statement, scope }
  const models = new Map<string, M>()
  const changed = rewritten(statement, (node) => {
    const from = bodyOf(node, 'RangeFunction')
    const found = from && modelCall(from, scope)
    if (!found) return undefined
    const { model, call, relname } = found
    const given = givenIn(call, model, values)
    const name = `${mainName(model)}(${[...given].map(([key, value]) => `${key} => ${JSON.stringify(value)}`).join(', ')})`
    if (!models.has(name)) models.set(name, { ...model, names: [name], parameters: Object.fromEntries(given) })
    return {
      RangeVar: {
        relname: name,
        inh: true,
        relpersistence: 'p',
        alias: from.alias ?? { aliasname: relname },
        location: call.location ?? 0,
      },
    }
  })
  return models.size === 0
    ? { statement, scope }
    : { statement: changed, scope: { ...scope, models: [...scope.models, ...models.values()] } }
}

function modelCall<M extends NamedModel>({ functions, ordinality, lateral }: RangeFunction, scope: ModelScope<M>) {
  const call = bodyOf(bodyOf(functions?.[0], 'List')?.items?.[0], 'FuncCall')
  const words = wordsOf(call?.funcname)
  const [relname = '', schemaname] = words.toReversed()
  if (!call || functions?.length !== 1 || ordinality || lateral) return undefined
  const model = modelOf({ relname, ...(schemaname !== undefined && { schemaname }) }, scope)
  return model && { model, call, relname }
}

function givenIn({ args = [], location }: FuncCall, model: NamedModel, values: Values): ReadonlyMap<string, GivenValue> {
  const given = new Map<string, GivenValue>()
  for (const arg of args) {
    const named = bodyOf(arg, 'NamedArgExpr')
    const at = values.sql.place(named?.location ?? locationOf(arg) ?? location)
    if (named?.name === undefined)
      return refuse('INVALID_QUERY', `A value of '${mainName(model)}' needs the name of its parameter`, {
        at,
        rewrite: `${mainName(model)}(${[...model.model.parameters.keys()].map((name) => `"${name}" => …`).join(', ')})`,
      })
    if (given.has(named.name)) refuse('INVALID_QUERY', `The parameter '${named.name}' is given twice`, { at })
    given.set(named.name, givenValue(named.arg, values, at))
  }
  return given
}

function givenValue(node: Node | undefined, values: Values, at: Place | undefined): GivenValue {
  const items = bodyOf(node, 'A_ArrayExpr')?.elements
  return items ? items.map((item) => itemOf(item, values, at)) : itemOf(node, values, at)
}

function itemOf(node: Node | undefined, values: Values, at: Place | undefined): string | number | boolean | null {
  const cast = bodyOf(node, 'TypeCast')
  if (cast) return itemOf(cast.arg, values, at)
  const constant = bodyOf(node, 'A_Const')
  if (constant) return plain(constant, at)
  const parameter = bodyOf(node, 'ParamRef')
  if (parameter) {
    const value = values.parameters[(parameter.number ?? 1) - 1]?.value
    return typeof value === 'bigint' ? String(value) : (value ?? null)
  }
  const sign = bodyOf(node, 'A_Expr')
  const number = sign && !sign.lexpr && wordsOf(sign.name)[0] === '-' ? bodyOf(sign.rexpr, 'A_Const') : undefined
  const negated = number && plain(number, at)
  if (negated !== undefined && negated !== null) return typeof negated === 'number' ? -negated : `-${negated}`
  return refuse('INVALID_PARAMETER_VALUE', 'The value of a parameter is a constant, ARRAY[…] of constants, or $1', { at })
}

/** Numbers that a double does not hold are texts. */
function plain(constant: A_Const, at: Place | undefined): string | number | boolean | null {
  const { value, type } = constantOf(constant, at)
  if (typeof value === 'bigint') return String(value)
  return isNumeric(type) && typeof value === 'string' && String(Number(value)) === value ? Number(value) : value
}
