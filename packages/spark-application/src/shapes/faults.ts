import { quotedName } from "@kindling/core-spec";
import type { Form } from "./shape.ts";

/** The place of a value in an object. */
export interface Place {
  readonly up: Place | undefined;
  readonly kind: "member" | "entry" | "item";
  /** A member's name, the key of an entry of a map, or an item's index. */
  readonly step: string | number;
}

// An object of a megabyte may have a hundred thousand faults.
const MOST_FAULTS = 20;
const MOST_FOUND_BYTES = 64;

/** Collects faults as sentences for the author of the object; only the first ones if there are many. */
export class Faults {
  readonly #said: string[] = [];
  #unsaid = 0;

  /** Adds the fault that `value` does not have the expected form. */
  add(place: Place, form: Form, value: unknown): void {
    if (this.#said.length >= MOST_FAULTS) this.#unsaid += 1;
    else this.#said.push(`${placeText(place)}: expected ${expected(form)}, found ${found(form, value)}`);
  }

  get all(): readonly string[] {
    return this.#unsaid === 0 ? this.#said : [...this.#said, `and ${this.#unsaid} more like these`];
  }
}

function placeText({ up, kind, step }: Place): string {
  const before = up === undefined ? "" : placeText(up);
  if (kind === "item") return `${before}[${step}]`;
  if (kind === "entry") return `${before}[${quotedName(String(step))}]`;
  return before === "" ? String(step) : `${before}.${step}`;
}

function expected(form: Form): string {
  switch (form.kind) {
    case "text":
      return form.values === undefined ? "text" : `one of ${form.values.map((value) => `"${value}"`).join(", ")}`;
    case "whole":
      return `a whole number${boundsText(form)}`;
    case "flag":
      return "true or false";
    case "time":
      return "a time such as 2026-01-31T12:00:00Z";
    case "quantity":
      return "a quantity such as 500m or 2Gi";
    case "list":
      return "a list";
    case "map":
    case "fields":
      return "an object";
  }
}

function boundsText({ bits, minimum, maximum }: Form & { kind: "whole" }): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return `${minimum === undefined ? "" : ` of at least ${minimum}`} in ${bits} bits`;
}

/** Free text, and any value in its place, is not shown: it may be a password. */
function found(form: Form, value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "boolean") return String(value);
  const isFree = form.kind === "text" && form.values === undefined;
  if (typeof value === "number") return isFree ? "a number" : String(value);
  if (typeof value !== "string") return "an object";
  const isNested = form.kind === "list" || form.kind === "map" || form.kind === "fields";
  return isNested ? "text" : quotedName(value, MOST_FOUND_BYTES);
}
