import { readdirSync } from 'node:fs'
import path from 'node:path'
import { didYouMean, nearest } from '../nearest.js'

/** For a file that does not exist: the end of a sentence with the file beside it whose name is most like its own, or nothing. */
export const similarFile = (file: string): string => didYouMean(nearest(path.basename(file), filesBeside(file), 1))

function filesBeside(file: string): readonly string[] {
  try {
    return readdirSync(path.dirname(file))
  } catch {
    return []
  }
}
