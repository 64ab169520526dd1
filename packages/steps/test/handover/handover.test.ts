import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyExecutorSpec } from "@kindling/core-spec";
import { sampleExecutor } from "@kindling/core-spec/testing";
import {
  combinedChanges,
  formatHandover,
  handedDependencies,
  mountedDependencies,
  parseHandover,
  smallFiles,
  stagedDependencies,
  stepOfDependencies,
  type Dependency,
  type ExecutorHandover,
} from "../../src/index.ts";

const DEPENDENCIES: readonly Dependency[] = [
  { kind: "application", from: { path: "/home/me/app.py" }, name: "app/app.py" },
  { kind: "jar", from: { uri: "s3a://jars/a.jar" }, name: "jars/a.jar" },
  { kind: "file", from: { path: "/home/me/d.csv" }, name: "files/d.csv", workName: "d.csv" },
];
const BUNDLE = { server: "https://staging:10000", id: "b1", secret: "open sesame", ca: "PEM", files: {} };

const texts = fc.dictionary(fc.string(), fc.string());
const podChanges = fc
  .record({
    env: fc.array(fc.record({ name: fc.string(), value: fc.string() })),
    nodeSelector: texts,
    spec: fc.constantFrom({}, { hostNetwork: true }),
    cleared: fc.constantFrom([], ["priority" as const]),
  })
  .map((some) => combinedChanges([some]));
const handovers: fc.Arbitrary<ExecutorHandover> = fc.record({
  sparkVersion: fc.string(),
  appName: fc.string(),
  conf: texts,
  steps: fc.array(
    fc.oneof(
      fc.record({ name: fc.string() }),
      fc.record({ name: fc.string(), changes: podChanges }),
      fc.constant({
        name: "staged-dependencies",
        dependencies: handedDependencies(
          "staged-dependencies",
          mountedDependencies({ dependencies: DEPENDENCIES, bundle: BUNDLE, secretName: "s" }),
        ),
      }),
    ),
  ),
});

describe("what a submission tells the gateway of its executors' steps", () => {
  test("is read back as it was", () => {
    fc.assert(
      fc.property(handovers, (handover) => {
        expect(parseHandover(formatHandover(handover))).toEqual(handover);
      }),
    );
  });

  test("is nothing where it is something else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseHandover(text)).toBeUndefined();
      }),
    );
  });

  test.each([
    ["another version", { version: 2 }],
    ["steps that are none", { steps: ["a"] }],
    ["dependencies of a kind that there is not", { steps: [{ name: "a", dependencies: { by: "magic" } }] }],
    [
      "entries of a Secret that are not the localizer's",
      {
        steps: [
          {
            name: "a",
            dependencies: { by: "small-files", dependencies: [], secretName: "s", secretEntries: ["../token"] },
          },
        ],
      },
    ],
    ["changes that are no object", { steps: [{ name: "a", changes: [] }] }],
    ["changes of another kind", { steps: [{ name: "a", changes: { metadata: {} } }] }],
    ["a list of changes that is none", { steps: [{ name: "a", changes: { env: "A=b" } }] }],
    ["a list of changes with something else in it", { steps: [{ name: "a", changes: { volumes: ["data"] } }] }],
    ["a selector of other things than texts", { steps: [{ name: "a", changes: { nodeSelector: { zone: 1 } } }] }],
    ["a configuration that is no texts", { conf: { a: 1 } }],
  ])("is nothing with %s", (_, changes) => {
    const good = { version: 1, sparkVersion: "4.3.0", appName: "a", conf: {}, steps: [] };
    expect(parseHandover(JSON.stringify(good))).toBeDefined();
    expect(parseHandover(JSON.stringify({ ...good, ...changes }))).toBeUndefined();
  });

  test("says neither where files are from nor what opens them", () => {
    const mounted = mountedDependencies({ dependencies: DEPENDENCIES, bundle: BUNDLE, secretName: "s" });
    const text = JSON.stringify(handedDependencies("staged-dependencies", mounted));
    expect(text).not.toMatch(/home|sesame|s3a|PEM/);
  });
});

describe("the gateway's half of a step that brings dependencies adds what the submission's would", () => {
  const conf = { "spark.kindling.localizer.image": "localizer:1", "spark.executorEnv.REGION": "eu" };
  const executor = sampleExecutor({ conf });
  const small = DEPENDENCIES.map((dependency) => ({ ...dependency, content: new Uint8Array() }));
  const staged = { dependencies: DEPENDENCIES, bundle: BUNDLE, secretName: "s" };
  test.each([
    ["staged-dependencies", stagedDependencies(staged), mountedDependencies(staged)],
    ["small-files", smallFiles(small, "s"), { dependencies: small, secretName: "s", secretEntries: [] }],
  ] as const)("%s", (by, step, mounted) => {
    const handed = stepOfDependencies(handedDependencies(by, mounted));
    expect(handed.name).toBe(step.name);
    const wanted = step.configureExecutor?.(emptyExecutorSpec(), executor);
    expect(handed.configureExecutor?.(emptyExecutorSpec(), executor)).toEqual(wanted);
    expect(wanted?.executorPod.spec?.volumes).not.toEqual([]);
  });
});
