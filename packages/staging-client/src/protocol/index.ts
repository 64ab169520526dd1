export { CREDENTIALS_FIELDS, type CredentialsField } from "@kindling/core-spec";
export {
  digester,
  digestHex,
  digestOf,
  digestOfHash,
  entityTag,
  parseDigest,
  type Digest,
  type Digester,
} from "./digest.ts";
export { collidingNames, fileNameFault } from "./file-name.ts";
export { canonicalManifest, manifestDigest, type BundleFile, type FileKind } from "./manifest.ts";
export { isNamespace, ownerFault, OWNER_LIMITS, POD_OWNER, type StagedResourcesOwner } from "./owner.ts";
export {
  parseProblem,
  PROBLEM_MEDIA_TYPE,
  problemName,
  PROBLEMS,
  type ProblemDocument,
  type ProblemName,
  type ProblemType,
} from "./problem.ts";
export {
  formatBoolean,
  formatDigestField,
  formatIntegerDictionary,
  parseBoolean,
  parseDigestField,
  parseIntegerDictionary,
  parseSize,
} from "./structured-fields.ts";
export { tokenClaims, type TokenClaims } from "./token-claims.ts";
export * from "./upload-fields.ts";
export * from "./v0.ts";
export type * from "./v1.ts";
export { v1Paths } from "./v1-paths.ts";
