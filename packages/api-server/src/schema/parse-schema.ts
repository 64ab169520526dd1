import type { Json } from "@kindling/kube-objects";
import type { Field, ListMerge, ScalarKind, Schema, StructType, Type } from "./types.ts";

const SCALARS: Readonly<Record<string, ScalarKind>> = {
  string: "string",
  bool: "bool",
  int32: "int32",
  int64: "int64",
  float64: "float64",
  bytes: "bytes",
  Quantity: "quantity",
  IntOrString: "intOrString",
  Time: "time",
  MicroTime: "microTime",
  Duration: "duration",
  any: "any",
};

// name, marks, type, annotations, default
const FIELD = /^ {2}([^?!:]+)(\?\?|\?)?(!)?: (\S+)((?: [@^~#]\S*)*)(?: = (.+))?$/;

/** Types that Go always prints, whatever `omitempty` says, unless they are pointers. */
const LOUD_WHEN_ABSENT = new Set(["struct", "time", "microTime", "quantity"]);

interface MutableStruct extends StructType {
  readonly fields: Field[];
  readonly byName: Map<string, Field>;
}

/**
 * Reads type definitions in this notation, one block a type:
 *
 * ```
 * package io.k8s.api.core.v1        the package of the types that follow
 * LabelSelector @atomic             a type; `@atomic`: server-side apply owns it as a whole
 * name!: string                   `!`: required; without `?` Go prints it even when empty
 * labels?: {}string               `?`: left out when empty (`??`: also a struct of zero values); `{}` is a map
 * uid?: *string                   `*`: a pointer, so an explicit zero value is kept
 * ports?: []Port @map(port) ^port `@map(keys)`, `@set`, `@atomic`: merging by server-side apply;
 *                                   `^key`: merge key of strategic merge patches, `~retainKeys`: their strategy
 *   type?: string #3 = "Opaque"     `#3`: the number in protobuf; `=`: the value that the server fills in
 * ```
 *
 * The facts come from the struct tags of `k8s.io/api` v0.34.4 and the `x-kubernetes-*` marks of the OpenAPI documents of a
 * Kubernetes 1.34 server; a conformance test compares them with a real server.
 */
export function parseSchema(texts: readonly string[]): Schema {
  const structs = new Map<string, MutableStruct>();
  const lines: { struct: MutableStruct; text: string }[] = [];
  let packageName = "";
  let current: MutableStruct | undefined;
  for (const line of texts.join("").split("\n")) {
    if (line === "") continue;
    if (line.startsWith("package ")) {
      packageName = line.slice("package ".length);
    } else if (line.startsWith("  ")) {
      if (current === undefined) throw new Error(`field without a type: ${line}`);
      lines.push({ struct: current, text: line });
    } else {
      const [name = "", second, alias] = line.split(" ");
      current = {
        kind: "struct",
        name: second === "as" && alias !== undefined ? alias : name,
        package: packageName,
        fields: [],
        byName: new Map(),
        atomic: line.endsWith("@atomic"),
      };
      structs.set(name, current);
    }
  }
  for (const { struct, text } of lines) {
    const field = parseField(text, structs);
    struct.fields.push(field);
    struct.byName.set(field.name, field);
  }
  return structs;
}

function parseField(text: string, structs: ReadonlyMap<string, StructType>): Field {
  const match = FIELD.exec(text);
  if (match === null) throw new Error(`not a field: ${text}`);
  const [, name = "", omit, required, typeText = "", annotations = "", defaultText] = match;
  const marks = annotations.split(" ").filter((mark) => mark !== "");
  const mergeKey = marks.find((mark) => mark.startsWith("^"))?.slice(1);
  const pointer = typeText.startsWith("*");
  const type = parseType(pointer ? typeText.slice(1) : typeText, marks, structs);
  const loud = !pointer && LOUD_WHEN_ABSENT.has(type.kind);
  return {
    name,
    type,
    silent: defaultText === undefined && (omit === "??" || (omit === "?" && !loud)),
    pointer,
    omit: omit === undefined ? "never" : omit === "?" ? "empty" : "zero",
    required: required !== undefined,
    mergeKey,
    retainKeys: marks.includes("~retainKeys"),
    number: marks.find((mark) => mark.startsWith("#"))?.slice(1) ?? "",
    default: defaultText === undefined ? undefined : (JSON.parse(defaultText) as Json),
  };
}

function parseType(text: string, marks: readonly string[], structs: ReadonlyMap<string, StructType>): Type {
  if (text.startsWith("[]")) {
    const [merge, keys] = parseListMerge(marks);
    return { kind: "list", items: parseType(text.slice(2), [], structs), merge, keys };
  }
  if (text.startsWith("{}")) {
    return { kind: "map", values: parseType(text.slice(2), [], structs), atomic: marks.includes("@atomic") };
  }
  const scalar = SCALARS[text];
  if (scalar !== undefined) return { kind: scalar };
  const [name = "", alternative] = text.split("|");
  const struct = structs.get(name);
  if (struct === undefined) throw new Error(`unknown type ${text}`);
  if (alternative === undefined) return struct;
  return {
    kind: "union",
    struct,
    alternative: alternative === "bool" ? "bool" : alternative === "[]" ? "structs" : "strings",
  };
}

function parseListMerge(marks: readonly string[]): [ListMerge, readonly string[]] {
  for (const mark of marks) {
    if (mark === "@set") return ["set", []];
    if (mark.startsWith("@map(")) return ["map", mark.slice("@map(".length, -1).split(",")];
  }
  return ["atomic", []];
}
