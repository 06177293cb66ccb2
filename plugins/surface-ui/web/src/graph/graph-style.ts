/** Styles of the Graph tab. They are loaded with it, so that the first page remains small. */

/** Styles of the drawing. A saved drawing contains them. */
export const DRAWING_STYLE = `
.node rect { fill: var(--panel); stroke: var(--line); stroke-width: 1.5 }
.node.fact rect { fill: var(--measure-back); stroke: var(--measure) }
.node.dimension rect { fill: var(--dimension-back); stroke: var(--dimension) }
.node.bridge rect { fill: var(--metric-back); stroke: var(--metric) }
.node.orphan rect { stroke: var(--warn); stroke-dasharray: 5 4 }
.node.lit rect { stroke: var(--accent); stroke-width: 3.5 }
.node text { font: 11px var(--sans); fill: var(--text) }
.node .name { font-size: 13px; font-weight: 600 }
.node.orphan .about { fill: var(--warn) }
.join path { fill: none; stroke: var(--quiet); stroke-width: 1.3 }
.join.secondary path { stroke-dasharray: 5 4 }
.join.lit path { stroke: var(--accent); stroke-width: 3.2 }
.join text { font: 600 11px var(--sans); fill: var(--text); stroke: var(--panel); stroke-width: 4px; paint-order: stroke }
.far { opacity: 0.22 }
`

/** Styles of the tab around it. */
export const TAB_STYLE = `
.graph-columns { display: grid; grid-template-columns: minmax(0, 1fr) 300px; gap: 12px; flex: 1; min-height: 0 }
.graph-canvas { position: relative; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); overflow: hidden; min-height: 240px; display: flex }
.graph-canvas svg { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; user-select: none }
.graph-canvas svg.pulled { cursor: grabbing }
.graph-canvas .node { cursor: pointer; outline: none }
.graph-canvas .node:focus-visible rect { stroke: var(--focus); stroke-width: 4; stroke-dasharray: none }
.graph-canvas .node.chosen rect { stroke: var(--text); stroke-width: 3.5 }
.graph-zoom { position: absolute; right: 8px; bottom: 8px; display: flex; gap: 4px; background: var(--panel); border-radius: 6px }
.graph-side { display: flex; flex-direction: column; gap: 8px; min-height: 0 }
.graph-side > p { margin: 0 }
.graph-list { overflow: auto; flex: 1; min-height: 0; margin: 0; padding: 2px; list-style: none; font-size: 13px }
.graph-list > li { padding: 6px 6px 7px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
.graph-list > li[data-chosen] { background: var(--selected); border-radius: 6px }
.graph-list ul { list-style: none; margin: 3px 0 0; padding-left: 12px }
.graph-list p { margin: 2px 0 }
.graph-list button { all: unset; cursor: pointer; color: var(--accent); border-radius: 3px }
.graph-list .of-object { font-weight: 600; color: var(--text) }
.graph-list button:hover { text-decoration: underline }
.graph-list button:focus-visible { outline: 2px solid var(--focus) }
.graph-list [data-chosen] .quiet { color: var(--text) }
.graph-list .lit { color: var(--accent) }
.graph-list li li .lit { font-weight: 600 }
.graph-list .orphan { color: var(--warn) }
@media (max-width: 820px) {
  .graph-columns { grid-template-columns: minmax(0, 1fr); grid-template-rows: 340px auto; overflow: auto }
  .graph-list { overflow: visible }
}
`
