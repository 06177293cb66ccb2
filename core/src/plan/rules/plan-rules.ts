import { askedKeys } from './asked-keys.js'
import { byRange } from './by-range.js'
import { certainJoins } from './certain-joins.js'
import { countedGroups } from './counted-groups.js'
import { earlySums } from './early-sums.js'
import { engineAsOf } from './engine-as-of.js'
import { groupTotals } from './group-totals.js'
import { groupingSets } from './grouping-sets.js'
import { innerJoins } from './inner-joins.js'
import { joinedFacts } from './joined-facts.js'
import { joinedRangesOfFilters } from './joined-ranges.js'
import { lateNames } from './late-names.js'
import { leadingRows } from './leading-rows.js'
import { onePass } from './one-pass.js'
import { orphansApart } from './orphans-apart.js'
import { referringFacts } from './referring-facts.js'
import type { Rule } from './rule.js'
import { runningTotals } from './running-totals.js'
import { shownGroups } from './shown-groups.js'
import { sumsOfPairs } from './sums-of-pairs.js'
import { touchingPeriods } from './touching-periods.js'
import { unitedFacts } from './united-facts.js'
import { unreadLookups } from './unread-lookups.js'
import { windowCounts } from './window-counts.js'
import { windowFrames } from './window-frames.js'
import { windowTotals } from './window-totals.js'

/** Each rule rewrites the plan that the one before it returns. */
export const planRules: readonly Rule[] = [
  unreadLookups,
  runningTotals,
  windowTotals,
  windowCounts,
  windowFrames,
  countedGroups,
  groupTotals,
  groupingSets,
  lateNames,
  referringFacts,
  touchingPeriods,
  onePass,
  byRange,
  joinedRangesOfFilters,
  certainJoins,
  unitedFacts,
  leadingRows,
  joinedFacts,
  innerJoins,
  askedKeys,
  earlySums,
  orphansApart,
  sumsOfPairs,
  shownGroups,
  engineAsOf,
]
