/** Every setting of the service under the name of its variable: read from the environment, `.env` and config, checked in one place. */
export { coreVariables, type Settings } from './settings/core-variables.js'
export { type Environment, lookup, readEnvironment } from './settings/environment.js'
export { readSettings, reportSettings, type SettingReport } from './settings/read-settings.js'
export {
  flag,
  integer,
  list,
  oneOf,
  optionalInteger,
  optionalText,
  text,
  type Variable,
  type Variables,
} from './settings/variable.js'
