import { edmTypeOf } from '../names/edm-type.js'
import { CONTAINER, type EntitySet, KEY, type Property } from '../names/entity-set.js'
import { element } from './xml.js'

/** The namespace of the types of every feed. */
export const NAMESPACE = 'Grainline'

/**
 * The CSDL document in XML (OData CSDL XML 4.0): one entity type and one set for each relation of the model. Terms have their full names and no
 * reference to their vocabularies, because clients load what a document refers to, and many of them have no way to the internet.
 */
export function metadataDocument(sets: readonly EntitySet[]): string {
  const container = element(
    'EntityContainer',
    { Name: CONTAINER },
    ...sets.map(({ name }) => element('EntitySet', { Name: name, EntityType: `${NAMESPACE}.${name}` }, ...SET_ANNOTATIONS)),
  )
  const schema = element(
    'Schema',
    { xmlns: 'http://docs.oasis-open.org/odata/ns/edm', Namespace: NAMESPACE },
    ...sets.map(entityType),
    container,
  )
  const services = element('edmx:DataServices', {}, schema)
  const edmx = { 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx', Version: '4.0' }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('edmx:Edmx', edmx, services)}\n`
}

function entityType({ name, properties }: EntitySet): string {
  const measures = properties.filter(({ isMeasure }) => isMeasure)
  return element(
    'EntityType',
    { Name: name },
    element('Key', {}, element('PropertyRef', { Name: KEY })),
    element('Property', { Name: KEY, Type: 'Edm.String', Nullable: 'false' }, ...describedAs(KEY_MEANS)),
    ...properties.map(property),
    ...measures.map(customAggregate),
  )
}

const KEY_MEANS = 'The key of the row in this answer. It is no field of the model.'

function property({ name, field, type, isMeasure, description }: Property): string {
  const { name: typeName, facets } = edmTypeOf(type)
  const role = isMeasure ? 'Org.OData.Aggregation.V1.Aggregatable' : 'Org.OData.Aggregation.V1.Groupable'
  const means = [...(field === name ? [] : [field]), ...(description === '' ? [] : [description])].join(': ')
  return element(
    'Property',
    { Name: name, Type: typeName, ...facets },
    element('Annotation', { Term: role, Bool: 'true' }),
    ...describedAs(means),
  )
}

const describedAs = (text: string): string[] =>
  text === '' ? [] : [element('Annotation', { Term: 'Org.OData.Core.V1.Description', String: text })]

/** A measure aggregates in one way, that of the model: `aggregate(Revenue)`. */
const customAggregate = ({ name, type }: Property): string =>
  element('Annotation', { Term: 'Org.OData.Aggregation.V1.CustomAggregate', Qualifier: name, String: edmTypeOf(type).name })

const bool = (name: string, value: boolean): string => element('PropertyValue', { Property: name, Bool: String(value) })
const record = (term: string, ...values: readonly string[]): string =>
  element('Annotation', { Term: term }, element('Record', {}, ...values))
const strings = (name: string, values: readonly string[]): string =>
  element('PropertyValue', { Property: name }, element('Collection', {}, ...values.map((value) => element('String', {}, value))))

const SET_ANNOTATIONS = [
  record('Org.OData.Capabilities.V1.InsertRestrictions', bool('Insertable', false)),
  record('Org.OData.Capabilities.V1.UpdateRestrictions', bool('Updatable', false)),
  record('Org.OData.Capabilities.V1.DeleteRestrictions', bool('Deletable', false)),
  record('Org.OData.Capabilities.V1.ExpandRestrictions', bool('Expandable', false)),
  record('Org.OData.Capabilities.V1.SearchRestrictions', bool('Searchable', false)),
  record(
    'Org.OData.Aggregation.V1.ApplySupported',
    strings('Transformations', [
      'filter',
      'groupby',
      'aggregate',
      'compute',
      'orderby',
      'top',
      'skip',
      'topcount',
      'bottomcount',
      'identity',
    ]),
    strings('CustomAggregationMethods', []),
  ),
]
