import { driverTraffic, type DriverRequest } from "@kindling/recordings";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Answer } from "@kindling/test-kit/api-client";
import { Random } from "@kindling/test-kit/random";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";
import { randomRequest, type RandomRequest } from "./random/random-request.ts";
import { Victim } from "./random/victim.ts";

/** `KINDLING_RANDOM_REQUESTS=100000` takes some minutes; `KINDLING_RANDOM_SEED` repeats a failed run. */
const REQUESTS = Number(process.env["KINDLING_RANDOM_REQUESTS"] ?? 500);
const SEED = Number(process.env["KINDLING_RANDOM_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
/** The victim is checked after each of so many requests. */
const LOOK_AFTER = 100;
const MOST_AT_ONCE = 8;

const QUEUES = "queues:\n  - name: etl\n    ceiling: { pods: 20 }\n  - name: adhoc\n    ceiling: { pods: 10 }\n";

test(
  `whatever a driver asks for, another one's objects, room and answers stay as they are (seed ${SEED}, ${REQUESTS} requests)`,
  { timeout: 30_000 + REQUESTS * 60 },
  async () => {
    const cluster = await TestCluster.start();
    const settings = ["--queues-file", scratchFolder().write("queues.yaml", QUEUES)];
    const gateway = await startTestGateway(cluster, { settings });
    const victim = await Victim.run(cluster, gateway, "etl");
    const labels = { "scheduler.kindling/gateway": "true", "scheduler.kindling/queue": "adhoc" };
    const attacker = await FakeDriver.run(cluster, "drv", { labels });
    const client = attacker.at(gateway);
    const material = {
      recorded: driverTraffic().flatMap(({ requests }) => requests.map((request) => filledIn(request, attacker))),
      namespace: attacker.namespace,
      own: ["drv", attacker.app, attacker.uid, "drv-exec-1", "drv-exec-2"],
      others: victim.names,
    };
    const send = async ({ method, path, body, type }: RandomRequest): Promise<Answer> => {
      const headers = type === undefined ? {} : { "Content-Type": type };
      return await client.request(method, path, body, { headers });
    };
    const random = new Random(SEED);
    const before = await victim.seen();
    const events = victim.events;
    const mistakes: string[] = [];
    let made = 0;
    for (let sent = 0; sent < REQUESTS; sent += LOOK_AFTER) {
      const requests = Array.from({ length: LOOK_AFTER }, () => randomRequest(random, material));
      for (let first = 0; first < requests.length; first += MOST_AT_ONCE) {
        for (const { status, body } of await Promise.all(requests.slice(first, first + MOST_AT_ONCE).map(send))) {
          if (status === 201) made += 1;
          if (body["reason"] === "InternalError") mistakes.push(JSON.stringify(body));
        }
      }
      expect(await victim.seen(), `seed ${SEED}, among the requests up to ${sent + LOOK_AFTER}`).toEqual(before);
    }
    expect(victim.events).toBe(events);
    await victim.getsOneMore();
    expect(mistakes, `seed ${SEED}`).toEqual([]);
    // Some of them are accepted.
    expect(made).toBeGreaterThan(0);
  },
);

/** The request as this driver would make it. */
function filledIn(request: DriverRequest, { uid, namespace, app }: FakeDriver): DriverRequest {
  const text = JSON.stringify(request)
    .replaceAll('"uid":"{uuid}"', `"uid":"${uid}"`)
    .replaceAll("{uuid}", "5fbf4b46-1c0f-4b1c-9d0f-1d0a3c1d2e3f")
    .replaceAll("{namespace}", namespace)
    .replaceAll("{appId}", app)
    .replaceAll("{id}", "0a1b2c3d4e5f");
  return JSON.parse(text) as DriverRequest;
}
