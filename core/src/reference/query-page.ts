import { operators, type ValueCount } from '../model/operators.js'
import { querySchema } from '../query/query-schema.js'
import { page, row } from './markdown.js'
import { type Described, sections } from './schema-sections.js'

export function queryPage(): string {
  const root = querySchema as unknown as Described
  const rows = operators.map(({ name, spellings, takes, says }) => {
    const others = spellings.filter((spelling) => spelling !== name).map((spelling) => `\`${spelling}\``)
    return row(`\`${name}\``, others.join(', '), says, VALUES[takes])
  })
  return page(
    'The query',
    'JSON. `schemas/query.json` is the same as a JSON Schema. Every key may be written in snake_case or camelCase; a key that is not listed is an error.',
    '',
    ...sections('Top level', root, root, new Set()),
    '## Operators',
    '',
    row('Operator', 'Other spellings', 'The field …', 'Value'),
    row('---', '---', '---', '---'),
    ...rows,
  )
}

const VALUES: Readonly<Record<ValueCount, string>> = {
  none: 'none',
  one: 'one',
  two: 'a list of two',
  list: 'a list',
  relative: '`{unit, count, direction, include_current}`',
  subquery: 'none; `subquery {dataObject, pathName, filter}`',
}
