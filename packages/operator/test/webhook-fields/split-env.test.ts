import type { EnvVar } from "@kindling/core-spec";
import fc from "fast-check";
import { expect, it } from "vitest";
import { splitEnv } from "../../src/webhook-fields/split-env.ts";

const USERS = ["A", "B", "C", "not a key"];
const SPARKS: readonly EnvVar[] = [
  { name: "SPARK_USER", value: "spark" },
  { name: "SPARK_EXECUTOR_ID", value: "7" },
];

const value = fc
  .array(
    fc.oneof(
      fc.constantFrom("x", " ", "$", "$$(A)", "/"),
      fc.constantFrom(...USERS, "SPARK_EXECUTOR_ID", "ELSEWHERE").map((name) => `$(${name})`),
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(""));

const variable: fc.Arbitrary<EnvVar> = fc.oneof(
  fc.record({ name: fc.constantFrom(...USERS, "SPARK_USER"), value }),
  fc.record({ name: fc.constantFrom(...USERS) }),
  fc.record({ name: fc.constantFrom(...USERS), valueFrom: fc.constant({ fieldRef: { fieldPath: "spec.nodeName" } }) }),
);

/** A container's variables as the kubelet resolves them: each sees those before it. */
function seen(env: readonly EnvVar[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const { name, value: text = "", valueFrom } of env) {
    const expanded = text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, wanted?: string) =>
      wanted === undefined ? "$" : (known.get(wanted) ?? whole),
    );
    known.set(name, valueFrom === undefined ? expanded : JSON.stringify(valueFrom));
  }
  return known;
}

/** Whether a variable in the template needs one of Spark's variables, which come after the template. */
function isTorn(env: readonly EnvVar[]): boolean {
  const { inTemplate, byConf } = splitEnv(env);
  return inTemplate.some(
    ({ name, value: text = "" }) =>
      text.includes("$(SPARK_") || (name.startsWith("SPARK_") && !Object.hasOwn(byConf, name)),
  );
}

it("gives executors the variables that stock's webhook gave them, whatever order Spark has", () => {
  fc.assert(
    fc.property(fc.array(variable, { maxLength: 6 }), fc.boolean(), (env, reversed) => {
      fc.pre(!isTorn(env));
      const { inTemplate, byConf } = splitEnv(env);
      const entries = Object.entries(byConf).map(([name, text]) => ({ name, value: text }));
      const executor = [...inTemplate, ...SPARKS, ...(reversed ? entries.reverse() : entries)];
      expect(seen(executor)).toEqual(seen([...SPARKS, ...env]));
    }),
    {
      numRuns: 2000,
      // A value that an earlier value of another name needs, by way of a third.
      examples: [
        [[{ name: "C" }, { name: "A", value: "$(C)" }, { name: "not a key", value: "$(A)" }, { name: "A" }], false],
      ],
    },
  );
});
