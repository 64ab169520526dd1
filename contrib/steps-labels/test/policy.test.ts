import { isKindlingError } from "@kindling/core-spec";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parsePolicy } from "../src/policy.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
const value = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/);
const rule = fc.record({ required: fc.boolean(), values: fc.array(value), default: value }, { requiredKeys: [] });
const labels = fc.dictionary(name, rule, { maxKeys: 5 });

test("a policy in JSON reads as what it says, one label after the other", () => {
  fc.assert(
    fc.property(labels, (wanted) => {
      const rules = parsePolicy(JSON.stringify({ labels: wanted }, null, 2), "policy").rulesFor("any");
      expect(rules).toEqual(
        Object.entries(wanted).map(([label, given]) => ({
          label,
          line: expect.any(Number) as number,
          required: false,
          ...given,
        })),
      );
      const lines = rules.map(({ line }) => line);
      expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    }),
  );
});

test("what a namespace says stands in the place of what holds elsewhere", () => {
  fc.assert(
    fc.property(name, rule, rule, (namespace, everywhere, there) => {
      const policy = { labels: { team: { ...everywhere, namespaces: { [namespace]: there } } } };
      const read = parsePolicy(JSON.stringify(policy), "policy");
      expect(read.rulesFor(namespace)).toEqual([{ label: "team", line: 1, required: false, ...everywhere, ...there }]);
      expect(read.rulesFor(`${namespace}-other`)).toEqual([{ label: "team", line: 1, required: false, ...everywhere }]);
    }),
  );
});

test("whatever the file holds, the answer is a policy or an error for the user", () => {
  const pieces = fc.constantFrom(
    "labels:",
    "\n  team:",
    " {",
    "}",
    " [",
    "]",
    " &a",
    " *a",
    " - x",
    "\n",
    ": ",
    '"',
    "namespaces",
    "pattern: (",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      expect(faultOf(parts.join("")) ?? "policy, line 1: ").toMatch(/^policy, line \d+: /);
    }),
    { numRuns: 500 },
  );
});

/** The message for the user; undefined if the policy can be read. */
function faultOf(text: string): string | undefined {
  try {
    parsePolicy(text, "policy").rulesFor("any");
    return undefined;
  } catch (error) {
    if (isKindlingError(error)) return error.message;
    throw error;
  }
}
