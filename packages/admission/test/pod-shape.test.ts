import type { Container, PodSpec } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { podShape } from "../src/pod-shape.ts";

const container = (requests: Record<string, string>, rest: Partial<Container> = {}): Container => ({
  name: "one",
  resources: { requests },
  ...rest,
});

const sidecar = (requests: Record<string, string>): Container => container(requests, { restartPolicy: "Always" });

const requestsOf = (spec: Partial<PodSpec>) => podShape({ spec: { containers: [], ...spec } }).requests;

describe("what a pod requests", () => {
  test("is the sum of its containers, and one pod", () => {
    const spec = { containers: [container({ cpu: "1500m", memory: "1Gi" }), container({ cpu: "0.5" })] };
    expect(requestsOf(spec)).toEqual({ cpu: 2000, memory: 1073741824, pods: 1 });
  });

  test("is rounded up to a thousandth of a processor, and a byte", () => {
    expect(requestsOf({ containers: [container({ cpu: "100100u", memory: "1500m" })] })).toMatchObject({
      cpu: 101,
      memory: 2,
    });
  });

  test("is what an init container needs, where that is more", () => {
    const spec = {
      containers: [container({ cpu: "1", memory: "2Gi" })],
      initContainers: [container({ cpu: "3", memory: "1Gi" })],
    };
    expect(requestsOf(spec)).toEqual({ cpu: 3000, memory: 2147483648, pods: 1 });
  });

  test("counts sidecars besides the containers, and besides init containers that come after them", () => {
    const containers = [container({ cpu: "1" })];
    expect(requestsOf({ containers, initContainers: [sidecar({ cpu: "1" })] })["cpu"]).toBe(2000);
    expect(requestsOf({ containers, initContainers: [sidecar({ cpu: "1" }), container({ cpu: "3" })] })["cpu"]).toBe(
      4000,
    );
    expect(requestsOf({ containers, initContainers: [container({ cpu: "3" }), sidecar({ cpu: "1" })] })["cpu"]).toBe(
      3000,
    );
  });

  test("counts the overhead of the runtime", () => {
    expect(requestsOf({ containers: [container({ cpu: "1" })], overhead: { cpu: "250m" } })["cpu"]).toBe(1250);
  });

  test("is the limit where no request is given, as the API server has it", () => {
    const spec = {
      containers: [
        container({ cpu: "1" }, { resources: { requests: { cpu: "1" }, limits: { cpu: "2", "nvidia.com/gpu": "1" } } }),
      ],
    };
    expect(requestsOf(spec)).toEqual({ cpu: 1000, "nvidia.com/gpu": 1, pods: 1 });
  });
});

test("what a pod is limited to has overhead only where there is a limit", () => {
  const limited = container({}, { resources: { limits: { memory: "1Gi" } } });
  expect(podShape({ spec: { containers: [limited], overhead: { memory: "1Mi", cpu: "1" } } }).limits).toEqual({
    memory: 1074790400,
  });
});

test("what is no quantity counts as nothing", () => {
  expect(requestsOf({ containers: [container({ cpu: "lots" })] })).toEqual({ cpu: 0, pods: 1 });
});
