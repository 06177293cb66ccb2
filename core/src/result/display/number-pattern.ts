/** Patterns for numbers, as spreadsheets write them (`#,##0.00 "km"`, `0.0%`, `#,##0,`, `0.00;(0.00)`) or as d3 does (`,.2f`, `.1%`). */

export interface NumberPattern {
  readonly positive: Section
  /** For negative values, which then have no sign; absent if they look like positive ones with a minus. */
  readonly negative?: Section
  readonly zero?: Section
}

/** The format of a number, and the texts before and after it. */
export interface Section {
  readonly prefix: string
  readonly suffix: string
  readonly leastWhole: number
  readonly leastFraction: number
  readonly mostFraction: number
  readonly grouping: boolean
  readonly percent: boolean
  /** Powers of a thousand that the value is divided by. */
  readonly thousands: number
}

/** `undefined` for a text that is not a number pattern. */
export function parseNumberPattern(text: string): NumberPattern | undefined {
  const sections: readonly (Section | undefined)[] = d3Section(text) ?? split(text).map(spreadsheetSection)
  const [positive, negative, zero] = sections
  if (!positive || sections.length > 3 || sections.includes(undefined)) return undefined
  return { positive, ...(negative && { negative }), ...(zero && { zero }) }
}

const D3 = /^([$€£¥]?)(,?)(?:\.(\d{1,2}))?([f%d])$/

function d3Section(text: string): readonly Section[] | undefined {
  const match = D3.exec(text)
  if (!match) return undefined
  const [, prefix = '', comma, digits, kind] = match
  const fraction = kind === 'd' ? 0 : Number(digits ?? 6)
  return [
    {
      prefix,
      suffix: '',
      leastWhole: 1,
      leastFraction: fraction,
      mostFraction: fraction,
      grouping: comma === ',',
      percent: kind === '%',
      thousands: 0,
    },
  ]
}

/** At semicolons that are not quoted. */
function split(text: string): string[] {
  return text.match(/(?:"[^"]*"|\\.|[^;])+/g) ?? []
}

const TOKEN = /"([^"]*)"|\\(.)|([#0][#0,]*(?:\.[#0]*)?|\.[#0]+)(,*)|(%)|([^"\\#0%.A-Za-z]|[A-Z]{3})/gy

/** Longer than any useful format. */
const LONGEST = 500

function spreadsheetSection(text: string): Section | undefined {
  if (text.length > LONGEST) return undefined
  let digits: string | undefined
  let [prefix, suffix, thousands, percent, end] = ['', '', 0, false, 0]
  const put = (literal: string): void => {
    if (digits === undefined) prefix += literal
    else suffix += literal
  }
  for (const [whole, quoted, escaped, number, commas = '', sign, literal] of text.matchAll(TOKEN)) {
    end += whole.length
    if (number !== undefined) {
      if (digits !== undefined) return undefined
      digits = number.replace(/(?<!,),+$/, '')
      thousands = commas.length + (number.length - digits.length)
    } else if (sign) percent = true
    else put(quoted ?? escaped ?? literal ?? '')
  }
  if (digits === undefined || end !== text.length) return undefined
  const [wholes = '', fraction = ''] = digits.split('.')
  return {
    prefix,
    suffix,
    leastWhole: [...wholes].filter((c) => c === '0').length,
    leastFraction: [...fraction].filter((c) => c === '0').length,
    mostFraction: fraction.length,
    grouping: wholes.includes(','),
    percent,
    thousands,
  }
}
