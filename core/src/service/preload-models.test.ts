import t from 'tap'
import { sessionName } from './preload-models.js'

const cases = [
  ['flights', 'flights'],
  ['Sales Model 2', 'Sales_Model_2'],
  ['2024 sales', '_2024_sales'],
  ['Économie – été', 'Economie_ete'],
  ['a--b/../c', 'a_b_c'],
  ['売上', '売上'],
  ['在庫 2024', '在庫_2024'],
  ['がくせい', 'がくせい'],
  ['Продажи', 'Продажи'],
  ['الطلبات', 'الطلبات'],
  ['बिक्री', 'बिक्री'],
  ['ＳＡＬＥＳ', 'SALES'],
  ['…', undefined],
  ['', undefined],
] as const

for (const [text, name] of cases) {
  t.test(`a file named '${text}' is served as ${name ?? 'its file says'}`, async (t) => {
    t.equal(sessionName(text), name)
    t.match(name ?? 'model', /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u)
  })
}
