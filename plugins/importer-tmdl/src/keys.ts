import type { FormatKeys, Part } from '@grainline/importer-dbt/foreign'

/** Keys that say how an item is shown, found, stored or refreshed. */
export const KEYS: FormatKeys = {
  whole: 'the text',
  outside: new Set(
    `annotation changedProperty collation compatibilityLevel compatibilityMode culture cultureInfo cultures dataAccessOptions dataCategory dataSource database defaultDetailRowsDefinition
    defaultHierarchy defaultMeasure defaultPowerBIDataSourceVersion description detailRowsDefinition discourageCompositeModels discourageImplicitMeasures discourageReportMeasures
    displayFolder displayOrdinal encodingHint excludeFromAutomaticAggregations excludeFromModelRefresh expression extendedProperty forceUniqueNames formatString
    formatStringDefinition hideMembers id isAvailableInMdx isDataTypeInferred isDefaultImage isDefaultLabel isHidden isNameInferred isPrivate keepUniqueRows keyUniqueRows kpi language legacyRedirects
    lineageTag linguisticMetadata maxParallelismPerQuery model mode ordinal perspective queryGroup ref refreshPolicy relatedColumnDetails returnErrorValuesAsNull securityFilteringBehavior
    showAsVariationsOnly sortByColumn sourceLineageTag sourceProviderType sourceQueryCulture state summarizeBy tableDetailPosition translation variation dataView expressionSource directLakeBehavior
    isNullable alignment relyOnReferentialIntegrity defaultDataView disableSystemDefaultExpression directLakeBehavior storageLocation automaticAggregationOptions dataSourceDefaultMaxConnections
    dataSourceVariablesOverrideBehavior mAttributes bindingInfo excludedArtifact`.split(/\s+/),
  ),
  own: {
    function: { message: 'a function of DAX has no place in the model', hint: 'Write its text where it is called.' },
  },
}

export const isOn = (part: Part, key: string): boolean => part.text(key)?.toLowerCase() === 'true'
