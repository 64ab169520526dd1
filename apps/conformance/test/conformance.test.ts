import { type Connection, connectionFromFile, connectionOf } from "@kindling/test-kit/api-connection";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conformanceCases } from "../src/cases/conformance-cases.ts";
import type { ConformanceCase, ServerKind } from "../src/conformance-case.ts";
import { runCase } from "../src/run-case.ts";
import { bareServer, needsNoCluster } from "./bare-server.ts";
import { DevCluster } from "@kindling/devcluster";

/** The cases that one kind of server can run, with their names. */
function casesFor(server: ServerKind): (readonly [name: string, one: ConformanceCase])[] {
  return conformanceCases
    .filter(({ only }) => only === undefined || only.server === server)
    .map((one) => [one.name, one]);
}

// Longer than the longest wait of a case, so that a failed case itself reports what it waited for.
const CASE_TIMEOUT = 240_000;

describe("the embedded cluster", () => {
  let cluster: DevCluster;
  let connection: Connection;

  beforeAll(async () => {
    // A short history, so that cases can see what happens at its end.
    cluster = await DevCluster.start({ tls: true, authorization: "rbac", history: { events: 300 } });
    connection = await connectionOf(cluster.kubeconfig());
  });

  afterAll(async () => {
    await cluster.stop();
  });

  test.concurrent.each(casesFor("embedded"))("%s", { timeout: CASE_TIMEOUT }, async (_name, one) => {
    await expect(runCase(one, connection)).resolves.toBeUndefined();
  });
});

describe("the API server without a cluster", () => {
  let server: Awaited<ReturnType<typeof bareServer>>;

  beforeAll(async () => {
    server = await bareServer();
  });

  afterAll(async () => {
    await server.close();
  });

  test.concurrent.each(casesFor("embedded").filter(([name]) => needsNoCluster(name)))(
    "%s",
    { timeout: CASE_TIMEOUT },
    async (_name, one) => {
      await expect(runCase(one, server.connection)).resolves.toBeUndefined();
    },
  );
});

const real = await realConnection();

describe.skipIf(real.connection === undefined)(`the real API server${real.why}`, () => {
  test.concurrent.each(casesFor("real"))("%s", { timeout: CASE_TIMEOUT }, async (_name, one) => {
    if (real.connection === undefined) throw new Error(real.why);
    await expect(runCase(one, real.connection)).resolves.toBeUndefined();
  });
});

/** The cluster of the environment's KUBECONFIG. The default kubeconfig is not touched: it may be someone's production. */
async function realConnection(): Promise<{ connection?: Connection; why: string }> {
  const path = process.env["KUBECONFIG"] ?? "";
  if (path === "") return { why: ", which is not tested: KUBECONFIG is not set" };
  try {
    return { connection: await connectionFromFile(path), why: "" };
  } catch (error) {
    return { why: `, which is not tested: ${String(error)}` };
  }
}
