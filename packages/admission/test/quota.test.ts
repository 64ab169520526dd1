import { describe, expect, test } from "vitest";
import { namespaceQuota, quotaCost, quotaLeft } from "../src/quota.ts";
import { GIBIBYTE, pod } from "./fixtures/sentences.ts";

const metadata = { namespace: "spark", name: "compute" };

test("a quota is read as far as it counts pods", () => {
  const quota = namespaceQuota({
    metadata,
    spec: {
      hard: { "requests.cpu": "4", "limits.memory": "8Gi", pods: "10", services: "2", "requests.storage": "1Ti" },
    },
    status: { used: { "requests.cpu": "1500m", "limits.memory": "1Gi", pods: "3", services: "2" } },
  });
  expect(quota).toMatchObject({ namespace: "spark", name: "compute" });
  expect(quota && quotaLeft(quota)).toEqual({ "requests.cpu": 2500, "limits.memory": 7 * GIBIBYTE, pods: 7 });
});

test("a quota that has not been counted yet is unused", () => {
  const quota = namespaceQuota({ metadata, spec: { hard: { cpu: "4" } } });
  expect(quota && quotaLeft(quota)).toEqual({ cpu: 4000 });
});

test.each([
  ["scopes", { hard: { pods: "1" }, scopes: ["BestEffort"] }],
  [
    "a scope selector",
    { hard: { pods: "1" }, scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "Exists" }] } },
  ],
  ["nothing that counts pods", { hard: { services: "1", "count/configmaps": "3" } }],
])("a quota with %s is passed by", (_, spec) => {
  expect(namespaceQuota({ metadata, spec })).toBeUndefined();
});

describe("a pod", () => {
  const shape = { ...pod(2, 4), requests: { ...pod(2, 4).requests, "nvidia.com/gpu": 1 } };

  test.each([
    ["pods", 1],
    ["count/pods", 1],
    ["cpu", 2000],
    ["requests.cpu", 2000],
    ["memory", 4 * GIBIBYTE],
    ["limits.memory", 4 * GIBIBYTE],
    ["limits.cpu", 0],
    ["requests.nvidia.com/gpu", 1],
  ])("costs of %s %d", (key, cost) => expect(quotaCost(key, shape)).toBe(cost));
});
