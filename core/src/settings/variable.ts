/** One setting: its valid values, its default, and one sentence for the operator. */
export interface Variable<T = unknown> {
  readonly default: T
  /** Completes "NAME must be …". */
  readonly rule: string
  /** One sentence: what it does. */
  readonly means: string
  /** Never shown, neither in messages nor in reports. */
  readonly secret: boolean
  /** The value of a non-empty text; `undefined` if the text breaks the rule. */
  readonly read: (text: string) => T | undefined
}

/** Settings by the names of their environment variables. */
export type Variables = Readonly<Record<string, Variable>>
export type ValuesOf<V extends Variables> = { readonly [K in keyof V]: V[K] extends Variable<infer T> ? T : never }

interface About<T> {
  readonly default: T
  readonly means: string
  readonly secret?: boolean
}
type Optional<T> = Omit<About<T>, 'default'>
interface Form {
  /** Completes "NAME must be …" in the message about an invalid text. */
  readonly rule: string
  readonly fits: (text: string) => boolean
}
interface Bounds {
  readonly least?: number
  readonly most?: number
}

/** A setting that is a text. */
export const text = (about: About<string> & Partial<Form>): Variable<string> =>
  variable(about, about.rule ?? 'a text', (given) => fitting(given, about))

/** A setting that is a text, or `undefined` if it is not set. */
export const optionalText = (about: Optional<string> & Partial<Form>): Variable<string | undefined> =>
  variable<string | undefined>({ ...about, default: undefined }, about.rule ?? 'a text', (given) => fitting(given, about))

/** A setting that is a list of texts, separated by commas. */
export const list = (about: Omit<About<never>, 'default'>): Variable<readonly string[]> =>
  variable<readonly string[]>({ ...about, default: [] }, 'a list separated by commas', splitList)

/** Origins of web pages, as browsers write them. */
export const origins = (about: Omit<About<never>, 'default'>): Variable<readonly string[]> =>
  variable<readonly string[]>(
    { ...about, default: [] },
    "origins such as 'https://app.example.com', separated by commas",
    (given) => {
      const listed = splitList(given)
      return listed.every((item) => URL.canParse(item) && new URL(item).origin === item) ? listed : undefined
    },
  )

/** A setting that is true or false. */
export const flag = (about: About<boolean>): Variable<boolean> =>
  variable(about, 'true or false', (given) => truths[given.toLowerCase()])

/** An integer setting, from `least` to `most` if they are given. */
export const integer = (about: About<number> & Bounds): Variable<number> => variable(about, rangeRule(about), readWithin(about))

/** An integer setting, or `undefined` if it is not set. */
export const optionalInteger = (about: Optional<number> & Bounds): Variable<number | undefined> =>
  variable<number | undefined>({ ...about, default: undefined }, rangeRule(about), readWithin(about))

/** One of several words, in any case. */
export const oneOf = <const W extends string>(words: readonly W[], about: About<NoInfer<W>>): Variable<W> =>
  variable<W>(about, `one of ${words.join(', ')}`, (given) => words.find((word) => word.toLowerCase() === given.toLowerCase()))

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  1: true,
  0: false,
  yes: true,
  no: false,
  on: true,
  off: false,
}

function variable<T>(about: About<T>, rule: string, read: (text: string) => T | undefined): Variable<T> {
  return Object.freeze({ default: about.default, rule, means: about.means, secret: about.secret ?? false, read })
}

const fitting = (given: string, { fits }: Partial<Form>): string | undefined =>
  fits === undefined || fits(given) ? given : undefined

function splitList(given: string): readonly string[] {
  return given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function rangeRule({ least = 0, most }: Bounds): string {
  return most === undefined ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`
}

function readWithin({ least = 0, most = Number.MAX_SAFE_INTEGER }: Bounds): (text: string) => number | undefined {
  return (given) => {
    const value = /^[+-]?\d+$/.test(given) ? Number(given) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
}
