import { expect, test } from "vitest";
import { testConfig } from "../support/test-gateway.ts";

test.each([
  ["nodes", { kind: "nodes" }],
  ["kueue", { kind: "kueue" }],
  ["unlimited", { kind: "configured", total: {} }],
  [
    "cpu=1.5, memory=2Gi,nvidia.com/gpu=4",
    { kind: "configured", total: { cpu: 1500, memory: 2 * 1024 ** 3, "nvidia.com/gpu": 4 } },
  ],
] as const)("capacity %s", (text, capacity) => {
  expect(testConfig("--capacity", text).capacity).toEqual(capacity);
});

test.each(["", "all", "cpu", "cpu=", "cpu=lots", "cpu=-1", "cpu=1,cpu=2", "cpu=1,,memory=1Gi", "cpus=64"])(
  "capacity %j is refused",
  (text) => {
    expect(() => testConfig("--capacity", text)).toThrow(
      /expected auto, nodes, kueue, unlimited, or amounts such as cpu=64/,
    );
  },
);
