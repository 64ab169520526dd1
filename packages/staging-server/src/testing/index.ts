export { blobStoreConformance } from "./blob-store-conformance.ts";
export type { ConformanceCase } from "./conformance-case.ts";
export { documentStoreConformance } from "./document-store-conformance.ts";
