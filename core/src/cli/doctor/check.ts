/** One check and its result. */
export interface Check {
  readonly status: 'ok' | 'remark' | 'fault'
  readonly what: string
  readonly says: string
  /** What to do about it. */
  readonly fix?: string
}

export const ok = (what: string, says: string): Check => ({ status: 'ok', what, says })
export const remark = (what: string, says: string, fix?: string): Check => ({ status: 'remark', what, says, ...(fix && { fix }) })
export const fault = (what: string, says: string, fix?: string): Check => ({ status: 'fault', what, says, ...(fix && { fix }) })
