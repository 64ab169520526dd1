import { describe, expect, test } from "vitest";
import { clientCases, type PodFollower } from "../../src/conformance/index.ts";
import { createKubeClient, resources, startReflector } from "../../src/index.ts";
import { seenByName } from "../fixtures/seen-by-name.ts";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { plainAccess } from "../fixtures/plain-access.ts";

function follow(server: string): PodFollower {
  const clock = fastClock(10);
  const client = createKubeClient(plainAccess(server), { clock });
  const store = seenByName<{ metadata?: { name?: string; annotations?: { [name: string]: string } } }>();
  const reflector = startReflector(client, resources.pods, {
    sink: store,
    clock,
    idleTimeoutMs: 10_000,
    pageSize: 500,
  });
  return {
    view: () =>
      new Map(
        [...store.values()].map(({ metadata }) => [metadata?.name ?? "", metadata?.annotations?.["value"] ?? ""]),
      ),
    async stop() {
      await reflector.stop();
      client.close();
    },
  };
}

describe.concurrent("a reflector", () => {
  test.each(clientCases)("$name", async ({ run }) => {
    await expect(run(follow)).resolves.toBeUndefined();
  });
});
