import { fail } from '../errors.js'
import type { CompiledModelQuery } from './sql-service.js'

/**
 * The zone in which a statement reads instants: that of the model that they come from. Throws `UNSUPPORTED_SQL_FEATURE` for instants of models
 * with different zones, because one instant has another day in each.
 */
export function zoneOfStatement(modelQueries: readonly CompiledModelQuery[]): string {
  const zones = new Map<string, string>()
  const ofInstants = new Map<string, string>()
  for (const { model, compiled } of modelQueries) {
    const zone = compiled.handle.model.settings.queryTimezone ?? 'UTC'
    zones.set(zone, model)
    if (compiled.columns.some(({ type }) => type.kind === 'timestamp_tz')) ofInstants.set(zone, model)
  }
  if (ofInstants.size > 1) refuseZones(ofInstants)
  const [zone = 'UTC', ...others] = ofInstants.size > 0 ? ofInstants.keys() : zones.keys()
  return others.length > 0 ? 'UTC' : zone
}

function refuseZones(models: ReadonlyMap<string, string>): never {
  const named = [...models].map(([zone, model]) => `'${model}' (${zone})`).join(' and ')
  return fail('UNSUPPORTED_SQL_FEATURE', `The outer statement reads instants of models with different time zones: ${named}`, {
    path: 'sql',
    hint: 'Write CAST("…" AS TIMESTAMP) in the subselect of each model for its local time.',
    context: { clause: 'time zone' },
  })
}
