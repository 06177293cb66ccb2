/** Every setting of the service under the name of its variable. */
export interface Settings {
  readonly [name: string]: unknown
}
