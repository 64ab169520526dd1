import { type JsonObject, type Json, isObject } from "@kindling/kube-objects";
import type { ListType, MapType, StructType, Type } from "../schema/types.ts";
import { entryType, itemElement, shapeOf } from "./typed-value.ts";

/** Merges an applied configuration into a live object: its fields win, the rest stays. */
export function mergeApplied(type: StructType | undefined, live: JsonObject, config: JsonObject): JsonObject {
  return mergeMaps(type, live, config);
}

function mergeValues(type: Type | undefined, live: Json | undefined, config: Json): Json {
  const shape = shapeOf(type, config);
  if (shape.kind === "map" && isObject(config)) return mergeMaps(shape.type, isObject(live) ? live : {}, config);
  if (shape.kind === "list" && Array.isArray(config)) {
    return mergeLists(shape.type, Array.isArray(live) ? live : [], config);
  }
  return config;
}

function mergeMaps(type: StructType | MapType | undefined, live: JsonObject, config: JsonObject): JsonObject {
  const result: JsonObject = { ...live };
  for (const [key, value] of Object.entries(config)) {
    if (value !== undefined) result[key] = mergeValues(entryType(type, key), live[key], value);
  }
  return result;
}

// Items of the configuration keep its order. Items that only the live list has keep their place before the next common item,
// and come before new items there.
function mergeLists(type: ListType, live: readonly Json[], config: readonly Json[]): Json[] {
  const existing = new Map(live.map((item) => [itemElement(type, item), item]));
  const elements = config.map((item) => itemElement(type, item));
  const wanted = new Set(elements);
  const result: Json[] = [];
  let at = 0;
  config.forEach((item, index) => {
    const nextShared = elements.slice(index).find((element) => existing.has(element));
    for (; at < live.length; at += 1) {
      const its = itemElement(type, live[at] ?? null);
      if (its === nextShared) break;
      if (!wanted.has(its)) result.push(live[at] ?? null);
    }
    const element = elements[index] ?? "";
    if (element === nextShared) at += 1;
    result.push(mergeValues(type.items, existing.get(element), item));
  });
  return [...result, ...live.slice(at).filter((item) => !wanted.has(itemElement(type, item)))];
}
