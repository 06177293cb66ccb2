/** Access rules: what is not understood is an error, and every object is bound by a policy or named as bound by none. */
import { nearAccess, restrictedObjects } from '../access.js'
import { columnsOfField } from '../columns-read.js'
import type { ModelDocument } from '../document.js'
import { type Ruling, readAround } from '../read-around.js'
import { codeOf } from '../rollup-parts.js'
import type { ModelAccess, StaticFilter } from '../semantic-model.js'
import { isRecord } from '../shape.js'
import type { Context } from './context.js'
import { knowsObject } from './context.js'
import { type Declared, readFieldRules } from './field-rules.js'
import { readParameters } from './parameters.js'
import { readPolicies, relativesIn } from './policies.js'

/** The access rules of a model; undefined if it has none. `written` is the document before unknown keys were left out. */
export function readAccess(
  written: Readonly<Record<string, unknown>>,
  { filters, ...fields }: Declared & { readonly filters: readonly StaticFilter[] },
  context: Context,
): ModelAccess | undefined {
  refuseMisspelt(written, context)
  const { access } = context.document
  if (!Object.hasOwn(written, 'access')) return undefined
  if (!isRecord(written.access) || access === undefined) {
    context.faults.error(
      'SCHEMA_VALIDATION',
      ['access'],
      "'access' is empty. Write the access rules below it, or remove the key",
      {
        onKey: true,
      },
    )
    return undefined
  }
  const attributes = readParameters({ ...context, document: { parameters: access.attributes ?? {} } }, ['access', 'attributes'])
  const relatives = new Map((access.rows ?? []).flatMap(({ where }) => relativesIn(where, context)))
  const rows = readPolicies(access, { attributes, relatives, filters }, fields, context)
  const unbound = (access.unbound ?? []).filter((name, i) => knowsObject(name, ['access', 'unbound', i], context))
  checkBound({ rows, unbound }, fields, context)
  return {
    attributes,
    relatives,
    rows,
    unbound,
    fields: readFieldRules(access.fields ?? [], fields, context),
    sql: access.sql ?? [],
  }
}

function refuseMisspelt(written: Readonly<Record<string, unknown>>, { faults }: Context): void {
  for (const key of nearAccess(written)) {
    faults.error('UNKNOWN_PROPERTY', [key], `'${key}' is not a key that is known here; write 'access'`, {
      onKey: true,
      suggestions: ['access'],
    })
  }
}

/** Every object is bound on some way or named, and no other object reads a table of which a policy names one. */
function checkBound({ rows, unbound }: Pick<ModelAccess, 'rows' | 'unbound'>, fields: Declared, context: Context): void {
  const { faults } = context
  const { dataObjects } = fields
  if (rows.length === 0 || faults.list.some(({ severity }) => severity === 'error')) return
  const restricted = restrictedObjects({ dataObjects }, rows)
  const named = new Set(rows.map(({ dataObject }) => dataObject))
  for (const [name, object] of dataObjects) {
    // A closure is bound as its object is.
    if (unbound.includes(name) || object.source.kind === 'days' || object.closure) continue
    const at = ['dataObjects', name]
    if (!restricted.has(name)) {
      const message = `No policy binds '${name}'${readBy(name, fields)}: none names it or an object that it joins. A bridge does not bind; if another table says whose the rows are, write a policy on '${name}' with exists. If everybody may see all of its rows, list it in access.unbound`
      faults.error('POLICY_DOES_NOT_BIND', at, message, { onKey: true })
    }
    if (!named.has(name) && object.source.kind === 'sql') {
      const message = `'${name}' is SQL text, which may read any table, and no policy names it`
      faults.error('POLICY_MISSES_TABLE', at, message, { onKey: true })
    }
  }
  const rollups = rollupTables(context.document)
  for (const { object, twin, policyOn } of readAround({ dataObjects, rows, rollups }, { dataObjects, rows, unbound })) {
    const misses = twin === policyOn ? `no policy names '${object}'` : `the policies on '${policyOn}' do not bind '${object}'`
    faults.error('POLICY_MISSES_TABLE', ['dataObjects', object], `'${object}' reads the table of '${twin}', and ${misses}`, {
      onKey: true,
    })
  }
}

/** Where the rollups are stored; their definitions are read later. */
const rollupTables = ({ rollups = {} }: ModelDocument): Ruling['rollups'] =>
  Object.entries(rollups).map(([name, { dataObject, database, schema, code = codeOf(name) }]) => ({
    dataObject,
    table: { database, schema, name: code },
  }))

const SHOWN = 3

/** The measures that would read all rows of the object. */
function readBy(object: string, fields: Declared): string {
  const reads = (name: string): boolean => columnsOfField(name, fields).some((column) => column.object === object)
  const names = [...fields.measures.values()].filter((each) => each.rowCountOf === object || reads(each.name))
  if (names.length === 0) return ''
  const shown = names.slice(0, SHOWN).map(({ name }) => `'${name}'`)
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return ` (read by ${shown.join(', ')}${more})`
}
