/** The generated models of round trips: of the basic language with odd names, and with everything that a model can have, by turns. */
import type { SemanticModel } from '@grainline/core'
import { amount } from '../support/amount.js'
import { generatedModel } from './generated-model.js'
import { wideModel } from './wide-model.js'

export const anyModel = (seed: number): SemanticModel => (seed % 2 === 0 ? generatedModel(seed) : wideModel(seed))

/** INTERCHANGE_MODELS asks for another number. */
export const modelsAsked = (ofAChange: number): number =>
  Number(process.env['INTERCHANGE_MODELS'] ?? amount(Math.ceil(ofAChange / 2), 1000))
