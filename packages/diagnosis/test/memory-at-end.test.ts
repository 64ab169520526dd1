import { expect, test } from "vitest";
import { memoryAtEnd } from "../src/index.ts";

const TASK =
  "Job aborted due to stage failure: Task 1 in stage 0.0 failed 4 times, most recent failure: Lost task 1.3 in stage 0.0 (TID 7) (10.0.0.9 executor 5): ";
const MAIN = 'Exception in thread "main" ';

const AT = "\tat org.apache.spark.Some.method(Some.scala:1)";

test.each<[string, readonly string[], unknown]>([
  ["a full heap of the driver", [`${MAIN}java.lang.OutOfMemoryError: Java heap space`], { of: "driver", kind: "heap" }],
  [
    "a thread of the driver",
    [
      "26/11/30 04:00:00 ERROR Utils: uncaught error in thread spark-listener",
      "java.lang.OutOfMemoryError: GC overhead limit exceeded",
    ],
    { of: "driver", kind: "gc" },
  ],
  [
    "a task without memory",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}org.apache.spark.memory.SparkOutOfMemoryError: [UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire 65536 bytes of memory, got 0.`,
      AT,
    ],
    { of: "executor", kind: "heap" },
  ],
  [
    "a Python worker that was killed",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)`,
      AT,
    ],
    { of: "executor", kind: "python" },
  ],
  [
    "direct memory of an executor",
    [
      `${MAIN}org.apache.spark.SparkException: ${TASK}java.lang.OutOfMemoryError: Cannot reserve 1 bytes of direct buffer memory`,
      AT,
    ],
    { of: "executor", kind: "direct" },
  ],
  [
    "Python in the driver",
    [
      "Traceback (most recent call last):",
      '  File "/opt/app/a.py", line 3, in <module>',
      "    b = bytearray(1 << 40)",
      "MemoryError",
    ],
    { of: "driver", kind: "python" },
  ],
  [
    "a driver's program that was killed",
    ["org.apache.spark.SparkUserAppException: User application exited with 137"],
    { of: "driver", kind: "python" },
  ],
  ["another failure", [`${MAIN}java.lang.IllegalStateException: no`], undefined],
  ["nothing", [], undefined],
])("%s", (_, log, wanted) => {
  expect(memoryAtEnd(log)).toEqual(wanted);
});
