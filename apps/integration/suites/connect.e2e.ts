import { randomUUID } from "node:crypto";
import { sparkVersionOf } from "@kindling/core-spec";
import { resources } from "@kindling/kube";
import { ConnectClient, type Ended } from "@kindling/test-kit/connect-client";
import { framed, reattachRequest, sqlRequest } from "@kindling/test-kit/connect-messages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConnectService, smallProfile, startConnect, connectToken } from "../clusters/connect.ts";
import { jvmClient, runJvmClient } from "../clusters/jvm-client.ts";
import { SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
const UNAVAILABLE = "14";
/** A result as an Arrow column has it. */
const SUM = Buffer.alloc(8);
SUM.writeBigInt64LE(499_500n);

const JVM = jvmClient(VERSION);

// Before, Spark's image has no Connect server.
const isPossible = sparkVersionOf(VERSION).has("connect-port");

describe.skipIf(!isPossible)(`sessions through kindling-connect, on Spark ${VERSION}`, () => {
  let namespace: TestNamespace;
  let connect: ConnectService;
  const tokens: Record<string, string> = {};
  const clients: ConnectClient[] = [];

  beforeAll(async () => {
    namespace = await TestNamespace.create("connect");
    for (const name of ["alice", "bob"]) {
      await namespace.client.create(resources.serviceaccounts, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name },
      });
      tokens[name] = await connectToken(namespace, name);
    }
    connect = await startConnect(namespace, { small: smallProfile(namespace, VERSION) });
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await connect.stop();
    await namespace.remove();
  });

  function clientOf(name: string): ConnectClient {
    const client = new ConnectClient(`http://127.0.0.1:${connect.port}`, { token: tokens[name] ?? "" });
    clients.push(client);
    return client;
  }

  /** Asks again as stock clients do: on a busy machine, a driver takes longer than one call waits for it. */
  async function ask(client: ConnectClient, session: string, sql: string): Promise<Ended> {
    for (;;) {
      const ended = await client.call("ExecutePlan", { body: framed(sqlRequest(session, sql)) });
      if (ended.status !== UNAVAILABLE) return ended;
    }
  }

  async function drivers(): Promise<readonly string[]> {
    const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=driver" });
    return items.map(({ metadata }) => metadata?.name ?? "");
  }

  test("who has no token gets no driver", async () => {
    const stranger = new ConnectClient(`http://127.0.0.1:${connect.port}`, { token: "" });
    clients.push(stranger);
    expect(await ask(stranger, randomUUID(), "SELECT 1")).toMatchObject({ status: "16" });
    expect(await drivers()).toEqual([]);
  });

  test("users have drivers of their own, and see nothing of each other's sessions", async () => {
    const session = randomUUID();
    const [alice, bob] = [clientOf("alice"), clientOf("bob")];
    const answers = await Promise.all([
      ask(alice, session, "CREATE TEMPORARY VIEW mine AS SELECT sum(id) AS total FROM range(0, 1000, 1, 2)"),
      ask(bob, session, "SELECT 1"),
    ]);
    expect(answers.map(({ status, message }) => [status, message])).toEqual([
      ["0", ""],
      ["0", ""],
    ]);
    expect(await drivers()).toHaveLength(2);

    const mine = await ask(alice, session, "SELECT total FROM mine");
    expect(mine).toMatchObject({ status: "0" });
    expect(mine.body.includes(SUM)).toBe(true);
    const others = await ask(bob, session, "SELECT total FROM mine");
    expect(others.message).toContain("TABLE_OR_VIEW_NOT_FOUND");
    expect(others.body.includes(SUM)).toBe(false);
  });

  test("a query goes on while the service is started again, and its client attaches to it", async () => {
    const [session, operation] = [randomUUID(), randomUUID()];
    const before = clientOf("alice");
    const stream = before.begin("ExecutePlan");
    const sql =
      "SELECT sum(id) FROM range(0, 1000, 1, 2) WHERE coalesce(java_method('java.lang.Thread', 'sleep', 5L), '-') <> ''";
    stream.end(framed(sqlRequest(session, sql, operation)));
    await new Promise((resolve) => stream.once("data", resolve));
    await connect.restart();
    const after = await clientOf("alice").call("ReattachExecute", {
      body: framed(reattachRequest(session, operation)),
    });
    expect(after, after.message).toMatchObject({ status: "0" });
    expect(after.body.includes(SUM)).toBe(true);
  });

  test("nobody attaches to another's operation", async () => {
    const [session, operation] = [randomUUID(), randomUUID()];
    const own = await clientOf("alice").call("ExecutePlan", {
      body: framed(sqlRequest(session, "SELECT sum(id) FROM range(1000)", operation)),
    });
    expect(own).toMatchObject({ status: "0" });
    const other = await clientOf("bob").call("ReattachExecute", { body: framed(reattachRequest(session, operation)) });
    expect(other.status).not.toBe("0");
    expect(other.body.includes(SUM)).toBe(false);
  });

  const jvm = "reason" in JVM ? { classPath: "", why: JVM.reason } : { classPath: JVM.classPath, why: "" };
  test.skipIf(jvm.why !== "")(`Spark's own client for the JVM takes the token in the address${jvm.why}`, async () => {
    const remote = `sc://localhost:${connect.port}/;token=${tokens["alice"]}`;
    const ended = await runJvmClient(jvm.classPath, "Total.java", remote);
    expect(ended.out, ended.err).toMatch(/^TOTAL 499500$/m);
  });
});
