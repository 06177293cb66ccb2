/** Generated projects of dbt, each in both specifications. */
import { stringify } from 'yaml'
import { type Random, randomFrom } from '../oracle/generate/random.js'

type Node = Record<string, unknown>

interface Item {
  readonly name: string
  readonly column: string
  readonly expr?: string | undefined
  readonly description?: string | undefined
}

interface Table {
  readonly name: string
  readonly description: string | undefined
  readonly ownDescription: string | undefined
  readonly columns: readonly {
    readonly name: string
    readonly description: string | undefined
    readonly type: string | undefined
  }[]
  readonly entities: readonly (Item & { readonly type: string })[]
  readonly dimensions: readonly (Item & { readonly isTime: boolean })[]
  readonly time: string
  readonly measures: readonly Measure[]
}

interface Measure {
  readonly name: string
  readonly keys: Node
}

/** What a metric asks of a measure beside its name. */
interface Use {
  readonly measure: Measure
  readonly filter?: string
  readonly fill?: number
}

interface Metric {
  readonly name: string
  readonly head: Node
  readonly filter?: string
  /** The owner of its first measure. */
  readonly table: Table
  readonly body:
    | { readonly kind: 'simple'; readonly use: Use }
    | { readonly kind: 'ratio'; readonly inputs: readonly [Node, Node] }
    | { readonly kind: 'derived'; readonly inputs: readonly Node[]; readonly expr: string }
    | { readonly kind: 'cumulative'; readonly use: Use; readonly keys: Node }
}

interface Project {
  readonly tables: readonly Table[]
  readonly metrics: readonly Metric[]
}

const present = (node: Node): Node => Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined))

const TABLES = ['orders', 'customers', 'products', 'visits']
const WORDS = ['Amount', 'In euros.', "The customer's own", 'Gross: before tax', 'Seen "twice"', 'Ünicode']

function projectOf(random: Random): Project {
  const names = random.some(TABLES, random.between(1, TABLES.length))
  const note = () => (random.chance(0.4) ? random.pick(WORDS) : undefined)
  const tables = names.map((name, at): Table => tableOf(name, names.slice(0, at), random, note))
  const metrics: Metric[] = []
  for (const table of tables) metrics.push(...simpleMetrics(table, random, note))
  const simple = metrics.map(({ name }) => name)
  if (simple.length > 1)
    for (let at = 0; at < random.between(0, 4); at++) metrics.push(formula(`formula_${at}`, simple, metrics, random, note))
  for (const table of tables) if (random.chance(0.6)) metrics.push(cumulative(`${table.name}_so_far`, table, random, note))
  return { tables, metrics: random.some(metrics, metrics.length) }
}

function tableOf(name: string, others: readonly string[], random: Random, note: () => string | undefined): Table {
  const codes = ['id', ...others.map((other) => `${other}_id`), 'at', 'kind', 'amount', 'cost', 'is_paid']
  const columns = random.some(codes, codes.length).map((code) => ({
    name: code,
    description: note(),
    type: random.chance(0.5) ? TYPES[code.replace(/.*_id$/, 'id')] : undefined,
  }))
  const measures = ['amount', 'cost', 'is_paid', 'id'].flatMap((code): readonly Measure[] =>
    random.chance(0.7) ? [measureOf(`${name}_${code}`, code, random, note)] : [],
  )
  return {
    ...{ name, columns, measures, time: 'at', description: note(), ownDescription: note() },
    entities: [
      { name, type: 'primary', column: 'id', description: note() },
      ...others.map((other) => ({ name: other, type: 'foreign', column: `${other}_id`, description: note() })),
    ],
    dimensions: [
      { name: random.pick(['at', 'happened_at']), isTime: true, column: 'at', description: note() },
      { name: 'kind', isTime: false, column: 'kind', description: note() },
      ...(random.chance(0.5)
        ? [
            {
              name: 'size',
              isTime: false,
              column: '',
              expr: "case when amount > 10 then 'large' else 'small' end",
              description: note(),
            },
          ]
        : []),
    ],
  }
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ id: 'int', at: 'date', kind: 'varchar', amount: 'decimal(18, 2)', cost: 'double', is_paid: 'boolean' },
}

function measureOf(name: string, code: string, random: Random, note: () => string | undefined): Measure {
  const agg =
    code === 'is_paid'
      ? 'sum_boolean'
      : code === 'id'
        ? 'count_distinct'
        : random.pick(['sum', 'min', 'max', 'average', 'median', 'percentile'])
  return { name, keys: present({ description: note(), agg, expr: code, percentile: agg === 'percentile' ? 0.25 : undefined }) }
}

const FILTERS = ['is_paid', 'amount > 10', "kind = 'a' OR kind = 'b'"]

function simpleMetrics({ measures, ...rest }: Table, random: Random, note: () => string | undefined): readonly Metric[] {
  const table = { ...rest, measures }
  return measures.flatMap((measure): readonly Metric[] => {
    if (random.chance(0.25)) return []
    const isPlain = random.chance(0.6)
    const name = isPlain && random.chance(0.5) ? measure.name : `metric_of_${measure.name}`
    const use = isPlain
      ? { measure }
      : { measure, ...(random.chance(0.5) && { filter: random.pick(FILTERS) }), fill: random.below(3) }
    const filter = random.chance(0.3) ? random.pick(FILTERS) : undefined
    return [
      { name, table, head: headOf(name, random, note), ...(filter !== undefined && { filter }), body: { kind: 'simple', use } },
    ]
  })
}

const headOf = (name: string, random: Random, note: () => string | undefined): Node =>
  present({ name, description: note(), label: random.chance(0.5) ? `Label of ${name}` : undefined })

function formula(
  name: string,
  simple: readonly string[],
  metrics: readonly Metric[],
  random: Random,
  note: () => string | undefined,
): Metric {
  const [one = '', two = ''] = random.some(simple, 2)
  const table = metrics.find((metric) => metric.name === one)?.table
  if (!table) throw new Error(`there is no metric '${one}'`)
  const input = (of: string, alias: string): Node =>
    present({ name: of, alias, filter: random.chance(0.3) ? random.pick(FILTERS) : undefined })
  const head = headOf(name, random, note)
  if (random.chance(0.5)) return { name, head, table, body: { kind: 'ratio', inputs: [input(one, 'a'), input(two, 'b')] } }
  const before = present({ name: one, alias: 'b', offset_window: '1 month' })
  const inputs = [input(one, 'a'), random.chance(0.5) ? before : input(two, 'b')]
  return { name, head, table, body: { kind: 'derived', inputs, expr: 'a - b' } }
}

function cumulative(name: string, table: Table, random: Random, note: () => string | undefined): Metric {
  const measure = table.measures[random.below(Math.max(1, table.measures.length))] ?? {
    name: `${table.name}_rows`,
    keys: { agg: 'sum', expr: '1' },
  }
  const use: Use = {
    ...{ measure, ...(random.chance(0.4) && { filter: random.pick(FILTERS) }) },
    ...(random.chance(0.4) && { fill: random.below(3) }),
  }
  const keys = random.pick<Node>([{}, { window: '2 months' }, { grain_to_date: 'year' }])
  const owner = table.measures.includes(measure) ? table : { ...table, measures: [...table.measures, measure] }
  return {
    name,
    head: headOf(name, random, note),
    table: owner,
    body: { kind: 'cumulative', use, keys: { ...keys, period_agg: 'last' } },
  }
}

/** Tables with every measure that a metric reads. */
function wholeTables({ tables, metrics }: Project): readonly Table[] {
  return tables.map((table) => {
    const read = metrics.filter((metric) => metric.table.name === table.name).flatMap((metric) => metric.table.measures)
    const all = new Map([...table.measures, ...read].map((measure) => [measure.name, measure]))
    return { ...table, measures: [...all.values()] }
  })
}

const text = (node: Node): string => stringify(node, { aliasDuplicateObjects: false })

/** The specification with measures. */
function legacy(project: Project): string {
  const tables = wholeTables(project)
  const models = tables.map(({ name, description, columns }) =>
    present({
      name,
      description,
      columns: columns.map((column) => present({ name: column.name, description: column.description, data_type: column.type })),
    }),
  )
  const semantic = tables.map((table) => ({
    ...present({ name: table.name, description: table.ownDescription, model: `ref('${table.name}')` }),
    defaults: { agg_time_dimension: table.dimensions.find(({ isTime }) => isTime)?.name },
    entities: table.entities.map(({ name, type, column, description }) => present({ name, type, expr: column, description })),
    dimensions: table.dimensions.map(({ name, isTime, column, expr, description }) =>
      present({
        ...{ name, description, type: isTime ? 'time' : 'categorical', expr: expr ?? column },
        type_params: isTime ? { time_granularity: 'day' } : undefined,
      }),
    ),
    measures: table.measures.map(({ name, keys: { percentile, ...keys } }) =>
      present({ name, ...keys, agg_params: percentile === undefined ? undefined : { percentile } }),
    ),
  }))
  return text({ models, semantic_models: semantic, metrics: project.metrics.map(legacyMetric) })
}

function legacyMetric({ head, filter, body }: Metric): Node {
  const use = ({ measure, filter: own, fill }: Use): unknown =>
    own === undefined && fill === undefined ? measure.name : present({ name: measure.name, filter: own, fill_nulls_with: fill })
  const params: Node =
    body.kind === 'simple'
      ? { measure: use(body.use) }
      : body.kind === 'ratio'
        ? { numerator: body.inputs[0], denominator: body.inputs[1] }
        : body.kind === 'derived'
          ? { metrics: body.inputs, expr: body.expr }
          : { measure: use(body.use), cumulative_type_params: body.keys }
  return present({ ...head, type: body.kind, filter, type_params: params })
}

/** The specification without measures: what no metric alone is becomes a hidden metric, under a name that nobody wrote. */
function latest(project: Project, random: Random): string {
  const tables = wholeTables(project)
  const hidden = new Map<string, Node>()
  const visible = new Set(project.metrics.map(({ name }) => name))
  const inputOf = ({ measure, filter, fill }: Use, owner: Table): unknown => {
    const same = project.metrics.find(
      ({ body, filter: whole }) =>
        body.kind === 'simple' &&
        body.use.measure.name === measure.name &&
        body.use.filter === undefined &&
        body.use.fill === undefined &&
        whole === undefined,
    )
    const reuse = fill === undefined && same && random.chance(0.5)
    const wished = fill === undefined ? measure.name : `${measure.name}_fill_nulls_with_${fill}`
    const name = reuse ? same.name : visible.has(wished) ? `${wished}_1` : wished
    if (!reuse)
      hidden.set(
        `${owner.name}\0${name}`,
        present({ name, ...measure.keys, type: 'simple', hidden: true, fill_nulls_with: fill }),
      )
    return filter === undefined ? name : { name, filter }
  }
  const written = project.metrics.map((metric) => ({
    table: metric.table,
    isSimple: metric.body.kind === 'simple',
    node: latestMetric(metric, inputOf),
  }))
  const models = tables.map((table) => {
    const read = new Set(project.metrics.flatMap(({ body }) => (body.kind === 'simple' ? [body.use.measure.name] : [])))
    for (const measure of table.measures)
      if (!read.has(measure.name) && !visible.has(measure.name))
        hidden.set(`${table.name}\0${measure.name}`, { name: measure.name, ...measure.keys, type: 'simple', hidden: true })
    const own = [...hidden].filter(([key]) => key.startsWith(`${table.name}\0`)).map(([, node]) => node)
    const metrics = [...written.filter((each) => each.table.name === table.name).map(({ node }) => node), ...own]
    return latestTable(table, random.some(metrics, metrics.length))
  })
  return text({ models })
}

function latestMetric({ head, filter, table, body }: Metric, inputOf: (use: Use, owner: Table) => unknown): Node {
  if (body.kind === 'simple') {
    const { measure, filter: own, fill } = body.use
    const both = [filter, own].filter((each) => each !== undefined)
    const { description: _description, ...keys } = measure.keys
    const description = head['description'] ?? measure.keys['description']
    return present({
      ...{ ...head, description, type: 'simple', ...keys, fill_nulls_with: fill },
      filter: both.length > 1 ? both.map((each) => `(${each})`).join(' AND ') : both[0],
    })
  }
  const keys: Node =
    body.kind === 'ratio'
      ? { numerator: body.inputs[0], denominator: body.inputs[1] }
      : body.kind === 'derived'
        ? { input_metrics: body.inputs, expr: body.expr }
        : { input_metric: inputOf(body.use, table), ...body.keys }
  return present({ ...head, type: body.kind, filter, ...keys })
}

function latestTable(
  { name, description, ownDescription, columns, entities, dimensions }: Table,
  metrics: readonly Node[],
): Node {
  const both = [...new Set([description, ownDescription].filter((each) => each !== undefined))]
  const derived = dimensions.filter(({ expr }) => expr !== undefined)
  return present({
    ...{ name, description: both.length > 0 ? both.join(' ') : undefined, semantic_model: { enabled: true } },
    agg_time_dimension: dimensions.find(({ isTime }) => isTime)?.name,
    columns: columns.map((column) => {
      const entity = entities.find((each) => each.column === column.name)
      const dimension = dimensions.find((each) => each.column === column.name)
      return present({
        ...{ name: column.name, description: column.description, data_type: column.type },
        entity: entity && present({ name: entity.name, type: entity.type, description: entity.description }),
        dimension:
          dimension &&
          present({ name: dimension.name, type: dimension.isTime ? 'time' : 'categorical', description: dimension.description }),
        granularity: dimension?.isTime ? 'day' : undefined,
      })
    }),
    derived_semantics:
      derived.length > 0
        ? {
            dimensions: derived.map((each) =>
              present({ name: each.name, type: 'categorical', expr: each.expr, description: each.description }),
            ),
          }
        : undefined,
    metrics,
  })
}

/** One project in both specifications. */
export function dbtPair(seed: number): { readonly legacy: string; readonly latest: string } {
  const random = randomFrom(seed)
  const project = projectOf(random)
  return { legacy: legacy(project), latest: latest(project, random) }
}
