import { type Finding, GrainlineError } from '../errors.js'
import { isLostByCode } from '../execute/driver-fault.js'
import { entryOf } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { equalityOf } from '../model/join-term.js'
import { type DataObject, hasTable, type Join, keysOf, type SemanticModel } from '../model/semantic-model.js'
import { clockAt } from '../resolve/clock.js'
import { binary, integer } from '../resolve/expressions.js'
import { withInternalFunctions } from '../sql/internal-functions.js'
import { baseRows } from './base-rows.js'
import {
  judgeArray,
  judgeCalendar,
  judgeDimension,
  judgeEdge,
  judgeMeasure,
  judgeObject,
  judgeSort,
  judgeTree,
  judgeWeights,
  lookupsOf,
} from './judge.js'
import { type Profile, profileObject, profileSubjects } from './profile-object.js'
import type {
  ArrayReport,
  CalendarReport,
  EdgeReport,
  ObjectReport,
  SortReport,
  TreeReport,
  VerifyReport,
  WeightReport,
} from './report.js'
import { runStatement } from './run-statement.js'
import { aggregate, item, part, select } from './sql-parts.js'
import { isNested, verifyArray } from './verify-array.js'
import { isCalendarTable, verifyCalendar } from './verify-calendar.js'
import type { VerifyContext } from './verify-context.js'
import { verifyEdge } from './verify-edge.js'
import { verifyObject } from './verify-object.js'
import { isSorted, verifySort } from './verify-sort.js'
import { isTree, rowsOfTree, verifyTree } from './verify-tree.js'
import { verifyWeights, weightedSides } from './verify-weights.js'

/**
 * Verifies a model against its data: keys, joins, dimensions and sums, one statement for each object and edge, one after another. A
 * statement that the database refuses is a finding at its place; any other error rejects.
 */
export async function verifyModel(given: Omit<VerifyContext, 'time'>): Promise<VerifyReport> {
  const { settings } = given.model
  const context: VerifyContext = {
    ...given,
    functions: withInternalFunctions(given.functions),
    time: {
      clock: clockAt(given.now, settings.queryTimezone ?? 'UTC', settings.weekStart),
      zone: settings.queryTimezone ?? 'UTC',
      weekStart: settings.weekStart,
      naiveZone: undefined,
      leavesNaive: false,
    },
  }
  return new Verification(context).report()
}

/** One run: the steps in their order, and what they found. */
class Verification {
  readonly #context: VerifyContext
  readonly #findings: Finding[] = []
  readonly #tables: DataObject[] = []

  constructor(context: VerifyContext) {
    this.#context = context
  }

  async report(): Promise<VerifyReport> {
    const { model, now } = this.#context
    await this.#readTables()
    const objects = await this.#objects()
    const edges = await this.#edges()
    const weights = await this.#weights()
    const arrays = await this.#arrays()
    const sorts = await this.#sorts()
    const calendars = await this.#calendars()
    const trees = await this.#trees()
    const profiles = await this.#profiles()
    const findings = this.#findings.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
    return {
      model: model.name ?? null,
      checked_at: now.toISOString(),
      status: findings.length === 0 ? 'ok' : 'findings',
      objects,
      edges,
      weights,
      arrays,
      sorts,
      calendars,
      trees,
      dimensions: profiles.flatMap((profile) => profile.dimensions),
      measures: profiles.flatMap((profile) => profile.measures),
      findings,
    }
  }

  /** A missing table is a separate finding, once. */
  async #readTables(): Promise<void> {
    for (const object of this.#context.model.dataObjects.values()) {
      if (!hasTable(object)) continue
      const isTable = await this.#attempt(`dataObjects.${object.name}`, () => verifyReadable(object, this.#context))
      if (isTable) this.#tables.push(object)
    }
  }

  async #objects(): Promise<ObjectReport[]> {
    const objects: ObjectReport[] = []
    for (const object of this.#tables.filter((each) => keysOf(each).length > 0)) {
      const verify = () => verifyObject(object, this.#context)
      objects.push(...(await this.#judged(`dataObjects.${object.name}`, verify, judgeObject)))
    }
    return objects
  }

  async #edges(): Promise<EdgeReport[]> {
    const edges: EdgeReport[] = []
    for (const object of this.#tables) {
      for (const [i, join] of object.joins.entries()) {
        if (!this.#isReadable(join.to)) continue
        const path = `dataObjects.${object.name}.joins[${i}]`
        const judge = (report: EdgeReport) => judgeEdge(report, path, isByOwnKey(join, object))
        edges.push(...(await this.#judged(path, () => verifyEdge(join, this.#context), judge)))
      }
    }
    return edges
  }

  async #weights(): Promise<WeightReport[]> {
    const weights: WeightReport[] = []
    for (const object of this.#tables.filter((each) => each.weight !== undefined)) {
      for (const side of weightedSides(object, this.#context.model)) {
        const verify = () => verifyWeights(object, side, this.#context)
        weights.push(...(await this.#judged(`dataObjects.${object.name}.weight`, verify, judgeWeights)))
      }
    }
    return weights
  }

  async #arrays(): Promise<ArrayReport[]> {
    const { dialect, model } = this.#context
    const arrays: ArrayReport[] = []
    for (const object of dialect.elements && dialect.functions['not_an_array'] ? model.dataObjects.values() : []) {
      if (!isNested(object) || !this.#isReadable(rootOf(object, model).name)) continue
      const verify = () => verifyArray(object, this.#context)
      arrays.push(...(await this.#judged(`dataObjects.${object.name}.nestedIn`, verify, judgeArray)))
    }
    return arrays
  }

  async #sorts(): Promise<SortReport[]> {
    const { model } = this.#context
    const sorts: SortReport[] = []
    for (const dimension of model.dimensions.values()) {
      if (!isSorted(dimension) || !this.#isReadable(rootOf(entryOf(model.dataObjects, dimension.dataObject), model).name))
        continue
      const verify = () => verifySort(dimension, this.#context)
      sorts.push(...(await this.#judged(`dimensions.${dimension.name}.sortBy`, verify, judgeSort)))
    }
    return sorts
  }

  async #calendars(): Promise<CalendarReport[]> {
    const calendars: CalendarReport[] = []
    for (const object of this.#tables) {
      if (!isCalendarTable(object)) continue
      const path = `dataObjects.${object.name}.calendar`
      calendars.push(...(await this.#judged(path, () => verifyCalendar(object, this.#context), judgeCalendar)))
    }
    return calendars
  }

  async #trees(): Promise<TreeReport[]> {
    const { dialect, model } = this.#context
    const trees: TreeReport[] = []
    for (const object of dialect.recursiveTable ? model.dataObjects.values() : []) {
      if (!isTree(object) || !this.#isReadable(rootOf(rowsOfTree(object, model.dataObjects), model).name)) continue
      const path = `dataObjects.${object.name}.closure`
      trees.push(...(await this.#judged(path, () => verifyTree(object, this.#context), judgeTree)))
    }
    return trees
  }

  async #profiles(): Promise<Profile[]> {
    const lookups = lookupsOf(this.#context.model.dataObjects.values())
    const profiles: Profile[] = []
    for (const subjects of profileSubjects(this.#context).filter(({ object }) => this.#isReadable(object))) {
      const judge = ({ dimensions, measures }: Profile) => [
        ...dimensions.flatMap((report) => judgeDimension(report, lookups.has(subjects.object))),
        ...measures.flatMap(judgeMeasure),
      ]
      const verify = () => profileObject(subjects, this.#context)
      profiles.push(...(await this.#judged(`dataObjects.${subjects.object}`, verify, judge)))
    }
    return profiles
  }

  /** The report, whose findings are noted; none if the work fails, which is a finding itself. */
  async #judged<R>(path: string, work: () => Promise<R>, judge: (report: R) => readonly Finding[]): Promise<readonly R[]> {
    const report = await this.#attempt(path, work)
    if (!report) return []
    this.#findings.push(...judge(report))
    return [report]
  }

  readonly #isReadable = (name: string): boolean => this.#tables.some((table) => table.name === name)

  readonly #attempt = <T>(path: string, work: () => Promise<T>): Promise<T | undefined> => orFinding(path, work, this.#findings)
}

/** Rows that are joined one-to-one by their own key refer to nothing: one without a match is no orphan, such as a sale without return. */
const isByOwnKey = ({ cardinality, on, foreignKey }: Join, object: DataObject): boolean => {
  const own = equalityOf(on)?.map(({ from }) => from) ?? []
  return cardinality === 'one-to-one' && !foreignKey && keysOf(object).some((key) => key.every((column) => own.includes(column)))
}

/** The object whose table holds the elements, at any depth. */
const rootOf = (object: DataObject, model: SemanticModel): DataObject =>
  object.nestedIn ? rootOf(entryOf(model.dataObjects, object.nestedIn.dataObject), model) : object

/** Errors that concern the model: a missing table or column, a different type, an ambiguous path. */
const OF_THE_MODEL: ReadonlySet<string> = new Set([
  'DATABASE_ERROR',
  'NUMERIC_OVERFLOW',
  'TREE_TOO_DEEP',
  'RESULT_TYPE_MISMATCH',
  'NO_JOIN_PATH',
  'AMBIGUOUS_JOIN',
  'UNSUPPORTED_FUNCTION',
  'UNSUPPORTED_AGGREGATION',
  'TYPE_MISMATCH',
])

async function orFinding<T>(path: string, work: () => Promise<T>, findings: Finding[]): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GrainlineError) || !OF_THE_MODEL.has(error.code) || isLostByCode(error.details.cause)) throw error
    findings.push({ ...error.toFinding(), path })
    return undefined
  }
}

/** Rejects if the database does not have the table, or does not allow reading it. No row is read. */
async function verifyReadable(object: DataObject, context: VerifyContext): Promise<true> {
  const base = baseRows(
    { object: object.name, name: 'object_rows', wanted: [{ name: 'one', expression: integer(1) }], all: true },
    context,
  )
  const never = [binary('=', integer(1), integer(0))]
  const body = select([item('row_total', aggregate('count', [], INT), INT)], part('object_rows'), { where: never })
  await runStatement(base.ctes, body, context)
  return true
}
