/** Conformance suites for tests of plugins. No server loads them. Names here are stable. */
export { type CacheUnderTest, cacheConformance } from './cache/cache-conformance.js'
export { type DialectExpectations, dialectConformance, TRICKY_NAMES, TRICKY_TEXTS } from './compile/dialect-conformance.js'
export { type AuthenticatorUnderTest, authenticatorConformance } from './conformance/authenticator-conformance.js'
export { type EvaluatorUnderTest, evaluatorConformance } from './conformance/evaluator-conformance.js'
export { type ExporterUnderTest, exporterConformance } from './conformance/exporter-conformance.js'
export { type FormatUnderTest, formatConformance } from './conformance/format-conformance.js'
export { type FunctionsUnderTest, functionConformance } from './conformance/function-conformance.js'
export { type ImporterUnderTest, importerConformance } from './conformance/importer-conformance.js'
export { type LanguageUnderTest, languageConformance } from './conformance/language-conformance.js'
export {
  type SurfaceAnswer,
  type SurfaceQuestion,
  type SurfaceUnderTest,
  surfaceConformance,
} from './conformance/surface-conformance.js'
export {
  CONFORMANCE_POOL_SIZE,
  type ConformanceTrace,
  type ConformanceValue,
  type TestRunner,
  type VendorUnderTest,
  vendorConformance,
} from './execute/vendor-conformance.js'
export { standard } from './sql/standard.js'
