import { nearest } from '@grainline/core/language'
import { ON_BEHALF_OF_OPTION } from '../handshake/startup.js'
import { DATE_ORDERS, DATE_STYLES, type TextStyle } from '../types/text-style.js'
import { refuse } from '../wire/pg-error.js'
import { KNOWN_SETTINGS, ROLLUP_CHOICES, ROLLUPS, type RollupChoice } from './known-settings.js'
import { offsetOf } from './time-zone.js'

/** These would change the user, so they are refused. */
const FORBIDDEN: ReadonlySet<string> = new Set(['role', 'session_authorization'])
/** A custom setting has a dot in its name. */
const CUSTOM = /^[a-z_][\w$]*\.[a-z_][\w$.]*$/i
/** Before the name of a parameter of a model. */
const PARAMETER = 'parameter.'

/** The settings of a connection, which follow its transactions. Names are not case-sensitive. */
export class SessionSettings {
  #values: ReadonlyMap<string, string> = new Map()
  /** The values after a commit: those of SET LOCAL are not among them. */
  #kept: ReadonlyMap<string, string> = this.#values
  readonly #initial = new Map<string, string>()

  constructor(
    readonly report: (name: string, value: string) => void,
    /** The names of the parameters that models of the connection have. */
    private readonly parameters: () => Iterable<string> = () => [],
    private readonly acting: Acting = NOBODY_ACTS,
  ) {}

  /** A pooler gives the value of a session to its next client, and within a transaction nobody becomes somebody else. */
  #checkActing(value: string, local: boolean): void {
    if (!local) refuseActing('Use SET LOCAL within a transaction: poolers would give the setting to the next client.')
    if (!this.acting.isInTransaction()) refuse('25P01', `SET LOCAL ${ON_BEHALF_OF_OPTION} can only be used in transaction blocks`)
    if (this.#values.has(ON_BEHALF_OF_OPTION)) refuseActing('This transaction asks for somebody already; end it first.')
    this.acting.check(value)
  }

  /** The values of parameters of models, by the names of these in lower case. */
  modelParameters(): Readonly<Record<string, string>> | undefined {
    const given = [...this.#values].filter(([key]) => key.startsWith(PARAMETER))
    return given.length === 0 ? undefined : Object.fromEntries(given.map(([key, value]) => [key.slice(PARAMETER.length), value]))
  }

  /** Whether rollup tables are read; as the server is set if the client does not say so. */
  rollups(): RollupChoice | undefined {
    return ROLLUP_CHOICES.find((choice) => choice === this.get(ROLLUPS))
  }

  /** Sets an initial value of the connection, to which RESET returns. */
  begin(name: string, value: string): void {
    this.#initial.set(name.toLowerCase(), this.#readValue(name, value))
  }

  /** Sets a value that only the server determines. */
  tell(name: string, value: string): void {
    this.#initial.set(name.toLowerCase(), value)
  }

  /** The value, or `undefined` for an unknown name. */
  get(name: string): string | undefined {
    const key = name.toLowerCase()
    return this.#values.get(key) ?? this.#initial.get(key) ?? KNOWN_SETTINGS.get(key)?.initial
  }

  /** Throws if the setting is unknown or fixed, or the value is invalid. A `local` value ends with the transaction. */
  set(name: string, value: string, local: boolean): void {
    const key = name.toLowerCase()
    if (key === ON_BEHALF_OF_OPTION) this.#checkActing(value, local)
    if (KNOWN_SETTINGS.get(key)?.fixed) refuse('55P02', `parameter "${name}" cannot be changed`)
    this.#change(key, this.#readValue(name, value), local)
  }

  reset(name: string, local = false): void {
    const key = name.toLowerCase()
    if (key === ON_BEHALF_OF_OPTION) refuseActing('It ends with the transaction.')
    if (this.get(key) === undefined && !CUSTOM.test(key) && !key.startsWith(PARAMETER)) unrecognized(name)
    this.#change(key, undefined, local)
  }

  resetAll(): void {
    for (const key of this.#values.keys()) if (key !== ON_BEHALF_OF_OPTION) this.#change(key, undefined, false)
  }

  /** All settings, sorted by name. */
  all(): readonly (readonly [name: string, value: string])[] {
    const names = new Set([...KNOWN_SETTINGS.keys(), ...this.#initial.keys(), ...this.#values.keys()])
    return [...names].map((key) => [KNOWN_SETTINGS.get(key)?.name ?? key, this.get(key) ?? ''] as const).toSorted(byName)
  }

  /** Whether the client is informed of the value at the start and after each change. */
  isReported(name: string): boolean {
    return KNOWN_SETTINGS.get(name.toLowerCase())?.reported === true
  }

  /** The values to restore after a rollback of the transaction or to a savepoint. */
  snapshot(): Snapshot {
    return { values: this.#values, kept: this.#kept }
  }

  restore({ values, kept }: Snapshot): void {
    this.#kept = kept
    this.#replace(values)
  }

  /** Ends the values of SET LOCAL. */
  commit(): void {
    this.#replace(this.#kept)
  }

  /** The current style of text values. */
  style(): TextStyle {
    const [style, order] = (this.get('DateStyle') ?? '').split(', ')
    const zone = this.get('TimeZone') ?? 'UTC'
    return {
      dateStyle: DATE_STYLES.find((each) => each === style) ?? 'ISO',
      dateOrder: DATE_ORDERS.find((each) => each === order) ?? 'MDY',
      floatDigits: Number(this.get('extra_float_digits')),
      zone: { name: zone, offset: offsetOf(zone) },
    }
  }

  #readValue(name: string, value: string): string {
    const key = name.toLowerCase()
    if (key.startsWith(PARAMETER)) return this.#knownParameter(name.slice(PARAMETER.length)) && value
    const setting = KNOWN_SETTINGS.get(key)
    if (setting === undefined) {
      if (FORBIDDEN.has(key)) refuse('42501', `permission denied to set parameter "${name}"`)
      return CUSTOM.test(name) ? value : unrecognized(name)
    }
    const read = setting.read?.(value, this.get(key) ?? setting.initial)
    return read ?? refuse('22023', `invalid value for parameter "${setting.name}": "${value}"`)
  }

  /** Throws for a name that is no parameter of a model of the connection. Whether the value fits is checked when a statement runs. */
  #knownParameter(name: string): true {
    const known = [...new Set(this.parameters())]
    if (known.some((each) => each.toLowerCase() === name.toLowerCase())) return true
    const [near] = nearest(name, known)
    const hint = near === undefined ? {} : { hint: `Perhaps you meant "${PARAMETER}${near}".` }
    return refuse('42704', `no model of this connection has a parameter "${name}"`, hint)
  }

  #change(key: string, value: string | undefined, local: boolean): void {
    if (!local) this.#kept = changed(this.#kept, key, value)
    this.#replace(changed(this.#values, key, value))
  }

  #replace(values: ReadonlyMap<string, string>): void {
    const before = this.#values
    this.#values = values
    for (const key of new Set([...before.keys(), ...values.keys()])) {
      const setting = KNOWN_SETTINGS.get(key)
      if (setting?.reported && before.get(key) !== values.get(key)) this.report(setting.name, this.get(key)!)
    }
  }
}

/** Whether and how a connection asks for others. */
export interface Acting {
  readonly isInTransaction: () => boolean
  /** Throws if the client may not ask for whom the value names. */
  readonly check: (named: string) => void
}

const NOBODY_ACTS: Acting = { isInTransaction: () => false, check: () => {} }

const refuseActing = (hint: string): never =>
  refuse('42501', `permission denied to set parameter "${ON_BEHALF_OF_OPTION}"`, { hint })

export interface Snapshot {
  readonly values: ReadonlyMap<string, string>
  readonly kept: ReadonlyMap<string, string>
}

function changed(values: ReadonlyMap<string, string>, key: string, value: string | undefined): ReadonlyMap<string, string> {
  const copy = new Map(values)
  if (value === undefined) copy.delete(key)
  else copy.set(key, value)
  return copy
}

function unrecognized(name: string): never {
  const [near] = nearest(name.toLowerCase(), [...KNOWN_SETTINGS.keys()])
  return refuse(
    '42704',
    `unrecognized configuration parameter "${name}"`,
    near === undefined ? {} : { hint: `Perhaps you meant "${near}".` },
  )
}

const byName = (a: readonly [string, string], b: readonly [string, string]): number =>
  a[0].toLowerCase() < b[0].toLowerCase() ? -1 : 1
