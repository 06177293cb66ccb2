/** The rules without which a statement is another one. */
import { RULES } from '../../core/src/compile.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import type { Refused } from './compare.js'

export interface Variant {
  readonly without: ReadonlySet<string>
  /** `undefined` if an engine cannot say it. */
  readonly compiled: CompiledQuery | Refused | undefined
}

/** Without any rule, and without each of those that change the statement: the others change nothing. */
export function withoutRules(compileWithout: (without: ReadonlySet<string>) => Variant['compiled']): readonly Variant[] {
  const whole = compileWithout(new Set())
  if (!whole || 'refused' in whole) return []
  const made = (without: ReadonlySet<string>): Variant => ({ without, compiled: compileWithout(without) })
  const changes = ({ compiled }: Variant): boolean => !compiled || 'refused' in compiled || compiled.sql !== whole.sql
  const single = whole
    .explain()
    .rules.map((name) => made(new Set([name])))
    .filter(changes)
  return [made(new Set(RULES)), ...(single.length > 1 ? single : [])]
}
