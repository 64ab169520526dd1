import { expect, test } from "vitest";
import { usageOf } from "../src/usage.ts";
import type { PodLife } from "../src/pod-life.ts";

const GIB = 1024 ** 3;

function life(changes: Partial<PodLife>): PodLife {
  return {
    ...{ role: "executor", pod: "exec-1", uid: "uid", cores: 2, memory: 4 * GIB, started: 1_000, ended: 11_000 },
    ...{ reason: "Completed", spot: false, labels: {}, ...changes },
  };
}

test("what pods have reserved is counted to the millisecond, by the kind of their nodes", () => {
  const lives = [
    life({ role: "driver", cores: 1, memory: GIB, nodeType: "m5.large" }),
    life({ nodeType: "m5.large" }),
    life({ nodeType: "m5.large", spot: true, ended: 1_500 }),
    life({ ended: 2_000 }),
  ];
  expect(usageOf(lives)).toEqual([
    { nodeType: "m5.large", spot: false, coreSeconds: 30, gibSeconds: 50 },
    { nodeType: "m5.large", spot: true, coreSeconds: 1, gibSeconds: 2 },
    { spot: false, coreSeconds: 2, gibSeconds: 4 },
  ]);
});

test("a pod that never had a node has reserved nothing, and no clock makes it less than that", () => {
  const { started: _, ...never } = life({});
  expect(usageOf([never])).toEqual([]);
  expect(usageOf([life({ started: 9_000, ended: 1_000 })])).toEqual([{ spot: false, coreSeconds: 0, gibSeconds: 0 }]);
});
