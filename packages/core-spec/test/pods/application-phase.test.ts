import { expect, test } from "vitest";
import {
  applicationPhase,
  isFinished,
  type NamedContainer,
  type PhasedContainer,
  sparkContainerOf,
} from "../../src/index.ts";

const RUNS: PhasedContainer = { name: "proxy", state: "running" };
const ended = (exitCode: number): PhasedContainer => ({ name: "spark", state: "terminated", exitCode });

test.each([
  // phase of the pod, restart policy, containers, wanted
  ["Pending", "Never", [], "Pending"],
  ["Running", "Never", [{ name: "spark", state: "running" }, RUNS], "Running"],
  ["Running", "Never", [ended(0), RUNS], "Succeeded"],
  ["Running", "Never", [ended(1), RUNS], "Failed"],
  ["Running", "OnFailure", [ended(1), RUNS], "Running"],
  ["Running", "OnFailure", [ended(0), RUNS], "Succeeded"],
  ["Running", "Always", [ended(0), RUNS], "Running"],
  ["Running", "Never", [{ name: "proxy", state: "terminated", exitCode: 1 }], "Running"],
  ["Failed", "Never", [ended(0), { name: "proxy", state: "terminated", exitCode: 1 }], "Succeeded"],
  ["Failed", "Never", [], "Failed"],
  ["Succeeded", "Never", [ended(0)], "Succeeded"],
] as const)("a pod that is %s, with restarts %s and %j: %s", (phase, restartPolicy, containers, wanted) => {
  const pod = { phase, restartPolicy, containers, sparkContainer: "spark" };
  expect(applicationPhase(pod)).toBe(wanted);
  expect(isFinished(pod)).toBe(wanted === "Succeeded" || wanted === "Failed");
});

test.each<[string, readonly NamedContainer[], string | undefined]>([
  ["its usual name", [{ name: "proxy" }, { name: "spark-kubernetes-driver" }], "spark-kubernetes-driver"],
  [
    "what Spark sets in it",
    [{ name: "proxy" }, { name: "main", env: [{ name: "A" }, { name: "SPARK_DRIVER_BIND_ADDRESS" }] }, { name: "log" }],
    "main",
  ],
  ["neither", [{ name: "proxy" }, { name: "main", env: [null, "SPARK_EXECUTOR_ID"] }, { env: {} }], undefined],
])("Spark's container is known by %s", (_, containers, wanted) => {
  expect(sparkContainerOf(containers)?.name).toBe(wanted);
});
