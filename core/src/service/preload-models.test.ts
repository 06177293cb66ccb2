import t from 'tap'
import { sessionName } from './preload-models.js'

const cases = [
  ['flights', 'flights'],
  ['Sales Model 2', 'Sales_Model_2'],
  ['2024 sales', '_2024_sales'],
  ['Économie – été', 'Economie_ete'],
  ['a--b/../c', 'a_b_c'],
  ['…', 'model'],
  ['', 'model'],
] as const

for (const [text, name] of cases) {
  t.test(`a file named '${text}' is served as ${name}`, async (t) => {
    t.equal(sessionName(text), name)
    t.match(sessionName(text), /^[A-Za-z_][A-Za-z0-9_]*$/)
  })
}
