import type { SemanticModel, View } from '../model/semantic-model.js'
import type { ResultSchema } from '../result/record-batch.js'
import { type FieldCatalogues, modelColumns } from './model-columns.js'
import { defaultView, viewRelation } from './view-relation.js'

/** The columns that the names in a statement may mean: first those of the views that it reads, then those of the model. */
export async function columnsNamedIn(text: string, model: SemanticModel, catalogues: FieldCatalogues): Promise<ResultSchema> {
  const folded = text.toLowerCase()
  const first = folded.includes('from') ? undefined : defaultView(model)
  const isRead = (view: View): boolean => view === first || folded.includes(view.name.toLowerCase())
  const read = [...model.views.values()].filter(isRead).map((view) => viewRelation(view, model).model)
  return (await Promise.all([...read, model].map((each) => modelColumns(each, catalogues)))).flat()
}
