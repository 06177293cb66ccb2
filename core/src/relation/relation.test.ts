/** Relations are equal exactly if they have one origin, whatever the names in it. */
import fc from 'fast-check'
import t from 'tap'
import { isSame } from '../same.js'
import {
  atEndOf,
  longerPath,
  madeOf,
  measuredAt,
  movedTo,
  named,
  type Origin,
  originOf,
  type Path,
  type Relation,
  rootPath,
  stepsAfter,
} from './relation.js'

const SEED = Number(process.env.SEED ?? 20270401)

const name = fc.oneof(fc.constantFrom('a', 'b', 'a/b', 'a:a_rows', '{', '["a"]', '%2F'), fc.string())
const path = fc
  .tuple(name, fc.array(fc.tuple(name, fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant('back' as const))), { maxLength: 3 }))
  .map(([root, steps]) => steps.reduce((from, [to, by]) => longerPath(from, to, by), rootPath(root)))
const relation: fc.Arbitrary<Relation> = fc.oneof(
  path.map(atEndOf),
  fc.tuple(path, name).map(([on, column]) => measuredAt(on, column)),
  fc.tuple(name, name, fc.array(name, { maxLength: 2 })).map(([of, suffix, within]) => madeOf(of, suffix, within)),
  fc.constantFrom('', 'answer', 'orders_rows').map(named),
)

/** The relation of an origin whose properties are in another order. */
function again(origin: Origin): Relation {
  switch (origin.kind) {
    case 'path':
      return atEndOf(turned(origin))
    case 'measured':
      return measuredAt(turned(origin.path), origin.column)
    case 'made':
      return madeOf(origin.of, origin.suffix, origin.within)
    case 'named':
      return named(origin.name)
  }
}

const turned = ({ kind, root, steps }: Path): Path => ({ steps: steps.map(({ to, by }) => ({ by, to })), root, kind })

t.test(`relations of one origin are one key (seed ${SEED})`, async (t) => {
  fc.assert(
    fc.property(relation, relation, (one, other) => {
      t.equal(again(originOf(one)), one)
      t.equal(one === other, isSame(originOf(one), originOf(other)))
    }),
    { seed: SEED },
  )
})

t.test(`a path has the steps after those that it begins with (seed ${SEED})`, async (t) => {
  fc.assert(
    fc.property(path, fc.nat({ max: 3 }), path, (long, count, other) => {
      const start = { ...long, steps: long.steps.slice(0, count) }
      t.same(stepsAfter(long, start), long.steps.slice(count))
      t.equal(stepsAfter(long, other) !== undefined, isSame({ ...long, steps: long.steps.slice(0, other.steps.length) }, other))
    }),
    { seed: SEED },
  )
})

t.test('what belongs to the rows of one object moves to those of another', async (t) => {
  const [shop, web] = [rootPath('Shop'), rootPath('Web')]
  const names = { from: atEndOf(shop), to: atEndOf(web) }
  const items = (from: Path): Path => longerPath(from, 'Items', 2)
  t.equal(movedTo(atEndOf(shop), names), atEndOf(web))
  t.equal(movedTo(atEndOf(items(shop)), names), atEndOf(items(web)))
  t.equal(movedTo(measuredAt(items(shop), 'Sold'), names), measuredAt(items(web), 'Sold'))
  t.equal(movedTo(madeOf('Visits', '_found', ['Shop', '0']), names), madeOf('Visits', '_found', ['Web', '0']))
  for (const other of [atEndOf(items(rootPath('Mail'))), madeOf('Visits', '_found', ['Mail', '0']), named('shop')])
    t.equal(movedTo(other, names), other)
})

t.test('a word is read as the same origin however many others were read', async (t) => {
  const item = (i: number): Path => longerPath(rootPath('Shop'), `Item ${i}`, 1)
  for (let i = 0; i < 2500; i++) t.same(originOf(atEndOf(item(i % 1300))), item(i % 1300))
})
