import { AssertionError } from "node:assert";
import { inspect } from "node:util";

/** Stands for a member that must not be there. */
export const ABSENT: unique symbol = Symbol.for("@kindling/test-kit/absent");

/**
 * The expected form of a value: objects need only the named members, lists must have exactly the named items, and texts may
 * be described by a regular expression.
 */
export type Pattern =
  | null
  | boolean
  | number
  | string
  | RegExp
  | typeof ABSENT
  | readonly Pattern[]
  | { readonly [member: string]: Pattern };

/** @throws AssertionError that says where the value differs. */
export function expectMatch(actual: unknown, pattern: Pattern, what: string = "the answer"): void {
  const differences = [...differencesOf(actual, pattern, what)];
  if (differences.length === 0) return;
  const shown = inspect(actual, { depth: 8, maxStringLength: 400, breakLength: 120 });
  throw new AssertionError({ message: `${differences.join("\n")}\nin ${shown}` });
}

function* differencesOf(actual: unknown, pattern: Pattern, path: string): Generator<string> {
  if (pattern === ABSENT) {
    if (actual !== undefined) yield `${path}: ${inspect(actual)}, but it must not be there`;
  } else if (pattern instanceof RegExp) {
    if (typeof actual !== "string" || !pattern.test(actual))
      yield `${path}: ${inspect(actual)} does not match ${pattern}`;
  } else if (isList(pattern)) {
    if (!Array.isArray(actual) || actual.length !== pattern.length)
      yield `${path}: ${inspect(actual)} is no list of ${pattern.length}`;
    else for (const [index, item] of pattern.entries()) yield* differencesOf(actual[index], item, `${path}[${index}]`);
  } else if (typeof pattern === "object" && pattern !== null) {
    if (typeof actual !== "object" || actual === null) yield `${path}: ${inspect(actual)} is no object`;
    else
      for (const [member, value] of Object.entries(pattern))
        yield* differencesOf((actual as Record<string, unknown>)[member], value, `${path}.${member}`);
  } else if (actual !== pattern) {
    yield `${path}: ${inspect(actual)} instead of ${inspect(pattern)}`;
  }
}

// Array.isArray does not narrow readonly arrays.
function isList(pattern: Pattern): pattern is readonly Pattern[] {
  return Array.isArray(pattern);
}
