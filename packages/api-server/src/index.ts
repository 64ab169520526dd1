// The parts of a server
export { ApiServer, type ListenOptions, type ServerHandlers, type TlsOptions } from "./api-server.ts";
export type { AdmissionPlugin, AdmissionRequest } from "./admission/admission.ts";
export { ANONYMOUS, UNAUTHENTICATED, type User } from "./authentication/user.ts";
export { type Api, type ApiOptions, createApi, type WriteContext } from "./operations/api.ts";
export { openWebSocket, type OpenWebSocket, wantsWebSocket } from "./watch/web-socket.ts";
export { OPCODES } from "./watch/web-socket-frames.ts";
export type { BodyRules } from "./routes/body-rules.ts";
export type {
  Attributes,
  Intercept,
  Review,
  Service,
  ServedDocument,
  ServiceOptions,
  Staleness,
  SubresourceHandler,
  SubresourceRequest,
} from "./routes/service.ts";

// Resources
export { defineResource, type ResourceDefinition } from "./resources/define-resource.ts";
export { decodeOpen, freeField, identityFields } from "./resources/open-object.ts";
export type { ResourceRules, ResourceType, Subresource, Update, Verb } from "./resources/resource-type.ts";
export { ResourceTypes } from "./resources/resource-types.ts";
export {
  type Column,
  type Columns,
  type ColumnType,
  columns,
  formatLabels,
  namedCells,
  orNone,
} from "./table/columns.ts";
export { age, humanDuration } from "./table/human-duration.ts";
export type { SelectableFields } from "./selectors/field-selector.ts";
export { type LabelSelectorSpec, selectorFromLabels, selectorFromSpec } from "./selectors/label-selector.ts";
export { FieldSet } from "./managed-fields/field-set.ts";

// Fields
export { decode, DecodeError, type DecodeOptions } from "./schema/decode.ts";
export { metaTypes } from "./schema/meta-types.ts";
export { parseSchema } from "./schema/parse-schema.ts";
export { type Amount, addAmounts, amountToNumber, formatAmount, parseAmount, ZERO_AMOUNT } from "./schema/quantity.ts";
export { type Field, type Schema, structOf, type StructType, type Type } from "./schema/types.ts";
export {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  typeInvalid,
} from "./status/field-error.ts";
export {
  configKey,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  envName,
  labelValue,
  type NameRule,
  pathSegment,
  portName,
  portNumber,
  qualifiedName,
} from "./name-rules/names.ts";
export { validateLabels } from "./operations/object-meta.ts";

// Reading and writing the store
export { collectionOf, editable, findObject, resourceName } from "./operations/api.ts";
export { createObject } from "./operations/create.ts";
export { deleteObject, type DeleteOptions, FOREGROUND, ORPHAN } from "./operations/delete.ts";
export { nameSuffix } from "./operations/name-suffix.ts";
export type { Selection } from "./operations/selection.ts";
export type { StoredObject } from "./storage/stored-object.ts";
export { updateObject } from "./operations/update.ts";
export type { Collection } from "./storage/collection.ts";
export type { LogLimits, StoreEvent } from "./storage/event-log.ts";
export { Store } from "./storage/store.ts";
export { type Patch, patchedObject, type PatchKind } from "./operations/patch.ts";
export { applyJsonPatch, parseJsonPatch } from "./patch/json-patch.ts";
export { applyMergePatch } from "./patch/merge-patch.ts";

// Answering requests by hand
export type { Exchange } from "./routes/exchange.ts";
export { deleteOptions } from "./routes/delete-options.ts";
export { readPatch } from "./routes/handle-patch.ts";
export { selectionOf } from "./routes/handle-read.ts";
export { contextOf } from "./routes/handle-write.ts";
export { flag, integer, writeOptions } from "./routes/options.ts";
export { parseJson, readBody, readObject, readParsedBody } from "./routes/read-body.ts";
export type { RequestTarget, ResourceTarget } from "./routes/request-target.ts";
export { respondJson, respondStatus, setCommonHeaders } from "./routes/respond.ts";
export {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  internalError,
  invalid,
  methodNotAllowed,
  notFound,
  tooLarge,
  tooManyRequests,
  unauthorized,
  unsupportedPatchType,
} from "./status/errors.ts";
export { ApiError } from "./status/status.ts";
