import type { TableSource } from '../model/semantic-model.js'
import type { Dialect } from './dialect.js'

/** What stands behind FROM: the path of a table, or a SELECT in parentheses. A comment at its end would swallow the parenthesis. */
export const sourceText = (source: TableSource, { tablePath, quote }: Pick<Dialect, 'tablePath' | 'quote'>): string =>
  source.kind === 'sql' ? `(${source.sql}${/--.*$/.test(source.sql) ? '\n' : ''})` : tablePath(source).map(quote).join('.')
