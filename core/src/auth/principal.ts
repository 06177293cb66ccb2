/** The proven client. `id` goes to logs and to the audit log; it is never the secret. */
export interface Principal {
  readonly id: string
  /** True for a principal with one of `ADMIN_API_KEYS`, or for all if that list is empty. */
  readonly administrator?: boolean
}
