/**
 * Writes docs/reading-the-sql.md from the compiler's plans and SQL, and the sentences below:
 *   node --conditions=@grainline/source --import tsx scripts/reading-the-sql.ts [--check]
 * With --check nothing is written, and a page that is out of date ends it with status 1.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { CompiledQuery } from '@grainline/core'
import type { ExplainNode } from '@grainline/core/surface'
import { duckdb } from '@grainline/dialect-duckdb'
import { type StatementShape, shapeOf } from '../test/compile/statement-shape.js'
import { compileFor as compileCorpus, modelText, readQuestions } from '../test/corpus/corpus.js'
import { compileFlights } from '../test/docs/flights.js'
import { pageExamples } from '../test/docs/page.js'
import { loadText } from '../test/support/compile.js'
import { writePages } from './write-pages.js'

interface Reading {
  readonly title: string
  /** A page of docs with the query over the flights and its answer; without it the query is in the corpus. */
  readonly page?: string
  readonly question: string
  readonly why: string
}

const READINGS: readonly Reading[] = [
  {
    title: 'One fact',
    question: 'revenue and units by status of the order, missing orders included',
    why: `All measures have the same base object, and joins to the one side multiply no row: joins, grouping and the answer are one flat
SELECT over the tables that the query needs.`,
  },
  {
    title: 'Measures with filters of their own',
    question: 'filters of a measure restrict that measure alone',
    why: `A filter of one measure must take no row from the others, so it becomes a CASE inside its aggregate, and all measures share
one SELECT.`,
  },
  {
    title: 'A rank',
    page: 'windows',
    question: 'the busiest airline of each airport',
    why: `A window is evaluated after grouping, so the rank and the count are in one SELECT; a second one is there because WHERE is read
before windows are, and \`having\` asks for the rank.`,
  },
  {
    title: 'A coarser value beside a finer one',
    page: 'grain',
    question: 'the largest airlines of an airport, and their share of it',
    why: `Every flight belongs to one group, and counts fold to the count of an airport exactly: the coarser values are windows over the groups,
not a second scan. Where values do not fold exactly, such as distinct counts or sums of floats, the coarser rows are aggregated apart.`,
  },
  {
    title: 'Two facts',
    question: 'a one-side measure beside a many-side measure',
    why: `Joined before they are summed, the area of a store would be repeated by each line sold in it: each fact is grouped alone, then the
groups meet by their keys, of which NULLs are equal. Three facts and more, and any number on other engines than DuckDB, are united and
grouped again.`,
  },
  {
    title: 'Totals of two facts',
    question: 'a total without dimensions',
    why: `Without dimensions each fact makes exactly one row, so no union is needed: the rows are joined side by side.`,
  },
  {
    title: 'A bridge',
    question: 'a measure of the one side is counted once per group through a bridge',
    why: `A product with two tags belongs to both, but one with the same tag twice must count once: the inner SELECT makes the distinct pairs
of group and product, the outer one counts them.`,
  },
  {
    title: 'Two bridges',
    question: 'two bridges are independent of each other',
    why: `The tags of a product have nothing to do with its promotions: each bridge is reduced to the distinct pairs that are read before
the two meet, and then each product counts once in each group.`,
  },
  {
    title: 'Rows without others',
    question: 'those with none',
    why: `In the plan, a test for existence is a join with the distinct links, which cannot multiply a row, and a test for NULL.
If nothing else is read of the matching rows, the statement uses \`IN\` or \`EXISTS\` for rows with a match, and \`NOT EXISTS\` for rows without.
For an engine that would run such a subquery again for each row, the join is kept.`,
  },
  {
    title: 'A prior period',
    page: 'comparing-periods',
    question: 'one week of United, and the growth on the week before it',
    why: `The prior period is outside the filter, so its groups are aggregated separately, over the needed times only, and looked up
by the key of the prior period; the other filters apply to both.`,
  },
  {
    title: 'Subtotals',
    page: 'subtotals',
    question: 'planes per airline, and the total that the groups do not add up to',
    why: `Every level is recomputed from rows, because a plane that two airlines flew counts once in the total. The plan is a union of one block per
level; the block of the total needs neither the bridge nor the pairs.`,
  },
  {
    title: 'An aggregate of aggregates',
    page: 'aggregates-of-aggregates',
    question: 'the average day and the busiest day',
    why: `SQL has no aggregate of an aggregate in one SELECT: the inner one counts the flights of each day, the outer one aggregates the days;
each of the two metrics is aggregated separately, because each may have its own groups.`,
  },
  {
    title: 'A conversion',
    page: 'conversions',
    question: 'planes that leave late again',
    why: `An event that is followed by several counts once: events are paired with later ones of the same plane, the pairs are reduced to the
distinct events that convert, and each event of the answer is looked up among them.`,
  },
]

const HEAD = `<!-- Written by scripts/reading-the-sql.ts; edit the sentences there, not this page. -->
# Reading the SQL

This page explains why statements look as they do. A query first becomes a logical plan: one node for each operation
on rows, as \`explain.plan\` of a compiled query shows it, with the last step at the top. The plan then becomes few SELECTs:
one SELECT contains joins, filters, grouping, windows and order as long as SQL evaluates them in the order of the plan. Facts that are
aggregated separately become common table expressions (CTEs), and columns that nothing reads are left out.

Each query below is shown twice: as a plan, then as SQL for DuckDB. The counts are those of DuckDB's own parser;
a scan is one reading of a table. The object Hours is itself SQL in its model: its two SELECTs and two scans are counted wherever it is
read. The queries are from the [corpus](../test/corpus/questions), a small shop, or from other pages here, over the flights of New York;
\`npm test\` compares the answer of each with SQL written by hand or with the rows on its page.
`

interface Shown extends Reading {
  readonly query: object
  readonly compiled: CompiledQuery
  readonly shape: StatementShape
}

async function page(): Promise<string> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const shown: Shown[] = []
  for (const reading of READINGS) {
    const { query, compiled } = reading.page ? ofPage(reading.page, reading.question) : ofCorpus(reading.question)
    shown.push({ ...reading, query, compiled, shape: await shapeOf(connection, compiled.sql) })
  }
  connection.closeSync()
  return [HEAD, overview(shown), ...shown.map(section)].join('\n')
}

type Asked = Pick<Shown, 'query' | 'compiled'>

const corpus = loadText(modelText())

function ofCorpus(question: string): Asked {
  const query = asked(question, readQuestions().find(({ name }) => name === question)?.query)
  return { query, compiled: compileCorpus(duckdb, query, corpus) }
}

function ofPage(page: string, question: string): Asked {
  const text = readFileSync(join(import.meta.dirname, `../docs/${page}.md`), 'utf8')
  const query = asked(question, pageExamples(text).find(({ name }) => name === question)?.query)
  return { query, compiled: compileFlights(query) }
}

function asked(question: string, query: unknown): object {
  if (typeof query !== 'object' || query === null) throw new Error(`no query is called '${question}'`)
  return query
}

const overview = (shown: readonly Shown[]): string => `| Question | Nodes of the plan | SELECTs | CTEs | Scans |
|---|---|---|---|---|
${shown.map(row).join('\n')}
`

const row = ({ title, compiled, shape }: Shown): string =>
  `| [${title}](#${title.toLowerCase().replaceAll(' ', '-')}) | ${sizeOf(compiled.explain().plan)} | ${shape.selects} | ${shape.ctes} | ${shape.scans} |`

const section = ({ title, page, question, why, query, compiled, shape }: Shown): string => `## ${title}

${why}

The question: ${question}${page ? ` ([its page](${page}.md))` : ''}.

\`\`\`json
${questionText(query)}
\`\`\`

The plan, ${counted(sizeOf(compiled.explain().plan), 'node')}:

\`\`\`text
${planText(compiled.explain().plan)}
\`\`\`

The SQL, ${counted(shape.selects, 'SELECT')}, ${counted(shape.ctes, 'CTE')}, ${counted(shape.scans, 'scan')}:

\`\`\`sql
${compiled.sql}
\`\`\`
`

const counted = (count: number, noun: string): string => `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`

/** One line for each part of the query. */
const questionText = (query: object): string =>
  `{\n${Object.entries(query)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${onOneLine(value)}`)
    .join(',\n')}\n}`

/** Line breaks are only between values: those in a text are escaped. */
const onOneLine = (value: unknown): string =>
  JSON.stringify(value, undefined, 1)
    .replaceAll(/(?<=\[)\n *|\n *(?=\])/g, '')
    .replaceAll(/\n */g, ' ')

const sizeOf = ({ children }: ExplainNode): number => 1 + children.reduce((sum, child) => sum + sizeOf(child), 0)

const planText = ({ op, detail, children }: ExplainNode, indent = ''): string =>
  [`${indent}${op}: ${detail}`.trimEnd(), ...children.map((child) => planText(child, `${indent}  `))].join('\n')

export const pages = { 'docs/reading-the-sql.md': page }

await writePages(pages, 'scripts/reading-the-sql.ts')
