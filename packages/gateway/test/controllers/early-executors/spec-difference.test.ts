import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprint } from "../../../src/json/fingerprint.ts";
import { specDifference } from "../../../src/controllers/early-executors/spec-difference.ts";

interface Shape {
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly memory: string;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  options: fc.uniqueArray(fc.stringMatching(/^-D[a-z]{1,5}=[0-9]$/), { maxLength: 5 }),
  env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,4}$/), fc.string({ minLength: 1 }), { maxKeys: 4 }),
  memory: fc.constantFrom("1408Mi", "2432Mi"),
});

function executor({ options, env, memory }: Shape, configMap: string, more: JsonObject = {}): KubeObject {
  const numbered = options.map((value, index) => ({ name: `SPARK_JAVA_OPT_${index}`, value }));
  const named = Object.entries(env).map(([name, value]) => ({ name, value }));
  const container = { name: "spark", env: [...named, ...numbered], resources: { requests: { memory } }, ...more };
  const volume = { name: "spark-conf-volume-exec", configMap: { name: configMap } };
  return {
    kind: "Pod",
    metadata: { name: configMap },
    spec: { containers: [container], volumes: [volume] },
  } as unknown as KubeObject;
}

test("the order of options and variables, the ConfigMap's name and what is empty make no difference", () => {
  fc.assert(
    fc.property(shape, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (given, random) => {
      const key = new Map<string, number>();
      const shuffled = [...given.options].sort((a, b) => order(a) - order(b));
      function order(option: string): number {
        const known = key.get(option) ?? random.next().value;
        key.set(option, known);
        return known;
      }
      const reversed = Object.fromEntries(Object.entries(given.env).reverse());
      const other = executor({ ...given, options: shuffled, env: reversed }, "b", { args: [], command: null, tty: "" });
      expect(specDifference(executor(given, "a"), other)).toBeUndefined();
    }),
  );
});

test("any other difference is one", () => {
  fc.assert(
    fc.property(shape, shape, (one, other) => {
      const isEqual =
        one.memory === other.memory &&
        [...one.options].sort().join() === [...other.options].sort().join() &&
        fingerprint(one.env) === fingerprint(other.env);
      expect(specDifference(executor(one, "a"), executor(other, "a")) === undefined).toBe(isEqual);
    }),
  );
});

test("whether they are told the address of the driver's pod makes no difference", () => {
  const given: Shape = { options: [], env: { A: "1" }, memory: "1408Mi" };
  const told = { ...given, env: { ...given.env, SPARK_DRIVER_POD_IP: "10.0.0.1" } };
  expect(specDifference(executor(given, "a"), executor(told, "a"))).toBeUndefined();
});

test("the field is named", () => {
  const given: Shape = { options: ["-Da=1"], env: { A: "1" }, memory: "1408Mi" };
  const from = executor(given, "a");
  expect(specDifference(from, executor({ ...given, env: { A: "2" } }, "a"))).toBe("spec.containers.spark.env.A.value");
  expect(specDifference(from, executor({ ...given, memory: "2432Mi" }, "a"))).toBe(
    "spec.containers.spark.resources.requests.memory",
  );
  expect(specDifference(from, executor({ ...given, options: [] }, "a"))).toBe(
    "spec.containers.spark.env.SPARK_JAVA_OPT",
  );
});
