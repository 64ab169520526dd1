import type { KubeObject } from "@kindling/kube-objects";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PodShapes } from "../../../src/admission/demand/pod-shapes.ts";

function pod(spec: unknown, status?: unknown): KubeObject {
  const metadata = { name: "p", uid: "u", resourceVersion: "1", creationTimestamp: "" };
  const made: object = { kind: "Pod", apiVersion: "v1", metadata, spec, status };
  return made as KubeObject;
}

const executor = (): KubeObject =>
  pod({
    nodeSelector: { disk: "ssd" },
    containers: [{ name: "main", resources: { requests: { cpu: "500m", memory: "1Gi" }, limits: { memory: "1Gi" } } }],
  });

test("executors that ask for the same share one shape", () => {
  const shapes = new PodShapes();
  const shape = shapes.of(executor());
  expect(shape).toMatchObject({
    requests: { cpu: 500, memory: 1024 ** 3, pods: 1 },
    limits: { memory: 1024 ** 3 },
    placement: { nodeSelector: { disk: "ssd" } },
  });
  expect(shapes.of(executor())).toBe(shape);
});

test("what an executor asks for as a whole counts, and not what its container says", () => {
  const containers = [{ name: "main", resources: { requests: { cpu: "14m" } } }];
  const { requests, limits } = new PodShapes().of(
    pod({ containers, resources: { requests: { cpu: "8" }, limits: { cpu: "9" } } }),
  );
  expect(requests).toEqual({ cpu: 8000, pods: 1 });
  expect(limits).toEqual({ cpu: 9000 });
});

test("an executor that shrinks counts for what it had, until its kubelet says that it has less", () => {
  const shapes = new PodShapes();
  const { spec } = pod({ containers: [{ name: "main", resources: { requests: { memory: "1Gi" } } }] });
  const has = (memory: string) => ({
    containerStatuses: [{ name: "main", allocatedResources: { memory }, resources: { requests: { memory } } }],
  });
  expect(shapes.of(pod(spec, has("2Gi"))).requests["memory"]).toBe(2 * 1024 ** 3);
  expect(shapes.of(pod(spec, has("1Gi"))).requests["memory"]).toBe(1024 ** 3);
});

test("an executor has the same shape whether it was known before its status changed or not", () => {
  const memory = fc.constantFrom("1Gi", "2Gi", "3Gi");
  const seen = fc.record({ memory }, { requiredKeys: [] });
  const container = fc.record(
    {
      name: fc.constantFrom("main", "other"),
      ready: fc.boolean(),
      allocatedResources: seen,
      resources: fc.record({ requests: seen, limits: seen }, { requiredKeys: [] }),
    },
    { requiredKeys: ["name"] },
  );
  const status = fc.record(
    {
      phase: fc.constantFrom("Pending", "Running"),
      conditions: fc.array(
        fc.record({
          type: fc.constantFrom("Ready", "PodResizePending"),
          reason: fc.constantFrom("Deferred", "Infeasible"),
        }),
        { maxLength: 2 },
      ),
      containerStatuses: fc.array(container, { maxLength: 2 }),
      initContainerStatuses: fc.array(container, { maxLength: 2 }),
      resources: fc.record({ requests: seen }),
      allocatedResources: seen,
    },
    { requiredKeys: [] },
  );
  const { spec } = pod({
    initContainers: [{ name: "other", restartPolicy: "Always", resources: { requests: { memory: "1Gi" } } }],
    containers: [{ name: "main", resources: { requests: { memory: "1Gi" }, limits: { memory: "1Gi" } } }],
  });
  fc.assert(
    fc.property(fc.array(status, { maxLength: 6 }), (states) => {
      const shapes = new PodShapes();
      for (const state of states) expect(shapes.of(pod(spec, state))).toEqual(new PodShapes().of(pod(spec, state)));
    }),
    { numRuns: 500 },
  );
});

test("nobody can ask for less than nothing, or for what only JavaScript knows", () => {
  const requests = { cpu: "-4", memory: {}, constructor: "1", "example.com/gpu": 2 };
  const { requests: read } = new PodShapes().of(pod({ containers: [{ name: "main", resources: { requests } }] }));
  expect(read).toEqual({ "example.com/gpu": 2, pods: 1 });
});

test("whatever a driver asks for has a shape", () => {
  const shapes = new PodShapes();
  const spec = fc.record(
    {
      containers: fc.anything(),
      initContainers: fc.anything(),
      resources: fc.anything(),
      nodeSelector: fc.anything(),
      tolerations: fc.oneof(fc.anything(), fc.array(fc.anything())),
      affinity: fc.record({
        nodeAffinity: fc.record({ requiredDuringSchedulingIgnoredDuringExecution: fc.anything() }),
      }),
    },
    { requiredKeys: [] },
  );
  const status = fc.record(
    { containerStatuses: fc.oneof(fc.anything(), fc.array(fc.anything())), resources: fc.anything() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(spec, fc.anything()), fc.oneof(status, fc.anything()), (any, seen) => {
      const { requests } = shapes.of(pod(any, seen));
      expect(Object.values(requests).every((amount) => amount > 0)).toBe(true);
    }),
  );
});
