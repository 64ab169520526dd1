import { type Json, isObject } from "../../json.ts";

/** One step of a path: a field, a position, all of them, or those that a comparison picks. */
type Step =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "all" }
  | { readonly kind: "filter"; readonly field: readonly string[]; readonly equals: Json };

const STEP =
  /\.([A-Za-z0-9_-]+)|\['([^']*)'\]|\[(-?\d+)\]|\[(\*)\]|\[\?\(@\.([A-Za-z0-9_.-]+)\s*==\s*(?:"([^"]*)"|'([^']*)'|(true|false|-?\d+))\)\]/gy;

/**
 * Reads a path in the notation of `additionalPrinterColumns`: fields, positions, `[*]` and filters such as
 * `[?(@.type=="Ready")]`. Undefined if it is more than that.
 */
export function parseJsonPath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let end = 0;
  for (const match of text.matchAll(STEP)) {
    end = match.index + match[0].length;
    const [, name, quoted, index, all, field, double, single, literal] = match;
    if (name !== undefined || quoted !== undefined) steps.push({ kind: "field", name: name ?? quoted ?? "" });
    else if (index !== undefined) steps.push({ kind: "index", index: Number(index) });
    else if (all !== undefined) steps.push({ kind: "all" });
    else if (field !== undefined) {
      const equals = double ?? single ?? (JSON.parse(literal ?? "null") as Json);
      steps.push({ kind: "filter", field: field.split("."), equals });
    }
  }
  return end === text.length ? steps : undefined;
}

/** The values at a path. */
export function valuesAt(steps: readonly Step[], root: Json): Json[] {
  let values: Json[] = [root];
  for (const step of steps) values = values.flatMap((value) => take(step, value));
  return values;
}

function take(step: Step, value: Json): Json[] {
  switch (step.kind) {
    case "field": {
      const found = isObject(value) ? value[step.name] : undefined;
      return found === undefined ? [] : [found];
    }
    case "index": {
      const found = Array.isArray(value) ? value.at(step.index) : undefined;
      return found === undefined ? [] : [found];
    }
    case "all":
      return Array.isArray(value)
        ? value
        : isObject(value)
          ? Object.values(value).filter((item) => item !== undefined)
          : [];
    case "filter":
      return Array.isArray(value)
        ? value.filter((item) => valuesAt(fieldSteps(step.field), item)[0] === step.equals)
        : [];
  }
}

function fieldSteps(names: readonly string[]): Step[] {
  return names.map((name) => ({ kind: "field", name }));
}
