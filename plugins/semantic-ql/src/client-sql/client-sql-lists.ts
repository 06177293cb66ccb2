/**
 * What SQL from clients may contain. Nothing here has side effects, sleeps, reveals the engine or other clients, or makes a long text from
 * a short one.
 */

const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')))

/** Kinds of nodes of the syntax tree. */
export const KINDS = words(
  'SelectStmt ResTarget ColumnRef A_Star A_Const A_Expr BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr',
  'SubLink FuncCall WindowDef SortBy TypeCast JoinExpr RangeVar RangeSubselect List String Integer Float Boolean RowExpr GroupingSet',
  'GroupingFunc CommonTableExpr SQLValueFunction CollateClause',
)

/** The properties that a node may have. INTO, FOR UPDATE, TABLESAMPLE, RECURSIVE, ORDINALITY and new syntax are not among them. */
export const FIELDS = words(
  'distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists sortClause',
  'limitOffset limitCount limitOption op all larg rarg withClause ctes ctename aliascolnames ctematerialized ctequery',
  'name names val location fields sval ival fval boolval isnull kind lexpr rexpr rexpr_list_start rexpr_list_end args arg boolop',
  'nulltesttype booltesttype expr result defresult subLinkType testexpr operName subselect funcname agg_star agg_order agg_filter',
  'agg_within_group agg_distinct over funcformat refname partitionClause orderClause frameOptions startOffset endOffset node sortby_dir',
  'sortby_nulls typeName typmods typemod typmod catalogname schemaname relname inh relpersistence alias aliasname colnames jointype',
  'isNatural usingClause join_using_alias quals rtindex lateral subquery items row_format content collname',
)

export const OPERATORS: ReadonlySet<string> = new Set([
  ...words('= <> != < > <= >= + - * / % ^ || ~~ !~~ ~~* !~~* ~ !~ ~* !~* BETWEEN'),
  'NOT BETWEEN',
  'BETWEEN SYMMETRIC',
  'NOT BETWEEN SYMMETRIC',
])

export const TYPES = words(
  'bool boolean int int1 int2 int4 int8 int16 int32 int64 int128 integer tinyint smallint bigint hugeint uint8 uint16 uint32 uint64',
  'float float4 float8 float32 float64 double real numeric decimal number bignumeric money text varchar char bpchar character string nvarchar',
  'date time timetz timestamp timestamptz timestamp_tz timestamp_ntz timestamp_ltz datetime date32 datetime64 interval uuid json jsonb variant',
)

/** CURRENT_DATE and similar values; those about the user and the connection are not included. */
export const VALUES = words(
  'SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIME_N SVFOP_CURRENT_TIMESTAMP SVFOP_CURRENT_TIMESTAMP_N SVFOP_LOCALTIME',
  'SVFOP_LOCALTIME_N SVFOP_LOCALTIMESTAMP SVFOP_LOCALTIMESTAMP_N',
)

/** In lower case, with the names of all engines. */
export const FUNCTIONS = words(
  'abs ceil ceiling floor round trunc truncate sign sqrt cbrt exp ln log log2 log10 power pow mod div sin cos tan asin acos atan atan2',
  'cot degrees radians pi width_bucket greatest least isnan isfinite upper lower ucase lcase length len char_length character_length',
  'octet_length bit_length trim btrim ltrim rtrim substring substr mid left right position strpos instr locate charindex split_part',
  'starts_with ends_with startswith endswith contains reverse initcap ascii chr unicode md5 sha1 sha2 sha256 hash soundex translate',
  'levenshtein editdistance jaro_winkler_similarity concat concat_ws like_escape similar_to_escape regexp_like regexp_matches',
  'regexp_substr regexp_extract regexp_count regexp_instr coalesce ifnull nvl nvl2 nullif isnull iff if zeroifnull nullifzero typeof',
  'now extract timezone date_trunc datetrunc date_part datepart date_add date_sub date_diff datediff dateadd timestampdiff timestampadd age',
  'make_date makedate make_timestamp to_date to_timestamp to_char to_number to_varchar to_double date time timestamp datetime year quarter',
  'month week weekofyear isoyear day dayname monthname dayofweek dayofyear dayofmonth weekday hour minute second last_day next_day add_months',
  'months_between date_format strftime strptime str_to_date parse_date parse_timestamp format_date format_timestamp from_unixtime',
  'unix_timestamp epoch epoch_ms convert_timezone convert_tz todate todatetime tostring toyear toquarter tomonth todayofmonth todayofweek',
  'tohour tominute tostartofyear tostartofquarter tostartofmonth tostartofweek tostartofday tostartofhour toint32 toint64 tofloat64',
  'json_value json_query json_extract json_extract_scalar json_extract_string json_unquote get_json_object json_array_length',
  'count sum avg min max any_value mode median stddev stddev_samp stddev_pop variance var_samp var_pop corr covar_samp covar_pop regr_slope',
  'regr_intercept regr_count regr_r2 bool_and bool_or every logical_and logical_or bit_and bit_or bit_xor percentile_cont percentile_disc',
  'approx_count_distinct approx_distinct count_if countif uniq uniqexact arg_min arg_max argmin argmax min_by max_by',
  'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value',
)
