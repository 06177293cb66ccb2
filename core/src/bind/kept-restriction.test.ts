/** What policies leave of an object, bound once for the view of a principal. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { restrictionsOf } from './restrictions.js'

const NOW = new Date(0)
const leaf = (object: string, column: string, operator: 'eq' | 'gt', value: string | number) => ({
  label: '',
  dataObject: object,
  condition: { kind: 'leaf', column: { kind: 'column', object, column }, operator, values: [value], path: '' } as const,
})
const north = leaf('Regions', 'Name', 'eq', 'north')
const viewOf = (model: SemanticModel, rows = [north]): SemanticModel => ({
  ...model,
  restriction: { missing: [], rows, removesFrom: new Set(['Orders', 'Customers', 'Regions']), withholdsSql: false },
})

t.test('the rows of an object are bound once for a view, and not for another', async (t) => {
  const [view, other] = [viewOf(shopWith()), viewOf(shopWith())]
  const left = restrictionsOf(contextOf(view), NOW)?.of('Orders')
  t.ok(left)
  t.equal(restrictionsOf(contextOf(view), NOW)?.of('Orders'), left)
  t.equal(restrictionsOf(contextOf(view), new Date(1e12))?.of('Orders'), left, 'at another time')
  t.not(restrictionsOf(contextOf(view), NOW)?.of('Customers'), left)
  t.not(restrictionsOf(contextOf(other), NOW)?.of('Orders'), left)
})

t.test('they are bound again for other catalogues and rules', async (t) => {
  const context = contextOf(viewOf(shopWith()))
  const left = restrictionsOf(context, NOW)?.of('Orders')
  t.equal(restrictionsOf({ ...context }, NOW)?.of('Orders'), left)
  for (const changed of [
    { functions: new Map(context.functions) },
    { aggregates: new Map(context.aggregates) },
    { rules: { without: new Set(['one']), isChecked: false } },
  ])
    t.not(restrictionsOf({ ...context, ...changed }, NOW)?.of('Orders'), left, Object.keys(changed).join())
})

t.test('each question asks how the columns are stored, and one that is stored otherwise is bound again', async (t) => {
  const context = contextOf(viewOf(shopWith()))
  const askedOf = (collation: string | undefined) => {
    const asked: string[] = []
    const storedAs: (typeof context)['storedAs'] = (object, column) => {
      asked.push(`${object}.${column.name}`)
      return { name: `${object}.${column.name}`, declared: column.type, physical: undefined, collation }
    }
    return { left: restrictionsOf({ ...context, storedAs }, NOW)?.of('Regions'), asked }
  }
  const first = askedOf('C')
  t.ok(first.asked.includes('Regions.Name'))
  const second = askedOf('C')
  t.equal(second.left, first.left, 'values are compared, not objects')
  t.same(new Set(second.asked), new Set(first.asked), 'what is kept reports what it reads')
  t.not(askedOf('de_DE').left, first.left)
  t.not(askedOf(undefined).left, first.left)
})

t.test('one column that is stored otherwise is enough', async (t) => {
  const context = contextOf(viewOf(shopWith()))
  const leftIf = (collated: string) => {
    const storedAs: (typeof context)['storedAs'] = (object, column) => ({
      name: `${object}.${column.name}`,
      declared: column.type,
      physical: undefined,
      collation: column.name === collated ? 'de_DE' : 'C',
    })
    return restrictionsOf({ ...context, storedAs }, NOW)?.of('Orders')
  }
  const left = leftIf('none')
  t.equal(leftIf('none'), left)
  t.not(leftIf('Name'), left)
})

t.test('what reads a column over other rows is not kept, because its question computes them', async (t) => {
  const plain = shopWith({ dataObjects: { Customers: { columns: { Spent: { measure: 'Sales' } } } } })
  const context = contextOf(viewOf(plain, [leaf('Customers', 'Spent', 'gt', 1)]))
  for (const question of ['the first', 'the second']) {
    const restrictions = restrictionsOf(context, NOW)
    restrictions?.of('Customers')
    t.equal(restrictions?.measureColumns().length, 1, question)
  }
})
