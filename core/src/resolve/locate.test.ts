import t from 'tap'
import { bindQuery } from '../bind/bind-query.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { parseModelSync } from '../model/load-model.js'
import { parseQuery } from '../query/parse-query.js'
import { resolveQuery } from './resolve-query.js'

/** Two bridges lead from people to teams, and none of them is between the other and the base; nothing leads to visits. */
const MODEL = `
version: 1
dataObjects:
  People: { code: people, columns: { Id: { code: id, abstractType: int, primaryKey: true } } }
  Teams: { code: teams, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Name: { code: name, abstractType: string } } }
  Members:
    code: members
    columns: { Person: { code: person_id, abstractType: int }, Team: { code: team_id, abstractType: int } }
    joins:
      - { joinTo: People, joinType: many-to-one, columnsFrom: [Person], columnsTo: [Id] }
      - { joinTo: Teams, joinType: many-to-one, columnsFrom: [Team], columnsTo: [Id] }
  Leaders:
    code: leaders
    columns: { Person: { code: person_id, abstractType: int }, Team: { code: team_id, abstractType: int } }
    joins:
      - { joinTo: People, joinType: many-to-one, columnsFrom: [Person], columnsTo: [Id] }
      - { joinTo: Teams, joinType: many-to-one, columnsFrom: [Team], columnsTo: [Id] }
  Visits: { code: visits, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Place: { code: place, abstractType: string } } }
dimensions:
  Team: { dataObject: Teams, column: Name }
  Place: { dataObject: Visits, column: Place }
`
const { model, errors } = parseModelSync({ text: MODEL })
const catalogues = { functions: builtInFunctions, aggregates: builtInAggregates }
const bind = (query: unknown) =>
  bindQuery(resolveQuery(parseQuery(query), model!, { ...catalogues, now: new Date(0), defaultLimit: undefined }), catalogues)

t.test('a condition on an ambiguous and an unreachable field does not apply, in any order', async (t) => {
  t.same(errors, [])
  const team = { field: 'Team', op: 'equals', value: 'red' }
  const place = { field: 'Place', op: 'equals', value: 'Rome' }
  const select = { measures: ['People Count', 'Visits Count'] }
  t.throws(() => bind({ select, where: [team] }), { code: 'AMBIGUOUS_JOIN' })
  const said = [
    [team, place],
    [place, team],
  ].map((filters) => {
    try {
      return bind({ select, where: [{ logic: 'or', filters }] }).warnings
    } catch (error) {
      return (error as { code: string }).code
    }
  })
  t.equal(said[0], 'FILTER_APPLIES_TO_NOTHING')
  t.equal(said[1], said[0])
})

t.test('a bridge that meets the base in several objects is refused with these', async (t) => {
  const two = MODEL.replace(
    'dimensions:',
    `  Parts:
    code: parts
    columns: { Person: { code: person_id, abstractType: int }, Visit: { code: visit_id, abstractType: int }, Team: { code: team_id, abstractType: int } }
    joins:
      - { joinTo: People, joinType: many-to-one, columnsFrom: [Person], columnsTo: [Id] }
      - { joinTo: Visits, joinType: many-to-one, columnsFrom: [Visit], columnsTo: [Id] }
  Shares:
    code: shares
    bridge: true
    columns: { Person: { code: person_id, abstractType: int }, Visit: { code: visit_id, abstractType: int }, Kind: { code: kind, abstractType: string } }
    joins:
      - { joinTo: People, joinType: many-to-one, columnsFrom: [Person], columnsTo: [Id] }
      - { joinTo: Visits, joinType: many-to-one, columnsFrom: [Visit], columnsTo: [Id] }
dimensions:
  Kind: { dataObject: Shares, column: Kind }`,
  )
  const { model: own } = parseModelSync({ text: two })
  const query = { select: { dimensions: ['Kind'], measures: ['Parts Count'] } }
  const options = { ...catalogues, now: new Date(0), defaultLimit: undefined }
  t.throws(() => bindQuery(resolveQuery(parseQuery(query), own!, options), catalogues), {
    code: 'AMBIGUOUS_JOIN',
    message: /'Parts' and 'Shares' meet in 'People' and 'Visits', and none of these leads to the others/,
  })
})
