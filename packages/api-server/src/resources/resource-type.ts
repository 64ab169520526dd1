import type { JsonObject, KubeObject, ResourceAddress } from "@kindling/kube-objects";
import type { FieldSet } from "../managed-fields/field-set.ts";
import type { DecodeOptions } from "../schema/decode.ts";
import type { StructType } from "../schema/types.ts";
import type { SelectableFields } from "../selectors/field-selector.ts";
import type { Columns } from "../table/columns.ts";
import type { FieldError } from "../status/field-error.ts";
import type { NameRule } from "../objects/names.ts";

/** What a client may do with a resource, in the words of discovery and of roles. */
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

/** How a resource is called. */
export interface ResourceNames extends ResourceAddress {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** A part of an object with an address of its own, as discovery lists it. */
export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind that it takes and gives, if not the resource's own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** The parts of an update that a resource's rules look at. */
export interface Update {
  /** The object to be, which the rules may still change. */
  readonly next: KubeObject;
  readonly current: KubeObject;
}

/**
 * How objects of one resource come to be and change: the counterpart of a registry strategy. Functions that prepare may
 * change the object that they are given; nobody else has seen it yet.
 */
export interface ResourceRules {
  readonly nameRule: NameRule;
  /** Fills in what the schema's constants cannot. */
  readonly setDefaults?: (object: KubeObject) => void;
  /** What the server sets, or does not let the client set, in a new object. */
  readonly prepareCreate?: (object: KubeObject, now: string) => void;
  readonly validate?: (object: KubeObject) => FieldError[];
  /** As `prepareCreate`, for updates of the object itself; the status is taken care of. */
  readonly prepareUpdate?: (update: Update) => void;
  readonly validateUpdate?: (update: Update) => FieldError[];
  readonly prepareStatusUpdate?: (update: Update) => void;
  readonly validateStatusUpdate?: (update: Update) => FieldError[];
  /** Values for field selectors beside name and namespace; the keys of the empty object's are what is supported. */
  readonly selectableFields?: (object: KubeObject) => SelectableFields;
  /** The time that an object is given to end when deleted, if its kind ends in its own time. */
  readonly gracePeriod?: (object: KubeObject, asked: number | undefined) => number;
  /** What an object is while something in it other than finalizers holds its deletion; undefined if nothing does. */
  readonly heldDeletion?: (object: KubeObject) => KubeObject | undefined;
  /** Whether `spec` changes count up `metadata.generation`. */
  readonly generation: boolean;
  /** Whether an update of what is not there makes it. */
  readonly createOnUpdate: boolean;
  /** Whether an update may leave out the resourceVersion. */
  readonly unconditionalUpdate: boolean;
  /** Whether a deletion answers with the deleted object, not with a Status. */
  readonly returnsDeleted: boolean;
}

/** A resource that the server serves. */
export interface ResourceType extends ResourceNames {
  /** The type as seen by managed fields and patches. */
  readonly type: StructType;
  /** Whether strategic merge patches are understood: not for custom resources. */
  readonly strategicPatch: boolean;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  readonly columns: Columns;
  readonly rules: ResourceRules;
  /** Reads a body, or an object after a patch; drops and reports unknown fields. */
  readonly decode: (body: JsonObject, options: DecodeOptions) => KubeObject;
  /** What an object of the type is that nothing was given for. */
  readonly empty: JsonObject;
  /** Fields that a write through this subresource cannot set; the empty name is the object itself. */
  readonly resetFields: (subresource: string) => FieldSet | undefined;
  /** What the store keeps the objects under. */
  readonly storageKey: string;
  /** `apiVersion` of objects in this version. */
  readonly apiVersion: string;
}
