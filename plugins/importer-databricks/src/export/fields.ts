/** Dimensions → dimensions of each view whose rows lead to them. */
import type { Dimension } from '@grainline/core/language'
import { checkKeys, Unsaid, writtenSql } from '@grainline/importer-dbt/foreign'
import { identifier } from './identifier.js'
import { DIMENSION_KEYS } from './keys.js'
import type { Views, Written } from './views.js'

/** Each step writes a dimension. */
export function* addFields(views: Views): Generator<void> {
  const { model, report } = views
  for (const dimension of model.dimensions.values()) {
    const path = ['dimensions', dimension.name]
    yield void report.item(path, `The dimension '${dimension.name}'`, () => {
      const entry = model.document.dimensions?.[dimension.name] ?? {}
      checkKeys(entry, DIMENSION_KEYS)
      let unsaid: Unsaid | undefined
      let isWritten = false
      for (const written of views.all.values()) {
        if (written.tree.get(dimension.dataObject)?.isMany !== false) continue
        try {
          const sql = valueSql(dimension, views, written, path)
          add(dimension, sql, views, written, path)
          isWritten = true
        } catch (error) {
          if (!(error instanceof Unsaid)) throw error
          unsaid = error
        }
      }
      if (!isWritten) throw unsaid ?? new Unsaid(`no metric view has one row of '${dimension.dataObject}' for a row of its own`)
      report.inert(path, entry, DIMENSION_KEYS)
      if (dimension.hidden) report.lose('rewritten', path, `'${dimension.name}' is hidden here, and offered there.`)
      if (dimension.timeGrain)
        report.lose(
          'rewritten',
          path,
          `'${dimension.name}' is the first moment of its ${String(entry.timeGrain)}: the grain is part of its expression.`,
        )
    })
  }
}

function valueSql(dimension: Dimension, views: Views, written: Written, path: readonly string[]): string {
  const spelling = views.spelling(written, written.source.name, path)
  const node = written.tree.get(dimension.dataObject)
  const value = views.whereTheRowIs(node, dimension.expression, writtenSql(dimension.expression, spelling), path)
  if (!dimension.timeGrain) return value
  const unit = String(views.model.document.dimensions?.[dimension.name]?.timeGrain ?? '')
  if (!spelling.units.has(unit)) throw new Unsaid(`periods of ${unit} are other ones there, or none`)
  return `DATE_TRUNC('${unit}', ${value})`
}

function add(dimension: Dimension, sql: string, views: Views, written: Written, path: readonly string[]): void {
  const { name: own, description, synonyms = [] } = dimension
  // A field that has the name of a column must be this column: what reads the name would have two meanings.
  const isFree = (key: string) => !written.codes.has(key) || sql.toUpperCase() === identifier(key).toUpperCase()
  const name = views.take(written, own, isFree, path)
  written.fields.set(own, name)
  written.view.dimensions.push({ path, name, sql, description, synonyms })
}
