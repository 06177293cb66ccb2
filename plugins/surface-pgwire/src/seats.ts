import type { SeatsOptions } from '@grainline/core/surface'

/** Unless the operator says otherwise, a quarter of the house is left to others. */
export const shareOf = ({ PGWIRE_MAX_CONNECTIONS: most, PGWIRE_CLIENT_MAX_CONNECTIONS: share }: Sizes): SeatsOptions => ({
  most,
  mostOfOne: share ?? Math.ceil((most * 3) / 4),
})

interface Sizes {
  readonly PGWIRE_MAX_CONNECTIONS: number
  readonly PGWIRE_CLIENT_MAX_CONNECTIONS: number | undefined
}
