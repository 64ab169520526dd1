import { parse } from "yaml";

/** The correct result of a case. Patterns are regular expressions that ignore case. */
export interface Expectation {
  /** Each must match the output. */
  readonly says: readonly string[];
  /** None may match it. */
  readonly never: readonly string[];
  /** The state that a SparkApplication must reach. */
  readonly state: string | undefined;
  /** Which of the two accepts a submission that the other refuses, if this is on purpose. */
  readonly alone: string | undefined;
  /** Shell commands that run the case, in a copy of its folder. Default: `run.sh` of the folder, if it has one. */
  readonly run: string | undefined;
  /** A manifest of objects that must be in the namespace before an application. */
  readonly objects: string | undefined;
}

/**
 * Reads a YAML file of expectations by the names of cases.
 *
 * @throws Error that names the case and the member
 */
export function parseExpectations(text: string): ReadonlyMap<string, Expectation> {
  const all: unknown = parse(text) ?? {};
  if (!isMapping(all)) throw new Error("expectations are a mapping from names of cases");
  return new Map(Object.entries(all).map(([name, value]) => [name, expectationOf(name, value)]));
}

const MEMBERS = new Set(["says", "never", "state", "alone", "run", "objects"]);

function expectationOf(name: string, value: unknown): Expectation {
  if (!isMapping(value)) throw new Error(`${name}: a mapping is expected`);
  const unknown = Object.keys(value).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined) throw new Error(`${name}: there is no member ${unknown}`);
  return {
    says: patterns(name, "says", value["says"]),
    never: patterns(name, "never", value["never"]),
    state: textOf(name, "state", value["state"]),
    alone: textOf(name, "alone", value["alone"]),
    run: textOf(name, "run", value["run"]),
    objects: textOf(name, "objects", value["objects"]),
  };
}

function patterns(name: string, member: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${name}.${member}: a list of patterns is expected`);
  return value.map((one: unknown) => textOf(name, member, one) ?? "");
}

function textOf(name: string, member: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new Error(`${name}.${member}: text is expected`);
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
