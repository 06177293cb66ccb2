/** What an entity of the diagram is called. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { erDiagram } from './er-diagram.js'

t.test('a closure says whose tree it is, and by which column', async (t) => {
  const model = shopWith({
    dataObjects: {
      Regions: { columns: { Above: { code: 'above', abstractType: 'int' } } },
      'Region Tree': { closure: { dataObject: 'Regions', key: 'Id', parent: 'Above' } },
    },
  })
  const text = erDiagram(model, { showColumns: false, theme: 'default' })
  t.match(text, '["Region Tree (tree of Regions, by Above)"]')
  t.match(text, '["Regions"]')
})
