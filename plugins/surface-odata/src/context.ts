import type { SurfaceContext } from '@grainline/core/surface'

/** What the routes need: the context of a surface, and the length of a page. */
export interface ODataContext extends SurfaceContext {
  readonly pageRows: number
}
