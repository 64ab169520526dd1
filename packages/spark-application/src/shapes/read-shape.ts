import { parseQuantity } from "@kindling/core-spec";
import type { Faults, Place } from "./faults.ts";
import type { Form, Member, Presence, Shape } from "./shape.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON value. Never throws; a value of another form than the shape is left out and becomes a fault. `null` counts
 * as absent, as in Go.
 *
 * @returns undefined if there is no readable value
 */
export function readShape<T>(shape: Shape<T>, value: unknown, place: Place, faults: Faults): T | undefined {
  return (value === undefined || value === null ? undefined : readForm(shape, value, place, faults)) as T | undefined;
}

export function isJsonObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readForm(form: Form, value: unknown, place: Place, faults: Faults): unknown {
  if (form.kind === "list" && Array.isArray(value)) {
    return value.flatMap((item: unknown, step) => entries(form.of, item, { up: place, kind: "item", step }, faults));
  }
  if (form.kind === "map" && isJsonObject(value)) {
    const kept = Object.entries(value).flatMap(([step, item]) =>
      entries(form.of, item, { up: place, kind: "entry", step }, faults).map((read) => [step, read]),
    );
    return Object.fromEntries(kept);
  }
  if (form.kind === "fields" && isJsonObject(value)) return readFields(form, value, place, faults);
  const read = readScalar(form, value);
  if (read === undefined) faults.add(place, form, value);
  return read;
}

/** The entry in a list, or an empty list if it cannot be read. Lists and maps cannot contain `null`. */
function entries(form: Form, value: unknown, place: Place, faults: Faults): unknown[] {
  const read = readForm(form, value, place, faults);
  return read === undefined ? [] : [read];
}

function readFields(form: Form & { kind: "fields" }, value: Json, up: Place, faults: Faults): Json | undefined {
  const all: Record<string, unknown> = form.isOpen ? { ...value } : {};
  let isWhole = true;
  for (const [name, member] of Object.entries(form.members)) {
    const read = readMember(presence(member), value[name], { up, kind: "member", step: name }, faults);
    if (read.value === undefined) delete all[name];
    else all[name] = read.value;
    isWhole &&= !read.isMissing;
  }
  return isWhole ? all : undefined;
}

function readMember(
  { form, isRequired, otherwise }: Presence,
  value: unknown,
  place: Place,
  faults: Faults,
): { readonly value: unknown; readonly isMissing: boolean } {
  if (isRequired && (value === undefined || value === null)) faults.add(place, form, undefined);
  const read = readShape(form, value, place, faults) ?? otherwise;
  return { value: read, isMissing: isRequired && read === undefined };
}

/** The form of a member, and what its absence means. */
export function presence(member: Member): Presence {
  return member.kind === "presence" ? member : { kind: "presence", form: member, isRequired: false };
}

function readScalar(form: Form, value: unknown): unknown {
  switch (form.kind) {
    case "text":
      return typeof value === "string" && (form.values?.includes(value) ?? true) ? value : undefined;
    case "whole":
      return typeof value === "number" && isWithin(form, value) ? value : undefined;
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "time":
      return typeof value === "string" ? wholeSecondsInUtc(value) : undefined;
    case "quantity": {
      const text = typeof value === "number" ? String(value) : value;
      return typeof text === "string" && parseQuantity(text) !== undefined ? text : undefined;
    }
    case "list":
    case "map":
    case "fields":
      return undefined;
  }
}

function isWithin({ bits, minimum, maximum }: Form & { kind: "whole" }, value: number): boolean {
  // For 64 bits, only the integers that JSON keeps exact.
  const fits = bits === 32 ? value === (value | 0) : Number.isSafeInteger(value);
  return fits && value >= (minimum ?? value) && value <= (maximum ?? value);
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
// Only years of four digits can be written in this form.
const YEAR_1 = Date.parse("0001-01-01T00:00:00Z");
const YEAR_10000 = Date.parse("9999-12-31T23:59:59Z") + 1000;

function wholeSecondsInUtc(text: string): string | undefined {
  const milliseconds = RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  // This is also true for NaN.
  if (!(milliseconds >= YEAR_1 && milliseconds < YEAR_10000)) return undefined;
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
