import { systemOutside } from "@kindling/outside";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { expect, onTestFinished, test } from "vitest";
import { parseFlags, runOperator } from "../src/index.ts";
import { OperatedCluster } from "./support/operated-cluster.ts";

const parsed = (lines: readonly string[]): readonly object[] => lines.map((line) => JSON.parse(line) as object);

test("each state that an application comes into is a line, with what was wrong", async () => {
  const operated = await OperatedCluster.start();
  const { lines } = await operated.operate();
  await operated.create("pi", { mode: "client" });
  await operated.inState("pi", "FAILED");
  await eventually(() =>
    expect(parsed(lines)).toContainEqual(
      expect.objectContaining({
        ...{ level: "info", msg: "an application has entered a state", application: "spark-jobs/pi" },
        ...{ state: "FAILED", error: expect.stringContaining('mode "client" is not supported') },
      }),
    ),
  );
});

test("the first lines tell what is served, and which namespace is not there", async () => {
  const operated = await OperatedCluster.start();
  const lines: string[] = [];
  const flags = ["--namespaces=spark-jobs,sprak-jobs", "--health-probe-bind-address=0"];
  const kubeconfig = `--kubeconfig=${kubeconfigFor(operated.cluster)}`;
  const operator = await runOperator(parseFlags([...flags, kubeconfig]), {
    ...{ outside: systemOutside(), holder: "test" },
    log: { write: (line) => void lines.push(line) },
  });
  onTestFinished(() => operator.stop());
  expect(parsed(lines)).toMatchObject([
    { level: "info", msg: "the operator starts", namespaces: "spark-jobs,sprak-jobs" },
    { msg: "the cluster has been listed" },
    { level: "warn", msg: "a namespace that should be served does not exist", namespace: "sprak-jobs" },
  ]);
});
