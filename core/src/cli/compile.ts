import type { Compiled, PlanNode } from '@grainline/client'
import { RULES, STAGES, type Stage } from '../compile.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { writeWarnings } from './output/write-answer.js'
import { questionFlags } from './question/question-flags.js'
import { type Question, readQuestion } from './question/read-question.js'
import { modelFlags } from './target/target-flags.js'
import { type Asked, withTarget } from './target/with-target.js'

export const flags = {
  ...modelFlags,
  ...questionFlags,
  explain: { type: 'boolean' },
  stage: { type: 'string' },
  without: { type: 'string', multiple: true },
} as const

/**
 * `compile [MODEL] QUESTION [--dialect NAME] [--explain | --stage STAGE] [--without RULE]…`: the SQL; with `--explain` how it came about, as comments
 * before it; with `--stage` what the question is at that stage, as JSON; with `--without` as if the compiler had no such rule for speed.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const stage = stageOf(values.stage)
  const without = rulesOf(values.without ?? [])
  return withTarget({ command: 'compile', flags: values, positionals, io }, async (asked) => {
    const question = await readQuestion('compile', values, asked, io)
    if (stage !== undefined || without.length > 0) {
      io.stdout.write(`${await stageText(stage, { question, dialect: values.dialect, without }, asked)}\n`)
      return 0
    }
    const compiled = await compileQuestion(question, values.dialect, asked)
    writeWarnings(compiled.warnings, asked.name, io)
    const outer = compiled.outer_sql == null ? [] : ['over the answers of these:', ...compiled.outer_sql.split('\n')]
    const lines = [...(values.explain && compiled.explain ? planLines(compiled.explain) : []), ...outer]
    io.stdout.write(`${lines.map((line) => `-- ${line}\n`).join('')}${compiled.sql}\n`)
    return 0
  })
}

function stageOf(name: string | undefined): Stage | undefined {
  const stage = STAGES.find((one) => one === name)
  if (name !== undefined && stage === undefined)
    throw new UsageError(`'${name}' is not a stage; write one of: ${STAGES.join(', ')}`)
  return stage
}

function rulesOf(names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !RULES.includes(name))
  if (unknown !== undefined) throw new UsageError(`'${unknown}' is not a rule; write one of: ${RULES.join(', ')}`)
  return names
}

interface Shown {
  readonly question: Question
  readonly dialect: string | undefined
  readonly without: readonly string[]
}

/** The question at a stage, or its SQL. */
async function stageText(stage: Stage | undefined, { question, dialect, without }: Shown, { local }: Asked): Promise<string> {
  const flag = stage === undefined ? '--without' : '--stage'
  if (local === undefined)
    throw new UsageError(`${flag} shows the compiler of this machine: it takes a model file, and no --server`)
  if ('sql' in question)
    throw new UsageError(`${flag} shows a question in JSON or in fields: ask with --query, or with -d and -m`)
  const stages = await local.service.stages({
    asker: undefined,
    target: { sessionId: local.sessionId },
    query: question.query,
    dialect,
    without,
  })
  return stage === undefined ? String(stages.sql) : stageJson(stages[stage])
}

export function compileQuestion(question: Question, dialect: string | undefined, { client, signal }: Asked): Promise<Compiled> {
  const options = { dialect, signal }
  return 'sql' in question
    ? client.sql.compile(question.sql, { ...options, parameters: question.parameters, rollups: question.rollups })
    : client.compile(question.query, options)
}

export const planLines = ({ planner, planner_reason, rules, plan }: NonNullable<Compiled['explain']>): string[] => [
  `${planner}: ${planner_reason}`,
  ...(rules && rules.length > 0 ? [`rules: ${rules.join(', ')}`] : []),
  ...treeLines(plan, ''),
]

/** The plan with each step below the step that reads it. */
function treeLines({ op, detail, children }: PlanNode, indent: string): string[] {
  return [`${indent}${op}${detail && ` ${detail}`}`, ...children.flatMap((child) => treeLines(child, `${indent}  `))]
}

/**
 * Data between two stages as indented JSON: maps as objects, sets as lists, big integers as text. Values that are not plain data are named
 * and not shown.
 */
const stageJson = (value: unknown): string => JSON.stringify(value, (_, own) => shown(own), 2)

function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function') return '[function]'
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const made: unknown = value.constructor
  return typeof made === 'function' && made !== Object ? `[${made.name}]` : value
}
