/** A project of dbt may have thousands of semantic models: for each entity, not all of them are searched. */
import t from 'tap'
import { homesOf, ownersOf } from '../../plugins/importer-dbt/src/homes.js'
import type { ModelObject } from '../../plugins/importer-dbt/src/model-object.js'
import { partOf } from '../../plugins/importer-dbt/src/part.js'

const COUNT = 1000

t.test('the objects of all entities are found by reading each object a few times', (t) => {
  let reads = 0
  const part = partOf({}, () => ({ line: 1, column: 1 }))
  const objects = Array.from({ length: COUNT }, (_, at): ModelObject => {
    const entities = [{ name: `e${at}`, type: 'primary', expr: 'id', part }]
    const model = {
      ...{
        name: `m${at}`,
        part,
        relation: { code: 't' },
        description: undefined,
        primaryEntity: `e${at}`,
        defaultTime: undefined,
      },
      ...{ dimensions: [], types: new Map() },
      get entities() {
        reads++
        return entities
      },
    }
    const keys = new Map([[`e${at}`, 'id']])
    return { model, name: `m${at}`, columns: {}, entities: keys, dimensions: new Map(), assumed: new Set() }
  })
  const homes = homesOf(objects)
  const owners = ownersOf(objects, homes)
  t.equal(homes.get('e7'), objects[7])
  t.same(
    owners.get('e7')?.map(({ name }) => name),
    ['m7'],
  )
  t.ok(reads <= 4 * COUNT, `${reads} reads of ${COUNT} objects`)
  t.end()
})
