import { ansi, defineDialect } from '@grainline/core/dialect'

/** A backslash is an escape inside a literal, so it is doubled; a quote is doubled like everywhere. */
const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Quarry, a fictitious engine: names in backticks, a catalog for a database, functions instead of some operators. */
export const quarry = defineDialect(ansi, {
  name: 'quarry',
  capabilities: { supports_qualify: true },
  // It has no relative, so it states what the engine does.
  semantics: {
    exactText: true,
    nullsOrder: true,
    hiddenOrder: true,
    shownOrder: true,
    columnNames: true,
    leastBooleans: true,
    lagDefault: true,
    signedRanks: true,
    distinctStatistics: true,
    distinctLists: true,
    orderedLists: true,
    mixedOrders: true,
    mixedLists: true,
    mixedChoices: true,
    typedDoubles: true,
    lagNull: true,
    signedCounts: true,
    keysInWindows: true,
    keysInHaving: true,
    comparedUuids: true,
    doublePartitions: true,
    wideSums: true,
    wideDecimals: true,
    longScales: true,
    overflowGuard: true,
    specialCasts: true,
    specialStatistics: true,
    specialModes: true,
    specialPercentiles: true,
    comparedNaN: true,
    orderedNaN: true,
    distinctOrder: true,
    plainZero: true,
    exactDecimals: true,
    laterDates: true,
    exactAverages: false,
    emptyRollup: true,
    nullKeys: true,
    correlated: true,
    openEnds: true,
    computedKeys: true,
    sharedKeys: true,
    rangeJoins: true,
  },
  quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
  maxIdentifierBytes: 64,
  // A schema is a catalog here, so a three-part name loses its first part.
  tablePath: ({ schema, name }) => (schema === undefined ? [name] : [schema, name]),
  type: (type) => (type.kind === 'string' ? 'TEXT' : type.kind === 'float' ? 'DOUBLE' : ansi.type(type)),
  literals: {
    string: text,
    date: (iso) => `TO_DATE(${text(iso)})`,
  },
  functions: {
    concat: (args) => `CONCAT(${args.join(', ')})`,
    position: ([needle, haystack]) => `INSTR(${haystack}, ${needle})`,
    regexp_matches: ([x, pattern]) => `REGEXP_LIKE(${x}, ${pattern})`,
    // Refused by name: Quarry has no JSON.
    json_value: null,
  },
  aggregates: {
    // Refused by name: it would need two scans.
    mode: null,
    count_distinct: ({ args }) => `COUNT(DISTINCT ${args.join(', ')})`,
    listagg: ({ args, distinct, delimiter, orderBy }) =>
      `GROUP_CONCAT(${distinct ? 'DISTINCT ' : ''}${args[0]} ORDER BY ${orderBy.join(', ')} SEPARATOR ${delimiter ?? "','"})`,
  },
  instantToZone: (value, zone) => `TO_ZONE(${value}, ${zone})`,
  zoneToInstant: (value, zone) => `FROM_ZONE(${value}, ${zone})`,
})
