/** The columns of catalogue answers: https://arrow.apache.org/docs/format/FlightSql.html */
import {
  Binary,
  Bool,
  type DataType,
  DenseUnion,
  Field,
  Int32,
  Int64,
  List,
  Map_,
  Schema,
  Struct,
  Uint8,
  Uint32,
  Utf8,
} from 'apache-arrow'

const text = new Utf8()
const int32 = new Int32()
const bool = new Bool()

const field = (name: string, type: DataType): Field => new Field(name, type, false)
const nullable = (name: string, type: DataType): Field => new Field(name, type, true)
const list = (item: Field): DataType => new List(item)

const foreignKeys = [
  ...['pk_catalog_name', 'pk_db_schema_name'].map((name) => nullable(name, text)),
  ...['pk_table_name', 'pk_column_name'].map((name) => field(name, text)),
  ...['fk_catalog_name', 'fk_db_schema_name'].map((name) => nullable(name, text)),
  ...['fk_table_name', 'fk_column_name'].map((name) => field(name, text)),
  field('key_sequence', int32),
  nullable('fk_key_name', text),
  nullable('pk_key_name', text),
  field('update_rule', new Uint8()),
  field('delete_rule', new Uint8()),
]

const named = [nullable('catalog_name', text), nullable('db_schema_name', text), field('table_name', text)]
const tables = [...named, field('table_type', text)]

const conversions = new Struct([field('key', int32), nullable('value', list(nullable('$data$', int32)))])
/** The children of a value of `GetSqlInfo`, by their type ids. */
export const SQL_INFO_VALUE = new DenseUnion(
  [0, 1, 2, 3, 4, 5],
  [
    nullable('string_value', text),
    nullable('bool_value', bool),
    nullable('bigint_value', new Int64()),
    nullable('int32_bitmask', int32),
    nullable('string_list', list(nullable('string_data', text))),
    nullable('int32_to_int32_list_map', new Map_(new Field('entries', conversions, false) as never)),
  ],
)

export const SCHEMAS = {
  catalogs: new Schema([field('catalog_name', text)]),
  dbSchemas: new Schema([nullable('catalog_name', text), field('db_schema_name', text)]),
  tables: new Schema(tables),
  tablesWithSchema: new Schema([...tables, field('table_schema', new Binary())]),
  tableTypes: new Schema([field('table_type', text)]),
  primaryKeys: new Schema([...named, field('column_name', text), nullable('key_name', text), field('key_sequence', int32)]),
  foreignKeys: new Schema(foreignKeys),
  sqlInfo: new Schema([field('info_name', new Uint32()), field('value', SQL_INFO_VALUE)]),
  xdbcTypeInfo: new Schema([
    field('type_name', text),
    field('data_type', int32),
    nullable('column_size', int32),
    nullable('literal_prefix', text),
    nullable('literal_suffix', text),
    nullable('create_params', list(field('item', text))),
    field('nullable', int32),
    field('case_sensitive', bool),
    field('searchable', int32),
    nullable('unsigned_attribute', bool),
    field('fixed_prec_scale', bool),
    nullable('auto_increment', bool),
    nullable('local_type_name', text),
    nullable('minimum_scale', int32),
    nullable('maximum_scale', int32),
    field('sql_data_type', int32),
    nullable('datetime_subcode', int32),
    nullable('num_prec_radix', int32),
    nullable('interval_precision', int32),
  ]),
} as const
