import { expect, test } from "vitest";
import { peakIn } from "../../src/healing/executor-peaks.ts";

const MIB = 1024 * 1024;

function executor(id: string, heap: number, jvm: number, python: number): unknown {
  return {
    id,
    peakMemoryMetrics: {
      JVMHeapMemory: heap * MIB,
      ProcessTreeJVMRSSMemory: jvm * MIB,
      ProcessTreePythonRSSMemory: python * MIB,
    },
  };
}

test("the most of any executor counts, and the driver does not", () => {
  const all = [executor("driver", 9000, 9000, 0), executor("1", 300, 500, 100), executor("2", 200, 400, 300)];
  expect(peakIn(all, undefined)).toEqual({ heap: 300, total: 700 });
  expect(peakIn(all, { heap: 800, total: 600 })).toEqual({ heap: 800, total: 700 });
});

test("executors that have measured nothing say nothing", () => {
  expect(
    peakIn([{ id: "1" }, { id: "2", peakMemoryMetrics: {} }, executor("3", 100, 0, 0)], undefined),
  ).toBeUndefined();
});

test.each([undefined, null, {}, "text", [null, 1, "a"]])("%j has no executors", (body) => {
  expect(peakIn(body, { heap: 1, total: 2 })).toEqual({ heap: 1, total: 2 });
});
