/** Which model is meant: a published one by name, or one of a session. Without any, the only one that the server has. */
export interface Target {
  readonly model?: string | undefined
  readonly session_id?: string | undefined
  readonly model_id?: string | undefined
}
