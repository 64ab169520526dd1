import type { Json } from "@kindling/kube-objects";

/** Types without parts. `duration` is Go's text form, `microTime` a time with six decimals. */
export type ScalarKind =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "float64"
  | "bytes"
  | "quantity"
  | "intOrString"
  | "time"
  | "microTime"
  | "duration"
  | "any";

export interface ScalarType {
  readonly kind: ScalarKind;
}

/** How server-side apply sees a list: as one value, as a set of values, or as a map by the given key fields. */
export type ListMerge = "atomic" | "set" | "map";

export interface ListType {
  readonly kind: "list";
  readonly items: Type;
  readonly merge: ListMerge;
  readonly keys: readonly string[];
}

export interface MapType {
  readonly kind: "map";
  readonly values: Type;
  readonly atomic: boolean;
}

export interface StructType {
  readonly kind: "struct";
  readonly name: string;
  /** The package in OpenAPI's notation, such as `io.k8s.api.core.v1`. */
  readonly package: string;
  readonly fields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  readonly atomic: boolean;
  /** Whether values may have fields that the type does not name: custom resources that preserve unknown fields. */
  readonly open?: boolean;
}

/** A value that is either a struct or what `alternative` says: one bool, a list of the struct, or a list of strings. */
export interface UnionType {
  readonly kind: "union";
  readonly struct: StructType;
  readonly alternative: "bool" | "structs" | "strings";
}

export type Type = ScalarType | ListType | MapType | StructType | UnionType;

/** When Go leaves a field out of its JSON: never, if it has its zero value, or also if it is a struct of zero values. */
export type Omit = "never" | "empty" | "zero";

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** Whether Go tells "absent" from the zero value. */
  readonly pointer: boolean;
  readonly omit: Omit;
  readonly required: boolean;
  /** Present if a strategic merge patch merges the list; its text is the merge key, empty for lists of scalars. */
  readonly mergeKey: string | undefined;
  readonly retainKeys: boolean;
  readonly default: Json | undefined;
  /** Its number in protobuf; with a dot, through the message of an inlined struct. Empty for kind and apiVersion. */
  readonly number: string;
  /**
   * Whether nothing is printed for the field when it is not given. This is true for most fields, so they can be skipped fast.
   */
  readonly silent: boolean;
}

/** All types by name. */
export type Schema = ReadonlyMap<string, StructType>;

/** The named type of a schema; a missing name is a bug in this package. */
export function structOf(schema: Schema, name: string): StructType {
  const type = schema.get(name);
  if (type === undefined) throw new Error(`no type ${name} in the schema`);
  return type;
}
