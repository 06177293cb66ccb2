import { restrictedObjects } from '../model/access.js'
import { columnsOfField } from '../model/columns-read.js'
import { boundBy } from '../model/restrict.js'
import type { ModelAccess, SemanticModel } from '../model/semantic-model.js'
import { clockAt, relativeDay } from '../resolve/clock.js'
import { dateText } from '../resolve/time.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { textTable } from './output/text-table.js'
import { writeAnswer } from './output/write-answer.js'
import { questionFlags } from './question/question-flags.js'
import { readQuestion } from './question/read-question.js'
import { type NamedPrincipal, principalAs } from './target/asking-as.js'
import { targetFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = { ...targetFlags, ...questionFlags, json: { type: 'boolean' } } as const

/** `access MODEL --as WHO [QUESTION] [--json]`: which rules bind somebody, which of them each measure, and why not; then the answer that it gets. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const principal = principalAs(values.as, io, 'here')
  if (principal === undefined) throw new UsageError('access needs --as admin, --as NAME of API_KEYS_FILE, or --as JSON')
  return withTarget({ command: 'access', flags: values, positionals, io }, async (asked) => {
    const model = asked.local?.service.listModels(asked.local.sessionId, undefined)[0]?.model
    if (!model) throw new UsageError('access reads a model file: a server does not show its rules')
    const found = accessOf(model, principal, new Date())
    io.stdout.write(values.json ? `${JSON.stringify(found, null, 2)}\n` : textOf(found))
    const isAsked = [values.query, values.sql, values.dimension, values.measure].some((given) => given !== undefined)
    if (isAsked) await writeAnswer({ question: await readQuestion('access', values, asked, io), format: 'table' }, asked, io)
    return 0
  })
}

interface Access {
  readonly principal: NamedPrincipal
  /** The attributes without which every question is refused. */
  readonly missing: readonly string[]
  readonly policies: readonly {
    readonly name: string
    readonly binds: boolean
    readonly why: string
    readonly removesFrom: readonly string[]
  }[]
  readonly measures: readonly { readonly name: string; readonly by: readonly string[]; readonly why: string }[]
  /** Fields that do not exist for it. */
  readonly hidden: readonly string[]
  readonly seesSql: boolean
}

/** What access rules are for a principal. */
function accessOf(model: SemanticModel, principal: NamedPrincipal, now: Date): Access {
  const { access } = model
  const { name, roles = [], attributes = {} } = principal
  if (!access) return { principal, missing: [], policies: [], measures: [], hidden: [], seesSql: true }
  const { queryTimezone = 'UTC', weekStart } = model.settings
  const clock = clockAt(now, queryTimezone, weekStart)
  const bound = boundBy(access, { name, roles, attributes }, (day) => dateText(relativeDay(day, clock)))
  const policies = access.rows.map((policy) => {
    const exempt = policy.unless.find((role) => roles.includes(role))
    const why = exempt === undefined ? 'no role of its unless' : `its unless names the role ${exempt}`
    return { name: policy.name, binds: exempt === undefined, why, removesFrom: [...restrictedObjects(model, [policy])] }
  })
  const measures = [...model.measures.keys()].map((measure) => ({
    name: measure,
    ...boundMeasure(measure, policies, { model, access }),
  }))
  const { objects, columns, fields, segments } = bound.hidden
  const hidden = [...objects, ...[...columns].map((key) => key.replace('\0', '.')), ...fields, ...segments]
  return { principal, missing: bound.missing, policies, measures, hidden, seesSql: !bound.withholdsSql }
}

interface Ground {
  readonly model: SemanticModel
  readonly access: ModelAccess
}

/** The policies that remove rows of a measure, and why there is none. */
function boundMeasure(
  measure: string,
  policies: Access['policies'],
  { model, access }: Ground,
): Omit<Access['measures'][number], 'name'> {
  const counted = model.measures.get(measure)?.rowCountOf
  const objects = new Set([
    ...columnsOfField(measure, model).map(({ object }) => object),
    ...(counted === undefined ? [] : [counted]),
  ])
  const near = policies.filter(({ removesFrom }) => removesFrom.some((object) => objects.has(object)))
  const by = near.filter(({ binds }) => binds).map(({ name }) => name)
  if (by.length > 0) return { by, why: '' }
  const exempt = near.map(({ name, why }) => `${name}: ${why}`)
  if (exempt.length > 0) return { by, why: exempt.join('; ') }
  const unbound = [...objects].filter((object) => access.unbound.includes(object))
  const from = [...objects].join(', ')
  return { by, why: unbound.length > 0 ? `unbound names ${unbound.join(', ')}` : `no policy removes rows of ${from || 'it'}` }
}

function textOf({ principal, missing, policies, measures, hidden, seesSql }: Access): string {
  const { name, roles = [], attributes = {} } = principal
  const who = `${name}: roles ${roles.join(', ') || 'none'}; attributes ${JSON.stringify(attributes)}; ${seesSql ? 'sees SQL' : 'SQL is withheld'}\n`
  const lacks =
    missing.length > 0
      ? `Every question is refused: it has no value, or none of the declared type, of ${missing.join(', ')}\n`
      : ''
  const rules = policies.map((policy) => [policy.name, policy.binds ? 'yes' : 'no', policy.why, policy.removesFrom.join(', ')])
  const numbers = measures.map((measure) => [measure.name, measure.by.join(', '), measure.why])
  return [
    who + lacks,
    textTable(
      ['policy', 'binds', 'why', 'removes rows of'].map((column) => ({ name: column })),
      rules,
    ),
    textTable(
      ['measure', 'bound by', 'why not'].map((column) => ({ name: column })),
      numbers,
    ),
    ...(hidden.length > 0 ? [`Hidden: ${hidden.join(', ')}\n`] : []),
  ].join('\n')
}
