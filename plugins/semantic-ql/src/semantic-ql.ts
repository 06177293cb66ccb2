/** SQL over models, as a language of the service. */
import type { DataType } from '@grainline/core'
import type { Language, NamedModel, Reading, ReadRequest, ResultSchema } from '@grainline/core/language'
import { fieldsOf, tablesOf } from './catalogue.js'
import { sqlOfAuthors } from './client-sql/client-sql.js'
import { betweenSteps, parseSql } from './grammar/parse-sql.js'
import { SYSTEM_RELATIONS, systemRelations } from './information-schema.js'
import { mainName, relationsOf } from './model-scope.js'
import { readProgram } from './outer/statement.js'
import { parameterTypes } from './parameter-types.js'
import { type CatalogueQuestion, readSql, type SqlReading } from './read-sql.js'
import { referencePage } from './reference-page.js'
import { unsupported } from './refusal.js'
import { relationColumns } from './relation-columns.js'
import { truncatedTimes } from './select/truncated-times.js'

/** Statements in the grammar of PostgreSQL, over models instead of tables. */
export const semanticQl: Language = {
  name: 'semantic-ql',
  reference: referencePage,
  sqlOfAuthors,
  async read(request) {
    const reading = readingOf(await readSql(request), request)
    await betweenSteps(request.text)
    return reading
  },
  async parameterTypes(text, columns, client) {
    if (!/\$\d/.test(text)) return []
    const [statement] = (await parseSql(text, client)).statements
    return statement === undefined ? [] : parameterTypes(statement, typeByName(await columns()))
  },
  async relations(model, catalogue) {
    const named: NamedModel = { names: [''], model }
    const described = relationsOf(named).map(async (relation) => ({
      suffix: relation.view === undefined ? mainName(relation) : '',
      columns: (await relationColumns(relation, catalogue)).schema,
      ...(relation.view !== undefined && { view: { name: relation.view, model: relation.model } }),
    }))
    return Promise.all(described)
  },
}

function readingOf<M extends NamedModel>(read: SqlReading<M>, request: ReadRequest<M>): Reading<M> {
  switch (read.kind) {
    case 'model_query': {
      const { relation, query, preview, everyRowOf, items, notices } = read.select
      return {
        kind: 'model_query',
        modelQuery: { model: relation.named, query, preview, everyRowOf, shownAs: truncatedTimes(items, relation), notices },
        items: items.map(({ name, column }) => ({ name, column: column! })),
      }
    }
    case 'outer':
      return {
        kind: 'outer',
        program: (options) => readProgram(read.stmt, read.context, { ...options, models: read.scope }),
      }
    case 'explain':
      return { kind: 'explain', reading: readingOf(read.reading, request) }
    case 'catalogue':
      return aboutModels(read.about, request)
    default:
      return read
  }
}

function aboutModels<M extends NamedModel>(about: CatalogueQuestion, request: ReadRequest<M>): Reading<M> {
  const { scope } = request
  const kind = 'catalogue'
  switch (about.kind) {
    case 'tables':
      return { kind, about: 'tables', rows: () => tablesOf(scope) }
    case 'describe':
      return { kind, about: 'describe', rows: () => fieldsOf(about.relation, scope, request) }
    case 'constant': {
      const { row, stmt, context } = about
      if (row) return { kind, about: 'constant', rows: () => row }
      const program = (options: Options) => readProgram(stmt, context, { ...options, models: scope })
      return { kind, about: 'constant', evaluated: { program, relations: async () => [] } }
    }
    case 'system': {
      const { stmt, context } = about
      if (stmt === undefined) return { kind, about: 'system', rows: refuseSystem }
      const program = (options: Options) => readProgram(stmt, context, { ...options, models: scope, made: SYSTEM_RELATIONS })
      const relations = () => systemRelations(scope, (named) => relationColumns(named, request))
      return { kind, about: 'system', evaluated: { program, relations } }
    }
  }
}

type Options = Pick<Parameters<typeof readProgram>[2], 'evaluator' | 'defaultLimit'>

const refuseSystem = () =>
  unsupported('FROM', 'Of the system catalogue only schemata, tables and columns are answered here, and grainline.fields', {
    rewrite: 'information_schema.tables or information_schema.columns, SHOW TABLES, or DESCRIBE and the name of a model',
  })

/** The type of a column: by exact name, else of the first that differs only in case. */
function typeByName(columns: ResultSchema): (name: string) => DataType | undefined {
  return (name) => {
    const folded = name.toLowerCase()
    const exact = columns.find((column) => column.name === name)
    return (exact ?? columns.find((column) => column.name.toLowerCase() === folded))?.type
  }
}
