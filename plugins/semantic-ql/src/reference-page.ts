/** The language in brief, for people and agents; the guide page of the docs shows it at work. */
export const referencePage = {
  title: 'Semantic QL',
  text: () => TEXT,
}

const TEXT = `# Semantic QL

SQL over models. A statement is read-only, and every relation in it is a model, a view of one, or made of models.

## One query of one model

\`SELECT <items> [FROM <model>] [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …] [LIMIT n] [OFFSET n]\`

| Written | Means |
| --- | --- |
| \`"Dimension"\`, \`"Dimension:month"\` | a dimension, at a grain |
| \`"Measure"\`, \`MEASURE("Measure")\`, \`AGG("Measure")\`, \`ANY_VALUE("Measure")\` | a measure or metric |
| \`SUM("Measure")\` of a sum or count, \`MIN\` of a min, … | the measure, which the aggregate cannot change |
| \`date_trunc('month', "Dimension")\`, \`CAST("Dimension" AS date)\` | the dimension at that grain |
| functions of the catalogue, \`CASE\`, \`CAST\`, \`EXTRACT\`, arithmetic over dimensions | an ad-hoc dimension |
| \`"Object"."Column"\` | plain rows |
| \`*\` | every dimension that the main fact reaches, and the measures and metrics that compose with them. With \`LIMIT\` it is the first rows, in which columns that depend on other rows are NULL; without, all rows, the first ones first |
| dimensions without measures, \`DISTINCT\`, \`DISTINCT ON\` | the combinations that occur with rows of the main fact |
| \`COUNT(DISTINCT "Dimension")\`, \`MIN\`, \`MAX\`, \`COUNT\` of a dimension | over the rows of the main fact; \`SUM\`, \`AVG\` and percentiles of a dimension are refused |
| \`COUNT(*)\` | the rows of the main fact |
| a measure with \`FILTER (WHERE …)\`, \`SUM(CASE WHEN … THEN "Measure" END)\` | the measure of the rows that meet the condition |
| \`WHERE\` | any condition over dimensions; a part of it that reads measures is moved to \`HAVING\` |
| \`GROUP BY\` names, aliases, positions, \`ROLLUP\`, \`CUBE\`, \`WITH ROLLUP\` | what is grouped by; without it, the selected dimensions |
| \`$1\`, \`$2\` … | values of the request |

## Outer statements

| Written | Means |
| --- | --- |
| subqueries, \`WITH\`, \`UNION\`, \`INTERSECT\`, \`EXCEPT\` | each model in them is a query of its own |
| joins | a joined model is the query of the fields that the statement reads of it; joined with a question that has one row per compared key, its measures are added up |
| \`SUM\` of an additive measure, \`MEASURE("…")\` over a subselect | of the groups of the outer statement |
| window functions, aggregates, \`DISTINCT\`, expressions over measures, \`GROUPING(…)\` | evaluated over the finished rows |
| \`VALUES\`, \`generate_series\` | rows beside those of a model |
| \`SHOW TABLES\`, \`SHOW MODELS\`, \`DESCRIBE model\`, \`information_schema\` (schemata, tables, columns), \`grainline.fields\`, \`SELECT 1\`, \`SELECT version()\` | answered from the models |

## Refusals

Each carries the position in the text (counted from 1), line and column, mostly the clause, and a rewrite that works.

| Code | When |
| --- | --- |
| \`SQL_SYNTAX_ERROR\` | the text is not well-formed SQL |
| \`RAW_SQL_REJECTED\` | a relation is not a model |
| \`WRITE_OPERATION_REJECTED\` | the statement would write, or change a session that is not there |
| \`NO_MODEL_SELECTED\` | no model is named and there are several |
| \`UNKNOWN_SELECT_ITEM\` | a name is not a field of the model |
| \`UNSUPPORTED_SQL_FEATURE\` | a clause or function is not understood, or an outer statement with \`SEMANTIC_QL_STRICT=true\` |
| \`UNBOUND_PARAMETER\` | a parameter has no value |
| \`EVALUATION_REFUSED\` | what evaluates the outer statement does not understand it |
| \`EVALUATION_TOO_LARGE\` | it needs more rows or memory than it may have |
`
