import { structOf, type Schema, type Type } from "@kindling/api-server";
import { kubernetesSchema } from "../../../../../packages/devcluster/src/types/fields/kubernetes-schema.ts";
import type { Dice } from "../dice.ts";

export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
export type Struct = { [key: string]: Value };
type ScalarKind = Exclude<Type, { kind: "struct" | "list" | "map" | "union" }>["kind"];

const schema: Schema = kubernetesSchema();

/** For each type, values that Kubernetes accepts, and values that it refuses or reads as something else first. */
const SCALARS: Readonly<Record<ScalarKind, readonly [usual: readonly Value[], odd: readonly Value[]]>> = {
  string: [
    ["a", "b-c", "x/y", "8080", "true", ""],
    [2024, 7, 1.5, 1.1, true, false, null, 123, 0, -1, 1e21, [], {}],
  ],
  bool: [
    [true, false],
    ["true", "false", "yes", "True", 1, 0, null, "", "on", []],
  ],
  int32: [
    [1, 5, 80, 0, 30],
    ["5", "80", 1.5, 2.0, "1.0", -1, true, null, "", "abc", 2 ** 31, 2 ** 40, "0x10", "007"],
  ],
  int64: [
    [1, 30, 1000, 0],
    ["5", 1.5, "1.0", -1, true, null, "", "abc", 2 ** 40, "99999999999999999999"],
  ],
  float64: [
    [1, 0.5],
    ["1", "abc", null],
  ],
  bytes: [["YQ=="], ["not base64!", 1, null]],
  quantity: [
    ["1", "500m", "1Gi", "128Mi", 1, 2, 0.5],
    [1.5, "1e3", "0.5", "1G", "100k", ".5", "1.0", 0, "", "1000000", "abc", "1 Gi", true, null, "1Ki ", 1e10],
  ],
  intOrString: [
    [80, "http", "50%", 8080],
    ["80", 1.5, true, null, "", -1],
  ],
  time: [["2024-01-01T00:00:00Z"], ["2024-01-01", 1, null, "x"]],
  microTime: [["2024-01-01T00:00:00.000000Z"], ["x"]],
  duration: [["5s"], [5]],
  any: [["a", 1], [null]],
};
const KEYS = ["a", "team", "x/y", "app.kubernetes.io/name"];
const ODD_KEYS = ["on", "1", "n", "", "true", "null", "1.5", "\u00e9"];
const ODDS = 0.04;
/** Structs further inside are empty. */
const DEEPEST = 7;

/** A part of a pod with this type and few of its fields. */
export function randomStruct(dice: Dice, name: string, fields: number, depth = 0): Struct {
  const type = structOf(schema, name);
  const result: Struct = {};
  const needed = type.fields.filter(({ required }) => required);
  const wanted = [...needed, ...dice.some(type.fields, fields)];
  for (const field of wanted)
    if (!IDENTITY.has(field.name)) result[field.name] = randomValue(dice, field.type, depth + 1);
  if (dice.chance(ODDS / 4)) result[dice.pick(["unknown", "Name", "x"])] = dice.pick<Value>([1, "a", { a: 1 }, []]);
  return result;
}

const IDENTITY: ReadonlySet<string> = new Set(["status", "ephemeralContainers", "managedFields"]);

function randomValue(dice: Dice, type: Type, depth: number): Value {
  const isOdd = dice.chance(ODDS / 4);
  const isDeep = depth > DEEPEST;
  switch (type.kind) {
    case "struct":
      if (isOdd) return dice.pick<Value>([null, [], "a", 1]);
      return isDeep ? {} : randomStruct(dice, type.name, dice.pick([0, 1, 1, 2]), depth);
    case "list":
      if (isOdd) return dice.pick<Value>([null, {}, "a", { name: "x" }]);
      return Array.from({ length: isDeep ? 0 : dice.pick([0, 1, 1, 2]) }, () =>
        randomValue(dice, type.items, depth + 1),
      );
    case "map":
      return isOdd ? dice.pick<Value>([null, [], "a"]) : randomMap(dice, type.values, depth);
    case "union":
      return dice.chance(0.5) ? randomStruct(dice, type.struct.name, 1, depth) : dice.pick<Value>([true, ["a"]]);
    case "any":
    case "bool":
    case "bytes":
    case "duration":
    case "float64":
    case "int32":
    case "int64":
    case "intOrString":
    case "microTime":
    case "quantity":
    case "string":
    case "time":
      return dice.mostly(...SCALARS[type.kind], ODDS);
  }
}

function randomMap(dice: Dice, values: Type, depth: number): Struct {
  const keys = dice.some(KEYS, dice.pick([0, 1, 2])).map((key) => dice.mostly([key], ODD_KEYS));
  return Object.fromEntries(keys.map((key) => [key, randomValue(dice, values, depth + 1)]));
}
