import { dirname, resolve, sep } from 'node:path'
import type { Settings } from '../settings/core-variables.js'

/** The folder that contains all files that a model file may name: the folder of the models, else its own. */
export function rootOf(file: string, { MODEL_DIR }: Settings): string {
  const root = MODEL_DIR === undefined ? undefined : resolve(MODEL_DIR)
  return root !== undefined && file.startsWith(`${root}${sep}`) ? root : dirname(file)
}
