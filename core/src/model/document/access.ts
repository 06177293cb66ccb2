/** Access rules, as written. */
import { type Static, Type } from 'typebox'
import { parameterSchema } from './parameter.js'
import { flag, maybe, names, orMissingSays, refer, scalarValue, text } from './parts.js'

/** In place of a value: an attribute of the principal, its name, or a day that the present decides. */
export type PolicyValue =
  | string
  | number
  | boolean
  | null
  | { readonly attribute: string }
  | { readonly principal: 'name' }
  | { readonly relative: string }

export interface PolicyFilterDocument {
  readonly field?: string
  readonly op?: string
  readonly value?: PolicyValue | readonly PolicyValue[]
  readonly expression?: string
  readonly logic?: 'and' | 'or'
  readonly filters?: readonly PolicyFilterDocument[]
  readonly exists?: string
  readonly nonexists?: string
  readonly pathName?: string
  readonly negated?: boolean
  readonly orMissing?: boolean
}

const ofPrincipal = Type.Object(
  {
    attribute: text('The name of an attribute of the principal.'),
    principal: maybe(['name'], 'The name of the principal.'),
    relative: text("A day: 'today', 'start of month', 'end of year', '90 days ago'."),
  },
  { description: 'What the principal, or the present, has in place of a value.' },
)

const policyValue = Type.Unsafe<PolicyFilterDocument['value']>({
  anyOf: [scalarValue, { type: 'array', items: { anyOf: [scalarValue, ofPrincipal] } }, ofPrincipal],
})

export const policyFilterSchema = Type.Object(
  {
    field: text("What is compared: 'Object.Column', or a dimension that is a column."),
    op: text('The comparison.'),
    value: Type.Optional(policyValue),
    expression: text('In place of these: a condition over columns.'),
    logic: maybe(['and', 'or'], 'How the filters of a group combine (and).'),
    filters: Type.Optional(
      Type.Array(refer<PolicyFilterDocument>('PolicyFilter'), {
        minItems: 1,
        description: 'The members of a group, or the conditions on the rows of exists.',
      }),
    ),
    exists: text('In place of these: an object of which a row that meets the filters must connect with the row.'),
    nonexists: text('The same object, of which no such row may connect.'),
    pathName: text('The name of a join on the way to the object of exists.'),
    negated: flag('The opposite of the group.'),
    orMissing: flag(orMissingSays),
  },
  { description: 'A condition on rows, or a group of such.' },
)

const rowPolicySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'The name of the policy.' }),
    label: text('How people whom it binds see it (the name).'),
    dataObject: Type.String({ description: 'The object whose rows it removes, and with them those that lead there.' }),
    where: refer<PolicyFilterDocument>('PolicyFilter'),
    unless: names('The roles that it does not bind.'),
    deniesBy: flag('Whether it may name what is removed instead of what remains (false).'),
  },
  { description: 'Which rows of an object a principal may see.' },
)

const fieldRuleSchema = Type.Object(
  {
    hide: Type.Array(Type.String(), {
      minItems: 1,
      description:
        "Dimensions, measures, metrics, segments and columns ('Object.Column') that do not exist for a principal, and with them all that reads them.",
    }),
    publish: names('Measures and metrics that are shown although they read what is hidden.'),
    unless: names('The roles from which it hides nothing.'),
  },
  { description: 'Which fields do not exist for a principal.' },
)

export const accessSchema = Type.Object(
  {
    attributes: Type.Optional(
      Type.Record(Type.String(), parameterSchema, { description: 'What policies read of a principal, by name.' }),
    ),
    rows: Type.Optional(
      Type.Array(rowPolicySchema, { description: 'Policies on rows; all that bind a principal must be true.' }),
    ),
    unbound: names('The objects that no policy binds on purpose.'),
    fields: Type.Optional(
      Type.Array(fieldRuleSchema, { description: 'Fields that are hidden; all rules that bind a principal hold.' }),
    ),
    sql: names('The roles that see SQL although policies bind them.'),
  },
  { description: 'The access rules: which rows and fields a principal may see. An unknown key is an error.' },
)

export type AccessDocument = Static<typeof accessSchema>
