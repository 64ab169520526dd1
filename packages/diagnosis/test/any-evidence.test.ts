import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diagnose, podEvent, podState } from "../src/index.ts";
import { failed, NOW } from "./fixtures/pods.ts";

// Words that the rules look for, mixed with any others.
const words = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...[
      "Failed",
      "Pending",
      "Running",
      "Evicted",
      "OOMKilled",
      "ImagePullBackOff",
      "CrashLoopBackOff",
      "Unschedulable",
    ],
    ...["spark-localizer", "FailedScheduling", "Traceback (most recent call last):", "Caused by: a.B", "\tat a.B(C)"],
    ...['Exception in thread "main" a.B: c', "Execution halted", '{"reason":"unreachable"}', "\u001B[31mred\u009B0m"],
    ...["The executor with id 1 exited with exit code 137", 'x is forbidden: User "u" cannot get resource "pods"'],
  ),
);
const anything = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null));
const state = fc.dictionary(
  fc.constantFrom("waiting", "running", "terminated", "other"),
  fc.oneof(
    anything,
    fc.record({ reason: anything, message: anything, exitCode: anything, startedAt: anything, finishedAt: anything }),
  ),
);
const statuses = fc.oneof(
  anything,
  fc.array(fc.oneof(anything, fc.record({ name: anything, image: anything, state }))),
);
const pod = fc.record({
  metadata: fc.oneof(fc.constant({}), fc.record({ name: anything, uid: anything, creationTimestamp: anything })),
  spec: fc.oneof(fc.constant({}), fc.record({ nodeName: anything, containers: statuses })),
  status: fc.oneof(
    fc.constant({}),
    fc.record({
      ...{ phase: anything, reason: anything, message: anything, conditions: statuses },
      ...{ containerStatuses: statuses, initContainerStatuses: statuses },
    }),
  ),
});
const event = fc.record({ involvedObject: fc.record({ uid: anything }), reason: anything, message: anything });

/** Any answer of a server, with the correct types. */
const evidence = fc
  .record({
    driver: fc.option(pod, { nil: undefined }),
    driverContainer: fc.option(words, { nil: undefined }),
    executors: fc.option(fc.array(pod, { maxLength: 4 }), { nil: undefined }),
    events: fc.option(fc.array(event, { maxLength: 4 }), { nil: undefined }),
    log: fc.option(fc.array(words), { nil: undefined }),
  })
  .map(({ driver, executors, events, ...rest }) => ({
    ...rest,
    driver: driver && podState(driver as Parameters<typeof podState>[0]),
    executors: executors?.map((one) => podState(one as Parameters<typeof podState>[0])),
    events: events?.map((one) => podEvent(one as Parameters<typeof podEvent>[0])),
  }));

const LOGGED = failed(1, "");

// Most of the evidence is small.
const RUNS = { numRuns: 2000 };

describe("of any evidence", () => {
  test("each finding is a line, and can be shown on a terminal", () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const { state, findings } = diagnose(given, NOW);
        expect(state).not.toBe("");
        for (const { word, summary, details, advice = "" } of findings) {
          const lines = [word, summary, advice, ...details];
          expect(lines.filter((line) => /[\0-\u001F\u007F-\u009F]/.test(line.replaceAll("\t", "")))).toEqual([]);
          expect(summary).not.toBe("");
        }
      }),
      RUNS,
    );
  });

  test("the same is told of it again", () => {
    fc.assert(
      fc.property(evidence, (given) => {
        expect(diagnose(structuredClone(given), NOW)).toEqual(diagnose(given, NOW));
      }),
      RUNS,
    );
  });

  // Patterns that search for their end again from every letter take half a minute for these.
  test.each(["x".repeat(500), "a.".repeat(250), `at ${"a/".repeat(250)}`, `${"a:b ".repeat(120)}:`])(
    "is not long looked at: 2000 lines of %s",
    (line) => {
      const given = { ...LOGGED, log: Array.from({ length: 2000 }, () => line) };
      const begin = performance.now();
      diagnose(given, NOW);
      expect(performance.now() - begin).toBeLessThan(5000);
    },
  );

  // Patterns for a whole exception, or for words after other words of a line, must not start again at each of these.
  test.each([
    `java.io.IOException: Failed to connect to ${"-driver-svc".repeat(700)}`,
    `a.KubernetesClientException: ${"Operation: [create]  for kind: [Pod] refused ".repeat(170)}`,
    `a.KubernetesClientException: ${"Forbidden: a Received status: ".repeat(270)}\r.`,
    `a.KubernetesClientException: Failure executing: POST at: /pods. Message: ${"a".repeat(8000)}`,
  ])("is not long looked at: 12 causes of %#", (line) => {
    const log = Array.from(
      { length: 12 },
      (_, index) => `${index === 0 ? "" : "Caused by: "}${line}\n\tat a.B.c(B.java:1)`,
    );
    const given = failed(1, log.join("\n"));
    const begin = performance.now();
    diagnose(given, NOW);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});
