import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readScheduledSparkApplication, readSparkApplication, readSparkConnect } from "../src/read/read.ts";
import { SPARK_APPLICATION } from "../src/objects/application-shape.ts";
import { SPARK_CONNECT } from "../src/objects/connect-shape.ts";
import { presence } from "../src/shapes/read-shape.ts";
import { SCHEDULED_SPARK_APPLICATION } from "../src/objects/schedule-shape.ts";
import type { Form } from "../src/shapes/shape.ts";
import { APPLICATION_STATES } from "../src/status.ts";
import { applicationWith } from "../src/testing/application-with.ts";
import { fullValue, pathsInto, pathText, withAt, withoutAt, wrongValues } from "../src/testing/every-field.ts";

const CASES = [
  {
    kind: "SparkApplication",
    version: "v1beta2",
    leastFields: 250,
    form: SPARK_APPLICATION,
    read: (object: unknown) => {
      const { application, faults } = readSparkApplication(object);
      return { object: application, faults };
    },
  },
  {
    kind: "ScheduledSparkApplication",
    version: "v1beta2",
    leastFields: 250,
    form: SCHEDULED_SPARK_APPLICATION,
    read: (object: unknown) => {
      const { schedule, faults } = readScheduledSparkApplication(object);
      return { object: schedule, faults };
    },
  },
  {
    kind: "SparkConnect",
    version: "v1alpha1",
    leastFields: 80,
    form: SPARK_CONNECT,
    read: (object: unknown) => {
      const { connect, faults } = readSparkConnect(object);
      return { object: connect, faults };
    },
  },
] as const;

describe.each(CASES)("$kind", ({ kind, version, leastFields, form, read }) => {
  const full = fullValue(form);
  const head = { apiVersion: `sparkoperator.k8s.io/${version}`, kind };

  test("every field is read", () => {
    expect(read(full)).toEqual({ object: { ...head, ...(full as object) }, faults: [] });
  });

  test("each field in turn, when it is wrong, is left out alone and named", () => {
    const paths = pathsInto(form).filter((path) => !pathText(path).startsWith("status.applicationState"));
    expect(paths.length).toBeGreaterThan(leastFields);
    for (const path of paths) {
      const rest = { ...head, ...(withoutAt(path, full) as object) };
      for (const wrong of wrongValues(path.at(-1)?.form ?? form)) {
        const { object, faults } = read(withAt(path, full, wrong));
        expect(faults, pathText(path)).toEqual([expect.stringMatching(/: expected .+, found .+$/)]);
        expect(faults[0]?.slice(0, faults[0].indexOf(": expected")), pathText(path)).toBe(pathText(path));
        expect(object, pathText(path)).toEqual(rest);
      }
    }
  });

  test("null is as good as not there", () => {
    for (const path of pathsInto(form)) {
      const last = path.at(-1);
      if (last === undefined || !last.text.startsWith(".")) continue;
      const { object } = read(withAt(path, full, null));
      expect(object, pathText(path)).toEqual({ ...head, ...(withoutAt(path, full) as object) });
    }
  });

  test("whatever JSON it is, reading ends in an object that reads as itself", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), noisy(form)), (json) => {
        const first = read(json).object;
        expect(read(first)).toEqual({ object: first, faults: [] });
      }),
      { numRuns: 200 },
    );
  });
});

/** Values that mostly have a form, with arbitrary values in some places. */
function noisy(form: Form): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: likeForm(form), weight: 12 }, { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 1 });
}

function likeForm(form: Form): fc.Arbitrary<unknown> {
  if (form.kind === "list") return fc.array(noisy(form.of), { maxLength: 2 });
  if (form.kind === "map") return fc.dictionary(fc.string(), noisy(form.of), { maxKeys: 2 });
  if (form.kind !== "fields") return fc.constant(fullValue(form));
  const members = Object.entries(form.members).map(([name, member]) => [name, noisy(presence(member).form)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

test("a fault says what was expected and what is there", () => {
  const { spec } = applicationWith({});
  const { faults } = readSparkApplication({
    ...applicationWith({}),
    spec: {
      ...spec,
      driver: { cores: "two", env: [{ value: "x" }], envVars: { PASSWORD: 12_345 }, gpu: { name: "nvidia.com/gpu" } },
      executor: { instances: 0, sidecars: {} },
      sparkConf: { "spark.eventLog.enabled": true },
      monitoring: { exposeDriverMetrics: true, prometheus: { jmxExporterJar: "/a.jar", port: 80 } },
      restartPolicy: { type: "Sometimes" },
      timeToLiveSeconds: "30",
    },
  });
  expect(faults).toEqual([
    'spec.sparkConf["spark.eventLog.enabled"]: expected text, found true',
    'spec.driver.cores: expected a whole number of at least 1 in 32 bits, found "two"',
    "spec.driver.gpu.quantity: expected a whole number in 64 bits, found nothing",
    "spec.driver.env[0].name: expected text, found nothing",
    'spec.driver.envVars["PASSWORD"]: expected text, found a number',
    "spec.executor.sidecars: expected a list, found an object",
    "spec.executor.instances: expected a whole number of at least 1 in 32 bits, found 0",
    'spec.restartPolicy.type: expected one of "Never", "Always", "OnFailure", found "Sometimes"',
    'spec.timeToLiveSeconds: expected a whole number in 64 bits, found "30"',
    "spec.monitoring.exposeExecutorMetrics: expected true or false, found nothing",
    "spec.monitoring.prometheus.port: expected a whole number from 1024 to 49151, found 80",
  ]);
});

test("what is no object at all has the faults of an empty one in one sentence", () => {
  for (const object of [undefined, null, 7, "text", [], true]) {
    const { application, faults } = readSparkApplication(object);
    expect(faults).toEqual([expect.stringMatching(/^the object: expected an object, found /)]);
    expect(application).toMatchObject({ metadata: { name: "" }, status: { applicationState: { state: "" } } });
  }
});

test("a megabyte of wrong values gives few faults", () => {
  const sparkConf = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, index) => [`spark.some.key.${index}`, index]),
  );
  const { application, faults } = readSparkApplication({ ...applicationWith({}), spec: { sparkConf } });
  expect(application.spec.sparkConf).toEqual({});
  expect(faults).toHaveLength(21);
  expect(faults.at(-1)).toBe("and 49985 more like these");
});

test("a megabyte of text, and of nesting, is read", () => {
  let nested: unknown = {};
  for (let depth = 0; depth < 5000; depth += 1) nested = { a: nested };
  const image = "x".repeat(1 << 20);
  const { application, faults } = readSparkApplication(
    applicationWith({ image, driver: { affinity: nested as object } }),
  );
  expect(faults).toEqual([]);
  expect(application.spec.image).toBe(image);
});

test("keys of objects that JavaScript knows are keys like others", () => {
  const { application } = readSparkApplication({
    ...applicationWith({}),
    spec: JSON.parse('{"sparkConf": {"__proto__": "a", "constructor": "b"}, "__proto__": {"suspend": true}}'),
  });
  expect(Object.entries(application.spec.sparkConf ?? {})).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
  expect(application.spec.suspend).toBeUndefined();
});

describe("a status that was edited by hand", () => {
  const read = (status: unknown) => readSparkApplication({ ...applicationWith({}), status }).application.status;
  const submissionID = "5d2b9a6e-0000-8000-8000-000000000000";

  test.each(APPLICATION_STATES)("keeps the state %o", (state) => {
    expect(read({ submissionID, applicationState: { state }, driverInfo: {} }).applicationState).toEqual({ state });
  });

  test.each([{ state: "DONE" }, { state: "running" }, { state: 7 }, { state: {} }, "RUNNING", []])(
    "does not submit again what it cannot read: %o",
    (applicationState) => {
      expect(read({ submissionID, applicationState }).applicationState.state).toBe("UNKNOWN");
      expect(read({ applicationState }).applicationState.state).toBe("");
    },
  );

  test.each([{ state: "" }, { state: null }, {}, null, undefined])(
    "runs again when asked to: %o",
    (applicationState) => {
      expect(read({ submissionID, applicationState }).applicationState.state).toBe("");
    },
  );

  test("keeps the message beside a state that it cannot read", () => {
    expect(read({ submissionID, applicationState: { state: "OOPS", errorMessage: "why" } }).applicationState).toEqual({
      state: "UNKNOWN",
      errorMessage: "why",
    });
  });

  test("has no attempts below zero and no times that are none", () => {
    expect(
      read({
        executionAttempts: -3,
        submissionAttempts: 2.5,
        terminationTime: "soon",
        lastSubmissionAttemptTime: null,
      }),
    ).toEqual({ driverInfo: {}, applicationState: { state: "" } });
  });

  test.each([
    ["2026-03-29T02:30:00+02:00", "2026-03-29T00:30:00Z"],
    ["2026-03-29T02:30:00.987654321Z", "2026-03-29T02:30:00Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59-01:00", undefined],
    ["0001-01-01T00:00:00+01:00", undefined],
  ])("reads the time %s as %s", (written, expected) => {
    expect(read({ terminationTime: written }).terminationTime).toBe(expected);
  });

  test("of executors keeps states that there are", () => {
    expect(read({ executorState: { a: "RUNNING", b: "ASLEEP", c: 1 } }).executorState).toEqual({ a: "RUNNING" });
  });
});

test("parts of pods keep what is not looked at", () => {
  const driver = {
    affinity: { nodeAffinity: { anything: [null, { at: "all" }] } },
    sidecars: [{ name: "proxy", image: "envoy", resources: { limits: { cpu: 1 } }, lifecycle: null }],
    template: { spec: { containers: [{ image: "spark" }], hostPID: true }, metadata: { labels: { a: "b" } } },
  };
  const volumes = [
    { name: "data", csi: { driver: "x" } },
    { name: "spark-local-dir-1", emptyDir: { sizeLimit: 1024 } },
  ];
  const { spec } = applicationWith({});
  const { application, faults } = readSparkApplication({ ...applicationWith({}), spec: { ...spec, driver, volumes } });
  expect(faults).toEqual([]);
  expect(application.spec.driver).toEqual(driver);
  expect(application.spec.volumes).toEqual([
    { name: "data", csi: { driver: "x" } },
    { name: "spark-local-dir-1", emptyDir: { sizeLimit: "1024" } },
  ]);
});
