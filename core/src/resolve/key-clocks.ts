import type { SemanticModel } from '../model/semantic-model.js'
import type { TimeContext } from './clock.js'

/**
 * The clocks by which keys are read: those of the data. Which rows a join matches is a property of the model and must not depend on the zone
 * of a query.
 */
export const clocksOfKeys = ({ settings }: SemanticModel, time: TimeContext): TimeContext => ({
  ...time,
  zone: settings.defaultTimezone ?? 'UTC',
  naiveZone: undefined,
  ofKeys: true,
})
