import { type KubeClient, kubeError, resources } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, onTestFinished, test } from "vitest";
import { type Cache, done, keyOf, type RecordIdentity, startCache, startManager, watch } from "../src/index.ts";
import { type HollowTerm, hollowTerm } from "./hollow-term.ts";

interface PodRecord extends RecordIdentity {
  readonly namespace: string;
  readonly phase: string;
  readonly isGreeted: boolean;
}

function podRecord({ metadata = {}, status = {} }: Pod): PodRecord {
  const { namespace = "", name = "", uid = "", resourceVersion = "", annotations = {} } = metadata;
  return { namespace, name, uid, resourceVersion, phase: status.phase ?? "", isGreeted: "greeted" in annotations };
}

function podCache(
  { client, clock, random }: HollowTerm,
  namespaces?: readonly string[],
  keep: (pod: Pod) => PodRecord | undefined = podRecord,
): Cache<PodRecord, "phase"> {
  const cache = startCache<Pod, PodRecord, "phase">(client, resources.pods, {
    ...{ namespaces, keep, clock, random },
    identityOf: (record) => record,
    indexes: { phase: ({ phase }) => [phase] },
    onError: () => undefined,
  });
  onTestFinished(() => cache.stop());
  return cache;
}

async function makePod(client: KubeClient, name: string, namespace = "default"): Promise<void> {
  const containers = [{ name: "main", image: "image" }];
  await client.create(resources.pods, { metadata: { name, namespace }, spec: { containers } } as Pod);
}

const REFUSAL = { kind: "status", status: 403, causes: [], retryAfterSeconds: undefined } as const;

/** Moves time forward in steps, with requests in between so that events arrive. */
async function goOn({ clock, client }: HollowTerm, milliseconds: number): Promise<void> {
  for (let at = 0; at < milliseconds; at += 500) {
    await clock.advance(500);
    await client.listAll(resources.leases, { namespace: "default" });
  }
}

/** Annotates each running pod once. */
function greeter(client: KubeClient, cache: Cache<PodRecord, "phase">) {
  return {
    name: "greeter",
    workers: 2,
    watches: [watch(cache, (pod) => [keyOf(pod)])],
    async reconcile(key: string) {
      const pod = cache.get(key);
      if (pod?.phase !== "Running" || pod.isGreeted) return done;
      const { name, namespace } = pod;
      const patch = { metadata: { annotations: { greeted: "yes" } } };
      cache.note(podRecord(await client.patch(resources.pods, name, "merge", patch, { namespace })));
      return done;
    },
  };
}

function isGreeted(cache: Cache<PodRecord, "phase">, key: string): void {
  expect(cache.get(key)?.isGreeted).toBe(true);
}

test("a controller sees to what was there before it, and to what comes", async () => {
  const term = await hollowTerm();
  await makePod(term.client, "before");
  const cache = podCache(term);
  await cache.synced;
  const running = term.run(greeter(term.client, cache));
  await makePod(term.client, "after");
  await term.until(() => ["default/before", "default/after"].forEach((key) => isGreeted(cache, key)));
  expect(cache.byIndex("phase", "Running")).toHaveLength(2);
  await term.until(() => expect([running.waiting, running.busy]).toEqual([0, 0]));
});

test("a cache of some namespaces knows nothing of others", async () => {
  const term = await hollowTerm();
  const { client } = term;
  for (const name of ["one", "two", "three"]) await client.create(resources.namespaces, { metadata: { name } });
  for (const namespace of ["one", "two", "three"]) await term.until(() => makePod(client, "pod", namespace));
  const cache = podCache(term, ["one", "two"]);
  await cache.synced;
  expect([...cache.values()].map(keyOf).toSorted()).toEqual(["one/pod", "two/pod"]);
  expect(["one", "three"].map((namespace) => cache.covers(namespace))).toEqual([true, false]);
  await term.until(() => expect(cache.isCurrent("two")).toBe(true));
});

test("objects that are none of ours are not kept", async () => {
  const term = await hollowTerm();
  await makePod(term.client, "ours");
  await makePod(term.client, "another");
  const cache = podCache(term, undefined, (pod) => (pod.metadata?.name === "ours" ? podRecord(pod) : undefined));
  await cache.synced;
  expect([...cache.values()].map(({ name }) => name)).toEqual(["ours"]);
});

test("a cache that may do without a list is there though that is refused, and fills when it no longer is", async () => {
  const term = await hollowTerm();
  await makePod(term.client, "pod");
  let isRefused = true;
  const client: KubeClient = {
    ...term.client,
    list(type, options) {
      if (!isRefused) return term.client.list(type, options);
      throw kubeError({ ...REFUSAL, reason: "Forbidden", serverMessage: "no" }, "pods is forbidden");
    },
  };
  const faults: string[] = [];
  const cache = startCache<Pod, PodRecord>(client, resources.pods, {
    ...{ clock: term.clock, random: term.random, keep: podRecord, isOptional: true },
    identityOf: (record) => record,
    onError({ message }, _namespace, isRefusedAgain) {
      if (!isRefusedAgain) faults.push(message);
    },
  });
  onTestFinished(() => cache.stop());
  await term.until(() => expect(cache.isSynced).toBe(true));
  await term.clock.advance(120_000);
  expect([cache.isRefused, cache.isCurrent(), cache.size, faults.length]).toEqual([true, false, 0, 1]);
  isRefused = false;
  await term.until(() => expect([cache.isRefused, cache.size]).toEqual([false, 1]));
});

test("of several namespaces, those that are refused do not keep the others waiting, unless all are", async () => {
  const term = await hollowTerm();
  await term.client.create(resources.namespaces, { metadata: { name: "etl" } });
  await makePod(term.client, "pod", "etl");
  const refused = new Set(["etl", "gone"]);
  const client: KubeClient = {
    ...term.client,
    list(type, options) {
      if (!refused.has(options?.namespace ?? "")) return term.client.list(type, options);
      throw kubeError({ ...REFUSAL, reason: "Forbidden", serverMessage: "no" }, "pods is forbidden");
    },
  };
  const cache = podCache({ ...term, client }, ["etl", "gone"]);
  await term.until(() => expect(cache.lastError("etl")).toBeDefined());
  expect(cache.isSynced).toBe(false);
  refused.delete("etl");
  await term.until(() => expect(cache.isSynced).toBe(true));
  expect([cache.size, cache.isCurrent("etl"), cache.isCurrent("gone"), cache.isRefused]).toEqual([
    1,
    true,
    false,
    true,
  ]);
});

test("of two that want to lead one acts, and the other one after it", async () => {
  const term = await hollowTerm();
  const acting = new Set<string>();
  const manager = (identity: string) =>
    startManager({
      ...{ client: term.client, clock: term.clock, random: term.random, log: term.log, identity },
      lease: { name: "test", namespace: "default" },
      begin(own) {
        acting.add(identity);
        own.onEnd(() => acting.delete(identity));
      },
    });
  const first = manager("first");
  await term.until(() => expect([...acting]).toEqual(["first"]));
  const second = manager("second");
  await goOn(term, 20_000);
  expect([first.isLeading, second.isLeading, ...acting]).toEqual([true, false, "first"]);
  await first.stop();
  expect(acting.size).toBe(0);
  await term.until(() => expect([...acting]).toEqual(["second"]));
  await second.stop();
});

test("what is undone at the end of a term is undone in the other order", async () => {
  const term = await hollowTerm();
  const undone: string[] = [];
  term.onEnd(() => undone.push("first"));
  term.onEnd(async () => {
    await Promise.resolve();
    undone.push("second");
  });
  await term.end();
  expect(undone).toEqual(["second", "first"]);
});
