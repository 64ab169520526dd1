import { type JsonObject, type Json, isObject } from "@kindling/kube-objects";
import type { StructType, Type } from "../schema/types.ts";
import { FieldSet } from "./field-set.ts";
import { entryElement, entryType, isNamedField, itemElement, shapeOf } from "./typed-value.ts";

/** The fields that an object sets. */
export function toFieldSet(type: StructType | undefined, object: JsonObject): FieldSet {
  const set = new FieldSet();
  collect(type, object, [], set);
  return set;
}

function collect(type: Type | undefined, value: Json, path: string[], set: FieldSet): void {
  const shape = shapeOf(type, value);
  if (shape.kind === "leaf") {
    set.insert(path);
  } else if (shape.kind === "list") {
    if (!Array.isArray(value)) return;
    for (const item of value) {
      path.push(itemElement(shape.type, item));
      collect(shape.type.items, item, path, set);
      set.insert(path);
      path.pop();
    }
  } else {
    if (!isObject(value)) return;
    for (const [key, entry] of Object.entries(value)) {
      if (entry === undefined) continue;
      path.push(entryElement(key));
      collect(entryType(shape.type, key), entry, path, set);
      if (isHollow(entry) || !isNamedField(shape.type, key)) set.insert(path);
      path.pop();
    }
  }
}

function isHollow(value: Json): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}
