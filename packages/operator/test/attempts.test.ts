import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { OperatedCluster } from "./support/operated-cluster.ts";

const DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sparkapplications.sparkoperator.k8s.io";

interface Definition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: StatusSchema } }[] };
}

interface StatusSchema {
  readonly properties: { readonly status: { readonly properties: Record<string, unknown> } };
}

/** Changes the definition to be like kubeflow's, which has no attempts: the API server then drops them. */
async function forgetAttempts({ cluster }: OperatedCluster): Promise<void> {
  const definition = (await cluster.send("GET", DEFINITION)) as Definition;
  for (const { schema } of definition.spec.versions)
    delete schema.openAPIV3Schema.properties.status.properties["attempts"];
  await cluster.send("PUT", DEFINITION, definition);
}

async function failingTwice(operated: OperatedCluster): Promise<void> {
  await operated.operate();
  await operated.create("pi", {
    restartPolicy: { type: "OnFailure", onFailureRetries: 1, onFailureRetryInterval: 1 },
  });
  for (const code of [3, 137]) operated.cluster.end(await runningDriver(operated), code);
  await operated.inState("pi", "FAILED");
}

async function runningDriver(operated: OperatedCluster): Promise<Pod> {
  return await eventually(async () => {
    const pod = (await operated.pods()).find(({ status }) => status?.phase === "Running");
    if (pod === undefined) throw new Error("there is no driver that runs");
    return pod;
  });
}

const told = async (operated: OperatedCluster): Promise<readonly string[]> =>
  (await operated.events("pi"))
    .filter(({ reason }) => reason === "SparkApplicationAttemptFailed")
    .map(({ message }) => message);

test("how each run ended is kept when the next begins, in the status and as an event", async () => {
  const operated = await OperatedCluster.start();
  await failingTwice(operated);
  const failed = (exitCode: number): object => ({
    ...{ outcome: "FAILED", exitCode, diagnosis: expect.any(String) },
    errorMessage: expect.stringContaining(`ExitCode: ${exitCode}`),
  });
  expect((await operated.application("pi")).status?.attempts).toMatchObject([failed(3), failed(137)]);
  await eventually(async () =>
    expect(await told(operated)).toEqual([
      expect.stringMatching(/^Run 1 of SparkApplication pi failed: driver container failed with ExitCode: 3, .*; ./),
      expect.stringMatching(/^Run 2 of SparkApplication pi failed: driver container failed with ExitCode: 137, .*; ./),
    ]),
  );
});

test("each run that failed is looked into once, and no run that goes on", async () => {
  const operated = await OperatedCluster.start();
  await failingTwice(operated);
  const logs = operated.cluster.api.requests.filter(({ path }) => path.endsWith("/log"));
  expect(logs).toHaveLength(2);
});

test("where the definition is kubeflow's, events tell it, and nothing is written again and again", async () => {
  const operated = await OperatedCluster.start();
  await forgetAttempts(operated);
  await failingTwice(operated);
  await eventually(async () => expect(await told(operated)).toHaveLength(2));
  const { status } = await operated.application("pi");
  expect(status).not.toHaveProperty("attempts");
  expect(status).toMatchObject({ executionAttempts: 2, applicationState: { state: "FAILED" } });
  const writes = operated.cluster.api.requests.filter(
    ({ method, path }) => method === "PUT" && path.endsWith("/status"),
  );
  expect(writes.length).toBeLessThan(12);
});

test("a submission that is refused is an attempt without a driver", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.create("pi", { mode: "client" });
  await operated.inState("pi", "FAILED");
  const attempts = (await operated.application("pi")).status?.attempts;
  expect(attempts).toMatchObject([
    { outcome: "SUBMISSION_FAILED", errorMessage: expect.stringContaining('mode "client" is not supported') },
  ]);
  expect(attempts?.[0]).not.toHaveProperty("exitCode");
});

test("what would help is told in the fields of the object, not in keys that the operator refuses", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.create("pi", { driver: { serviceAccount: "nobody-made-it" } });
  await operated.inState("pi", "FAILED");
  const { errorMessage } = (await operated.application("pi")).status?.applicationState ?? {};
  expect(errorMessage).toMatch(/ \(correct spec\.driver\.serviceAccount, or make the account: /);
});
