import { isJsonObject, presence } from "../shapes/read-shape.ts";
import type { Form } from "../shapes/shape.ts";

/** A step into a value; the form of that value, and the rest of the value around it if it cannot be read. */
export interface Step {
  readonly text: string;
  readonly form: Form;
  readonly put: (around: unknown, value: unknown) => unknown;
  readonly without: (around: unknown) => unknown;
  readonly into: (around: unknown) => unknown;
}

/** A value with every member that a form names, one item in each list and one entry in each map. */
export function fullValue(form: Form): unknown {
  switch (form.kind) {
    case "text":
      return form.values?.findLast((value) => value !== "") ?? "some text";
    case "whole":
      return form.maximum ?? 7;
    case "flag":
      return true;
    case "time":
      return "2026-01-31T12:00:00Z";
    case "quantity":
      return "2Gi";
    case "list":
      return [fullValue(form.of)];
    case "map":
      return { "a.key": fullValue(form.of) };
    case "fields":
      return Object.fromEntries(
        Object.entries(form.members).map(([name, member]) => [name, fullValue(presence(member).form)]),
      );
  }
}

/** All paths into a form, at every depth. */
export function pathsInto(form: Form): Step[][] {
  return stepsInto(form).flatMap((step) => [[step], ...pathsInto(step.form).map((path) => [step, ...path])]);
}

function stepsInto(form: Form): Step[] {
  if (form.kind === "list") {
    const step = { text: "[0]", form: form.of, put: (_: unknown, value: unknown) => [value], without: () => [] };
    return [{ ...step, into: (around) => itemsOf(around)[0] }];
  }
  if (form.kind === "map") {
    const step = { text: `["a.key"]`, form: form.of, without: () => ({}) };
    return [{ ...step, put: (_, value) => ({ "a.key": value }), into: (around) => membersOf(around)["a.key"] }];
  }
  if (form.kind !== "fields") return [];
  return Object.entries(form.members).map(([name, member]) => {
    const { form: itsForm, isRequired, otherwise } = presence(member);
    return {
      text: `.${name}`,
      form: itsForm,
      put: (around, value) => ({ ...membersOf(around), [name]: value }),
      into: (around) => membersOf(around)[name],
      without: (around) => {
        if (otherwise !== undefined) return { ...membersOf(around), [name]: otherwise };
        if (isRequired) return undefined;
        const { [name]: _, ...rest } = membersOf(around);
        return rest;
      },
    };
  });
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** A path in the form that faults use. */
export function pathText(path: readonly Step[]): string {
  return path
    .map(({ text }) => text)
    .join("")
    .replace(/^\./, "");
}

/** A value with another value at the end of a path. */
export function withAt([step, ...rest]: readonly Step[], around: unknown, value: unknown): unknown {
  if (step === undefined) return value;
  return step.put(around, withAt(rest, step.into(around), value));
}

/** The rest of a value if the end of a path cannot be read; undefined if nothing is left. */
export function withoutAt([step, ...rest]: readonly Step[], around: unknown): unknown {
  if (step === undefined) return undefined;
  const inner = withoutAt(rest, step.into(around));
  return inner === undefined ? step.without(around) : step.put(around, inner);
}

/** Values that do not have a form. */
export function wrongValues(form: Form): unknown[] {
  switch (form.kind) {
    case "text":
      return [1, true, [], {}, ...(form.values === undefined ? [] : ["none of them"])];
    case "whole":
      return ["two", 1.5, true, [], {}, form.bits === 32 ? 2 ** 31 : 2 ** 53, ...outOf(form)];
    case "flag":
      return ["yes", 1, [], {}];
    case "time":
      return ["yesterday", "2026-01-31", "2026-13-31T12:00:00Z", 1, [], {}];
    case "quantity":
      return ["much", "1 Gi", true, [], {}];
    case "list":
      return ["text", 1, false, {}];
    case "map":
    case "fields":
      return ["text", 1, false, []];
  }
}

function outOf({ minimum, maximum }: Form & { kind: "whole" }): number[] {
  return [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1])];
}
