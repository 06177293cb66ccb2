import type { SnowflakePlan } from './options.js'

/** The database and who asks it, whichever way the plan says so; never what shows who that is. A role sees other rows. */
export const identityOf = ({ address, accessUrl }: SnowflakePlan): string => {
  const { account, user, role, warehouse, database, schema } = address
  return JSON.stringify({ dialect: 'snowflake', account, accessUrl, user, role, warehouse, database, schema })
}
