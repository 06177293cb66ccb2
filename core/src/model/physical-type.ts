/** How a database stores a column, parsed from the database's name of the type. The declared type gives the meaning (docs/column-types.md). */
export interface PhysicalType {
  readonly kind: PhysicalKind
  /** As the database spells it. */
  readonly name: string
  /** For decimals; absent if the name contains none. */
  readonly precision?: number
  readonly scale?: number
  /** The values of an enumeration, in its order. */
  readonly labels?: readonly string[]
  /** The engine compares such values with no text, not even with one of the same form. */
  readonly comparesNoText?: boolean
}

export type PhysicalKind =
  | 'integer'
  | 'real'
  | 'double'
  | 'decimal'
  | 'text'
  | 'padded'
  | 'folded'
  | 'uuid'
  | 'enum'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamp_tz'
  | 'json'
  | 'bytes'
  | 'interval'
  | 'list'

/** The type of a spelling such as `character varying(40)`, `Nullable(UUID)` or `enum('a','b')`; `undefined` if it is not known. */
export function parsePhysicalType(name: string): PhysicalType | undefined {
  const text = bare(name.replace(COLLATED, '').trim()).replace(SCHEMA, '')
  if (/\[\d*\]$/.test(text) || /^(array|list|map|struct|tuple|nested)\b/i.test(text)) return { kind: 'list', name }
  if (ZONED.test(text)) return { kind: 'timestamp_tz', name }
  if (/^enum(8|16)?\b[^(]*\(/i.test(text)) return { kind: 'enum', name, labels: labelsOf(text) }
  if (text.length > LONGEST) return undefined
  const match = /^([a-z][\w ]*?)\s*(?:\(\s*(\d+|max)\s*(?:,\s*(-?\d+)\s*)?(?:,[^)]*)?\))?((?: [a-z]+)*)$/i.exec(text)
  if (!match) return undefined
  const word = `${match[1]}${match[4]}`.toLowerCase().replace(/\s+/g, ' ')
  const kind = KINDS.get(word) ?? KINDS.get(word.replace(/ (unsigned|zerofill|binary)\b.*$/, ''))
  if (kind === undefined) return undefined
  const precision = Number(match[2])
  if (kind !== 'decimal' || !Number.isFinite(precision)) return { kind, name }
  return { kind, name, precision, scale: Number(match[3] ?? 0) }
}

/** No type name without labels is longer; parsing one takes quadratic time. */
const LONGEST = 100

/** A time with a zone among its parameters, in which it is displayed. UTC changes nothing. */
const ZONED = /^datetime(64)?\((\d+\s*,\s*)?'(?!(etc\/)?utc')[^']+'\)$/i

/** Types of an extension may be in a separate schema. */
const SCHEMA = /^("[^"]+"|\w+)\.(?=\w+$)/

const COLLATED = /\scollate\s+("[^"]+"|'[^']+'|\w+)\s*$/i
const BY_CODE_POINT = /^(c|posix|binary|.*[._]bin|.*c\.utf-?8|ucs_basic|pg_c_utf8|utf8_binary)$/i

/** The collation at the end of a spelling, if it may treat different texts as equal. */
export function inexactCollation(name: string): string | undefined {
  const collation = COLLATED.exec(name)?.[1]?.replace(/["']/g, '')
  return collation === undefined || BY_CODE_POINT.test(collation) ? undefined : collation
}

/** Some engines include in the name of a type that it may be NULL, or its encoding. */
function bare(text: string): string {
  const wrapped = /^(?:Nullable|LowCardinality|SimpleAggregateFunction)\((?:\w+, )?(.*)\)$/.exec(text)
  return wrapped ? bare(wrapped[1]!) : text
}

const labelsOf = (text: string): string[] => [...text.matchAll(/'((?:[^'\\]|''|\\.)*)'/g)].map(([, label]) => unescaped(label!))

const unescaped = (label: string): string => label.replaceAll("''", "'").replace(/\\(.)/g, '$1')

const NAMES: Readonly<Record<PhysicalKind, string>> = {
  integer:
    'tinyint,smallint,mediumint,int,integer,bigint,hugeint,utinyint,usmallint,uinteger,ubigint,uhugeint,int1,int2,int4,int8,int16,int32,int64,int128,int256,uint8,uint16,uint32,uint64,uint128,uint256,byteint,long,short,byte,serial,smallserial,bigserial,year',
  real: 'real,float,float4,float32',
  double: 'double,double precision,float8,float64',
  decimal: 'decimal,numeric,number,dec,bignumeric,decimal32,decimal64,decimal128,decimal256',
  text: 'text,varchar,character varying,string,nvarchar,clob,tinytext,mediumtext,longtext,utf8,varchar2,name',
  padded: 'char,character,bpchar,nchar',
  folded: 'citext',
  uuid: 'uuid,uniqueidentifier',
  enum: 'enum',
  boolean: 'boolean,bool,logical',
  date: 'date,date32',
  time: 'time,timetz,time without time zone,time with time zone',
  timestamp:
    'timestamp,timestamp without time zone,datetime,datetime64,datetime2,smalldatetime,timestamp_ntz,timestamp_s,timestamp_ms,timestamp_ns',
  timestamp_tz: 'timestamptz,timestamp with time zone,timestamp with local time zone,timestamp_tz,timestamp_ltz,datetimeoffset',
  json: 'json,jsonb,variant,object,super',
  bytes: 'bytea,blob,binary,varbinary,bytes,tinyblob,mediumblob,longblob,raw',
  interval: 'interval',
  list: 'array,list',
}

const KINDS: ReadonlyMap<string, PhysicalKind> = new Map(
  (Object.entries(NAMES) as [PhysicalKind, string][]).flatMap(([kind, names]) =>
    names.split(',').map((name): [string, PhysicalKind] => [name, kind]),
  ),
)
