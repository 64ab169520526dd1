import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { podLimits, podRequests, type PodResourceStatus, type ResourcedPod } from "../src/pod-resources.ts";
import type { Resources } from "../src/resources.ts";

interface Recorded {
  readonly cases: readonly {
    readonly name: string;
    readonly pod: ResourcedPod;
    readonly answers: readonly {
      readonly versions: readonly string[];
      readonly requests: Resources;
      readonly limits: Resources;
    }[];
  }[];
}

const recorded: Recorded = JSON.parse(readFileSync(new URL("kubernetes/pod-resources.json", import.meta.url), "utf8"));
const answered = recorded.cases.flatMap(({ name, pod, answers }) =>
  answers.flatMap(({ versions, ...answer }) => versions.map((version) => ({ name, pod, version, ...answer }))),
);

/** A pod as the API server of a release stores it. */
function asKept({ spec, status }: ResourcedPod, version: string): ResourcedPod {
  const minor = Number(version.split(".")[1]);
  const { resources, ...others } = spec;
  return {
    spec: minor < 34 || resources === undefined ? others : { ...others, resources },
    status: status && minor >= 33 ? statusKept(status, minor) : {},
  };
}

function statusKept(status: PodResourceStatus, minor: number): PodResourceStatus {
  const { resources: _resources, allocatedResources: _allocated, ...containers } = status;
  return minor >= 36 ? status : containers;
}

const withoutNothing = (amounts: Resources): Resources =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

const isResizing = ({ status }: ResourcedPod): boolean => status?.containerStatuses !== undefined;

const falls = (amounts: Resources, least: Resources): boolean =>
  Object.entries(least).some(([name, amount]) => (amounts[name] ?? 0) < amount);

describe("held against Kubernetes' own code", () => {
  test.each(["1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37"])(
    "a pod asks for as much as Kubernetes %s counts",
    (version) => {
      const cases = answered.filter((one) => one.version === version);
      expect(cases.length).toBeGreaterThan(150);
      for (const { name, pod, requests, limits } of cases) {
        const kept = asKept(pod, version);
        if (isResizing(kept)) continue;
        expect([name, withoutNothing(podRequests(kept))]).toEqual([name, withoutNothing(requests)]);
        expect([name, withoutNothing(podLimits(kept))]).toEqual([name, withoutNothing(limits)]);
      }
    },
  );

  test("while a pod is resized, it asks for no less than any release counts, and mostly for exactly that", () => {
    const resized = answered
      .map((one) => ({ ...one, pod: asKept(one.pod, one.version) }))
      .filter(({ pod }) => isResizing(pod));
    const less = resized.filter(
      ({ pod, requests, limits }) => falls(podRequests(pod), requests) || falls(podLimits(pod), limits),
    );
    const more = resized.filter(({ pod, requests }) => falls(requests, podRequests(pod)));
    expect(less).toEqual([]);
    expect(more.length).toBeLessThan(resized.length / 4);
  });

  test("a pod that no API server has seen asks for no less than any release will count", () => {
    const asked = answered.filter(({ pod }) => pod.status === undefined);
    expect(asked.filter(({ pod, requests }) => falls(podRequests(pod), requests))).toEqual([]);
  });
});

test("a pod that asks for less as a whole than for its containers counts for these", () => {
  // Before 1.34 the API server ignores the resources of the whole pod; since then it refuses such a pod.
  const spec = {
    resources: { requests: { cpu: "1m", memory: "8Gi" } },
    containers: [{ name: "one", resources: { requests: { cpu: "8", memory: "1Gi" } } }],
  };
  expect(podRequests({ spec })).toEqual({ cpu: 8000, memory: 8 * 1024 ** 3 });
});
