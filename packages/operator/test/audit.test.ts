import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemOutside } from "@kindling/outside";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test } from "vitest";
import { parseFlags, runOperator } from "../src/index.ts";
import { OperatedCluster } from "./support/operated-cluster.ts";

type Event = Readonly<Record<string, unknown>>;

test("what the operator decides is a line each, with the application that it is about", async () => {
  const operated = await OperatedCluster.start();
  const path = join(scratchFolder().path, "audit.log");
  const flags = ["--namespaces=spark-jobs", "--health-probe-bind-address=0", `--audit-log-path=${path}`];
  const operator = await runOperator(parseFlags([...flags, `--kubeconfig=${kubeconfigFor(operated.cluster)}`]), {
    ...{ outside: systemOutside(), holder: "test", log: { write: () => undefined } },
  });
  onTestFinished(() => operator.stop());
  const good = await operated.create("pi", { timeToLiveSeconds: 1 });
  const bad = await operated.create("wrong", { mode: "client" });
  await operated.inState("wrong", "FAILED");
  const of = (verb: string, decision: string, { metadata: { name, uid } }: typeof good, reason: unknown): object => ({
    apiVersion: "audit.kindling/v1",
    ...{ kind: "Event", auditID: expect.any(String), time: expect.any(String), component: "operator" },
    ...{ verb, decision, reason },
    object: expect.objectContaining({ namespace: "spark-jobs", application: name, name, uid }),
  });
  const eventsSoFar = (): Event[] => {
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Event);
  };
  await eventually(() => expect(eventsSoFar()).toContainEqual(of("submit", "allow", good, "the driver was made")));
  await operated.edit("pi", { suspend: true });
  await eventually(() => {
    const events = eventsSoFar();
    expect(events).toContainEqual(
      of("submit", "error", bad, expect.stringContaining('mode "client" is not supported')),
    );
    expect(events).toContainEqual(of("suspend", "allow", good, "spec.suspend is true"));
    expect(events).toContainEqual(of("delete", "allow", good, expect.stringContaining("not needed any more")));
  });
});
