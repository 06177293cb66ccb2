import { IconAbc, IconCalendar, IconHash, IconMathFunction, IconSum } from '@tabler/icons-react'
import { familyOf } from '../query/operators.js'
import type { FieldKind } from '../query/query.js'

/** An icon for the kind of a field. Its row contains the kind as text. */
export function FieldIcon({ kind, type }: { readonly kind: FieldKind; readonly type: string }) {
  const Icon = iconOf(kind, type)
  return <Icon size={15} stroke={1.8} className={`icon ${kind}`} aria-hidden />
}

function iconOf(kind: FieldKind, type: string) {
  if (kind === 'metric') return IconMathFunction
  if (kind === 'measure') return IconSum
  const family = familyOf(type)
  return family === 'time' || family === 'clock' ? IconCalendar : family === 'number' ? IconHash : IconAbc
}
