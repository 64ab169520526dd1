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
      expect(rules.map(({ label, line: _, required, ...others }) => [label, { required, ...others }])).toEqual(
        Object.entries(wanted).map(([label, given]) => [label, { required: false, ...given }]),
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
      const { rulesFor } = parsePolicy(JSON.stringify(policy), "policy");
      expect(rulesFor(namespace)).toEqual([{ label: "team", line: 1, required: false, ...everywhere, ...there }]);
      expect(rulesFor(`${namespace}-other`)).toEqual([{ label: "team", line: 1, required: false, ...everywhere }]);
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
      try {
        parsePolicy(parts.join(""), "policy").rulesFor("any");
      } catch (error) {
        expect(isKindlingError(error) && error.message).toMatch(/^policy, line \d+: /);
      }
    }),
    { numRuns: 500 },
  );
});
