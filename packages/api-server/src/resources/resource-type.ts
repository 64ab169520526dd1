import type { JsonObject, KubeObject, ResourceAddress } from "@kindling/kube-objects";
import type { FieldSet } from "../managed-fields/field-set.ts";
import type { DecodeOptions } from "../schema/decode.ts";
import type { StructType } from "../schema/types.ts";
import type { SelectableFields } from "../selectors/field-selector.ts";
import type { Columns } from "../table/columns.ts";
import type { FieldError } from "../status/field-error.ts";
import type { NameRule } from "../name-rules/names.ts";

/** What a client may do with a resource, in the words of discovery and RBAC. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** All verbs, in the order in which discovery lists them. */
export const ALL_VERBS: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** The names of a resource. */
export interface ResourceNames extends ResourceAddress {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** A part of an object with its own path, as discovery lists it. */
export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind of its requests and answers, if it is not the resource's own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** The parts of an update that a resource's rules look at. */
export interface Update {
  /** The object to be stored, which the rules may still change. */
  readonly next: KubeObject;
  readonly current: KubeObject;
}

/**
 * How objects of one resource are created and changed: the counterpart of a registry strategy. The `prepare…` functions may
 * change the object that they get, because nobody else has seen it yet.
 */
export interface ResourceRules {
  readonly nameRule: NameRule;
  /** Fills in defaults that are not constants in the schema. */
  readonly setDefaults?: (object: KubeObject) => void;
  /** Sets the fields of a new object that only the server sets, and removes those that clients may not set. */
  readonly prepareCreate?: (object: KubeObject, now: string) => void;
  readonly validate?: (object: KubeObject) => FieldError[];
  /** Like `prepareCreate`, for updates of the object itself; the status is already handled. */
  readonly prepareUpdate?: (update: Update) => void;
  readonly validateUpdate?: (update: Update) => FieldError[];
  readonly prepareStatusUpdate?: (update: Update) => void;
  readonly validateStatusUpdate?: (update: Update) => FieldError[];
  /** Values for field selectors besides name and namespace; the supported fields are the keys for the empty object. */
  readonly selectableFields?: (object: KubeObject) => SelectableFields;
  /** The grace period of a deleted object, if its kind has one. */
  readonly gracePeriod?: (object: KubeObject, asked: number | undefined) => number;
  /** The object's state while something other than finalizers delays its deletion; undefined if nothing does. */
  readonly heldDeletion?: (object: KubeObject) => KubeObject | undefined;
  /** Whether changes of `spec` increase `metadata.generation`. */
  readonly generation: boolean;
  /** Whether an update of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** Whether an update may leave out the resourceVersion. */
  readonly unconditionalUpdate: boolean;
  /** Whether a deletion answers with the deleted object, not with a Status. */
  readonly returnsDeleted: boolean;
}

/** A resource that the server serves. */
export interface ResourceType extends ResourceNames {
  /** The type, as managed fields and patches see it. */
  readonly type: StructType;
  /** Whether strategic merge patches are understood: not for custom resources. */
  readonly strategicPatch: boolean;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  readonly columns: Columns;
  readonly rules: ResourceRules;
  /** Reads a body, or an object after a patch; drops and reports unknown fields. */
  readonly decode: (body: JsonObject, options: DecodeOptions) => KubeObject;
  /** An object of the type that was decoded from an empty one. */
  readonly empty: JsonObject;
  /** Fields that a write through this subresource cannot set; the empty name is the object itself. */
  readonly resetFields: (subresource: string) => FieldSet | undefined;
  /** The key of the type's objects in the store. */
  readonly storageKey: string;
  /** `apiVersion` of objects in this version. */
  readonly apiVersion: string;
}
