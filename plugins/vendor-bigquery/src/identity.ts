import type { BigqueryPlan } from './options.js'

/** The project, its default dataset and who asks, whichever way the plan says so. */
export const identityOf = ({ address, account, client }: BigqueryPlan): string => {
  const { projectId, dataset, location } = address
  return JSON.stringify({ dialect: 'bigquery', projectId, dataset, location, account, endpoint: client['apiEndpoint'] })
}
