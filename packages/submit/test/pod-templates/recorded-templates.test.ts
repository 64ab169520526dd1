import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sparkVersionOf } from "@kindling/core-spec";
import { parseYaml } from "../../src/pod-templates/parse-yaml.ts";

const RECORDINGS = new URL("../../../../recordings/pod-templates/", import.meta.url);

/**
 * Templates with a result that is different on purpose, or cannot be the same. Each row says which templates it is about, and
 * what is true for them.
 */
const DIFFERENT: readonly { readonly why: string; readonly is: RegExp; readonly taken: boolean }[] = [
  {
    why: "what begins with a brace and is no JSON is YAML",
    is: /^\{(?:metadata|1|'spec'| #|.*(?:007|NaN|,\}|"\t"|x\ny|:\+1))/s,
    taken: true,
  },
  { why: "bytes are no number", is: /(?:priority|defaultMode): !!binary/, taken: false },
  { why: "a key is a text", is: /\? \[a, 1\]/, taken: false },
  { why: "Spark looks for its container in the list", is: /containers:\n$/, taken: false },
  { why: "a line separator is no blank in front of JSON", is: /^\u2028\{/, taken: false },
  { why: "a line separator can be escaped with every Spark", is: /\\L/, taken: true },
];

describe.each(readdirSync(RECORDINGS))("templates as the client of Spark reads them: %s", (name) => {
  const version = sparkVersionOf(name.replace(".json", ""));
  const rows = JSON.parse(readFileSync(new URL(name, RECORDINGS), "utf8")) as readonly [string, unknown][];

  test.each(rows.map(([template, pod]) => ({ template, pod })))("$template", ({ template, pod }) => {
    const own = read(template);
    const difference = DIFFERENT.find(({ is, taken }) => is.test(template) && taken !== (pod !== null));
    const wanted = difference?.taken ?? (pod !== null && comparable(pod));
    const got = own !== undefined && (typeof wanted === "boolean" || comparable(own));
    expect(got, difference?.why).toEqual(wanted);
  });

  function read(template: string): unknown {
    try {
      return parseYaml(template, "t.yaml", "Pod", version);
    } catch {
      return undefined;
    }
  }
});

/**
 * Without what the client always adds, and without values that mean nothing to a server: null, an empty text, an empty list.
 */
function comparable(pod: unknown): unknown {
  const { apiVersion: _, kind: __, metadata = {}, spec = {}, ...rest } = pod as Record<string, unknown>;
  return withoutNothing({ ...rest, metadata, spec });
}

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([, member]) => member !== null && member !== "" && !(Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNothing(member)]));
}
