import { type Finding, warning } from '../errors.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Settings } from './core-variables.js'
import type { Environment } from './environment.js'
import { checkRules } from './rules.js'
import type { Variable, Variables } from './variable.js'

export type Origin = 'environment' | '.env' | 'config' | 'default' | 'implied'

export interface SettingSources {
  readonly environment: Environment
  /** `settings` of the config: text, numbers, booleans and lists under the variables' names. */
  readonly config: Readonly<Record<string, unknown>>
  /** Variables that are read as if they were not set. */
  readonly ignored?: readonly string[]
  /** Values that follow from the loaded plugins; they override any given value. */
  readonly implied?: Partial<Settings>
}

export interface ReadSettings {
  readonly settings: Settings
  readonly origins: ReadonlyMap<string, Origin>
  /** All errors; each has the name of its variable as path. A refused variable has its default. */
  readonly faults: readonly Finding[]
  readonly warnings: readonly Finding[]
}

export interface SettingReport {
  readonly name: string
  readonly value: unknown
  readonly origin: Origin
  readonly means: string
}

/** Reads every variable of the table. Precedence: implied, environment, `.env`, config, default. It throws nothing. */
export function readSettings(table: Variables, sources: SettingSources): ReadSettings {
  const values: Record<string, unknown> = {}
  const origins = new Map<string, Origin>()
  const faults: Finding[] = unknownNames(table, sources.config)
  for (const [name, variable] of Object.entries(table)) {
    const { text, origin } = given(name, sources)
    const value = text === undefined ? variable.default : variable.read(text)
    if (value === undefined && text !== undefined) faults.push(refusal(name, variable, text, origin))
    values[name] = value === undefined ? variable.default : value
    origins.set(name, origin)
  }
  for (const [name, value] of Object.entries(sources.implied ?? {})) {
    if (values[name] !== value) origins.set(name, 'implied')
    values[name] = value
  }
  // Rules between variables make sense only if each variable is valid by itself.
  const rules = checkRules(values as unknown as Settings, (name) => origins.get(name) !== 'default')
  const broken = new Set(faults.map((fault) => fault.path))
  return {
    settings: Object.freeze(rules.settings),
    origins,
    faults: [...faults, ...rules.faults.filter((fault) => !broken.has(fault.path))],
    warnings: rules.warnings,
  }
}

/** The value of every variable and its origin, without secrets. */
export function reportSettings(table: Variables, read: Pick<ReadSettings, 'settings' | 'origins'>): SettingReport[] {
  const values = read.settings as unknown as Readonly<Record<string, unknown>>
  return Object.entries(table).map(([name, variable]) => ({
    name,
    value: variable.secret ? hidden(values[name]) : values[name],
    origin: read.origins.get(name) ?? 'default',
    means: variable.means,
  }))
}

function given(name: string, { environment, config, ignored }: SettingSources): { text: string | undefined; origin: Origin } {
  if (ignored?.includes(name)) return { text: undefined, origin: 'default' }
  if (environment.process[name]?.trim()) return { text: environment.process[name].trim(), origin: 'environment' }
  if (environment.dotenv[name]?.trim()) return { text: environment.dotenv[name].trim(), origin: '.env' }
  const text = textOf(config[name])
  return text === '' ? { text: undefined, origin: 'default' } : { text, origin: 'config' }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.join(',') : String(value).trim()
}

function refusal(name: string, variable: Variable, text: string, origin: Origin): Finding {
  const shown = variable.secret ? '' : `, not '${text}'`
  return {
    code: 'INVALID_VARIABLE',
    message: `${name} must be ${variable.rule}${shown} (from ${origin})`,
    path: name,
    severity: 'error',
  }
}

function unknownNames(table: Variables, config: SettingSources['config']): Finding[] {
  return Object.keys(config)
    .filter((name) => !Object.hasOwn(table, name))
    .map((name) => {
      const suggestions = nearest(name, Object.keys(table))
      const message = `The config sets ${name}, which is not a setting of the host or of a listed plugin${didYouMean(suggestions)}`
      return { ...warning('INVALID_CONFIG', message, { path: `settings.${name}`, suggestions }), severity: 'error' }
    })
}

function hidden(value: unknown): unknown {
  const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return empty ? value : '(secret)'
}
