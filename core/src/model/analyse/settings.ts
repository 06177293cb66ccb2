import { isZoneName, zoneFault } from '../../time-zones/zone-names.js'
import { isNumeric, parseDataType } from '../data-type.js'
import type { SettingsDocument } from '../document.js'
import type { ModelSettings } from '../semantic-model.js'
import type { Context } from './context.js'

/** The grains depend on the settings. */
type Reading = Omit<Context, 'grains' | 'parameters'>

/** The settings with their defaults; invalid ones are reported and ignored. */
export function readSettings(document: SettingsDocument, context: Reading): ModelSettings {
  const zone = (key: 'defaultTimezone' | 'queryTimezone'): string | undefined => {
    const name = document[key]
    if (name === undefined || isZoneName(name)) return name
    context.faults.error('INVALID_SETTING', ['settings', key], zoneFault(name))
    return undefined
  }
  return {
    defaultDialect: document.defaultDialect,
    defaultNumericDataType: readNumericType(document, context),
    defaultTimezone: zone('defaultTimezone'),
    overrideDatabaseTimezone: document.overrideDatabaseTimezone ?? false,
    queryTimezone: zone('queryTimezone'),
    weekStart: document.weekStart ?? 'monday',
    defaultLocale: readLocale(document, context),
    expressionMode: document.expressionMode ?? 'permissive',
    strictFilters: document.strictFilters ?? false,
    strictJoins: document.strictJoins ?? false,
    assumedJoins: document.assumedJoins ?? false,
    strictUnits: document.strictUnits ?? false,
    mainFact: document.mainFact,
  }
}

function readNumericType(document: SettingsDocument, context: Reading): ModelSettings['defaultNumericDataType'] {
  const text = document.defaultNumericDataType
  if (text === undefined) return undefined
  const type = parseDataType(text)
  if (type && isNumeric(type)) return type
  context.faults.error(
    'INVALID_SETTING',
    ['settings', 'defaultNumericDataType'],
    `'${text}' is not a numeric type such as decimal(18, 2)`,
  )
  return undefined
}

function readLocale(document: SettingsDocument, context: Reading): string | undefined {
  const locale = document.defaultLocale
  if (locale === undefined || locale === '' || isLocale(locale)) return locale
  context.faults.error('INVALID_SETTING', ['settings', 'defaultLocale'], `'${locale}' is not a BCP 47 locale such as en-GB`)
  return undefined
}

function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1
  } catch {
    return false
  }
}
