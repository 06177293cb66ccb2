/** The error of a missing join names the paths that would help, and no others. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { refusalOf } from '../support/compile.js'

const key = { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Ref: { code: 'ref', abstractType: 'int' } }
const join = (joinTo: string, more: object = {}) => ({
  joinType: 'many-to-one',
  joinTo,
  columnsFrom: ['Ref'],
  columnsTo: ['Id'],
  ...more,
})
const secondary = (joinTo: string, pathName: string) => join(joinTo, { secondary: true, pathName })
const { model } = parseModelSync({
  json: {
    dataObjects: {
      Orders: { code: 'orders', columns: key, joins: [join('Shops'), join('Customers'), secondary('Places', 'shipped to')] },
      Shops: { code: 'shops', columns: key, joins: [join('Regions')] },
      Customers: {
        code: 'customers',
        columns: key,
        joins: [join('Regions'), secondary('Places', 'lives in'), secondary('Shops', 'usual shop')],
      },
      Regions: { code: 'regions', columns: key },
      Places: { code: 'places', columns: key },
      Calls: { code: 'calls', columns: key, joins: [join('Agents'), secondary('Customers', 'caller')] },
      Agents: { code: 'agents', columns: key },
    },
    dimensions: {
      Region: { dataObject: 'Regions', column: 'Id' },
      Place: { dataObject: 'Places', column: 'Id' },
      Agent: { dataObject: 'Agents', column: 'Id' },
    },
  },
})
const hintOf = (dimension: string, measure: string): [string, string | undefined] => {
  const { code, details } = refusalOf({ select: { dimensions: [dimension], measures: [measure] } }, model!)
  return [code, details.hint]
}

t.test('the hint names the joins that would reach the field', (t) => {
  t.same(hintOf('Place', 'Orders Count'), [
    'NO_JOIN_PATH',
    "pin 'shipped to' from 'Orders' to 'Places', or 'lives in' from 'Customers' to 'Places' with use_path_names",
  ])
  t.same(hintOf('Agent', 'Customers Count'), ['NO_JOIN_PATH', "pin 'caller' from 'Calls' to 'Customers' with use_path_names"])
  t.same(hintOf('Agent', 'Shops Count'), ['NO_JOIN_PATH', undefined], 'one pin does not do')
  t.same(hintOf('Region', 'Orders Count'), ['AMBIGUOUS_JOIN', undefined])
  t.end()
})
