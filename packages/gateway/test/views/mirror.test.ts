import type { KubeObject } from "@kindling/kube-objects";
import type { Api } from "@kindling/api-server";
import { ManualClock, systemRandom } from "@kindling/outside";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createView, PODS } from "../../src/views/driver-resources.ts";
import { marked } from "../../src/views/marked.ts";
import { Mirror } from "../../src/views/mirror.ts";

const NAMES = ["a", "b"] as const;
const USER = { name: "driver", groups: [] };

/** An event for one of a few objects. */
const happening = fc.record({
  name: fc.constantFrom(...NAMES),
  what: fc.constantFrom("advance", "answer", "change", "delete", "drop", "expect", "ask", "relist", "late"),
});

/** A cluster that reports its changes, perhaps twice or late. */
class Cluster {
  version = 0;
  readonly objects = new Map<string, KubeObject>();
  readonly past: KubeObject[] = [];

  put(object: KubeObject, uid: string): KubeObject {
    this.version += 1;
    const metadata = {
      ...object.metadata,
      uid,
      resourceVersion: String(this.version),
      creationTimestamp: "2026-01-02T00:00:00Z",
    };
    const stored = { ...object, metadata };
    this.objects.set(object.metadata.name, stored);
    this.past.push(stored);
    return stored;
  }
}

/** Whether the gateway has been told that an object is no longer in the cluster. */
function isOver(cluster: Cluster, { metadata }: KubeObject): boolean {
  const now = cluster.objects.get(metadata.name);
  return now?.metadata.uid !== metadata.uid;
}

function wanted(name: string): KubeObject {
  const metadata = { name, namespace: "jobs", uid: "", resourceVersion: "", creationTimestamp: "" };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [] } };
}

test("whatever happens in which order, the view ends as the cluster is, with what only the driver sees and without what it has not asked for", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 80, size: "max" }), (history) => {
      const view = createView({ clock: new ManualClock(), random: systemRandom() });
      const mirror = new Mirror(view, PODS, "jobs");
      const cluster = new Cluster();
      const abandoned = new Set<string>();
      for (const [index, { name, what }] of history.entries()) {
        const entry = mirror.get(name);
        const there = cluster.objects.get(name);
        switch (what) {
          case "advance":
            advance(mirror, cluster, name, `real-${index}`);
            break;
          case "answer":
            if (there !== undefined) mirror.seen(there);
            break;
          case "change":
            if (there !== undefined) mirror.seen(cluster.put(there, there.metadata.uid));
            break;
          case "delete":
            if (there === undefined) break;
            mirror.seen(there);
            cluster.objects.delete(name);
            cluster.version += 1;
            mirror.gone(there);
            abandoned.delete(there.metadata.annotations?.["gateway.kindling/uid"] ?? "");
            break;
          case "drop":
            if (entry === undefined || entry.state.kind === "real") break;
            if (entry.state.kind === "creating") abandoned.add(entry.uid);
            mirror.remove(entry);
            break;
          case "expect":
            if (entry === undefined && there === undefined) expectEarly(mirror, name, `early-${index}`);
            break;
          case "ask":
            if (entry !== undefined) mirror.asked(entry, name);
            break;
          case "relist":
            relist(mirror, cluster);
            break;
          case "late":
            // A late answer to a write: the watch has already shown the change, or the object is gone.
            expectNoNews(mirror, () => {
              for (const object of cluster.past) if (isOver(cluster, object)) mirror.seen(object);
            });
        }
        expectSameObject(view, mirror);
      }
      relist(mirror, cluster);
      const unasked = new Set(mirror.unasked().map((entry) => entry.name));
      const virtual = [...mirror.entries()].filter(({ state }) => state.kind !== "real").map((entry) => entry.name);
      const real = [...cluster.objects.values()]
        .filter(({ metadata }) => !abandoned.has(metadata.annotations?.["gateway.kindling/uid"] ?? ""))
        .map(({ metadata }) => metadata.name);
      const shown = mirror.select(() => true).map(({ object }) => object.metadata.name);
      expect(shown).toEqual([...real, ...virtual].filter((name) => !unasked.has(name)).sort());
    }),
    { numRuns: 2_000 },
  );
});

/** The next step of an object: it is requested, admitted, or created in the cluster. */
function advance(mirror: Mirror, cluster: Cluster, name: string, uid: string): void {
  const entry = mirror.get(name);
  if (entry === undefined) {
    if (!cluster.objects.has(name)) {
      mirror.add({ object: wanted(name), request: wanted(name), fingerprint: name, user: USER });
    }
  } else if (entry.state.kind === "waiting") {
    entry.beginCreating(entry.state.request);
  } else if (entry.state.kind === "creating" && !cluster.objects.has(name)) {
    // The answer may come later, or never.
    cluster.put(marked(entry.state.request, entry), uid);
  }
}

/** An object that the driver has not asked for yet. */
function expectEarly(mirror: Mirror, name: string, uid: string): void {
  const { metadata, ...pod } = wanted(name);
  const request = { ...pod, metadata: { ...metadata, annotations: { "gateway.kindling/early": "true" } } };
  const object = { ...request, metadata: { ...request.metadata, uid, creationTimestamp: "2026-01-02T00:00:00Z" } };
  mirror.expect({ object, request });
}

function relist(mirror: Mirror, cluster: Cluster): void {
  for (const object of cluster.objects.values()) mirror.seen(object);
  mirror.keepOnly((name) => cluster.objects.has(name), String(cluster.version));
}

function expectNoNews(mirror: Mirror, happen: () => void): void {
  const shown = (): string[] => mirror.select(() => true).map(({ object }) => object.metadata.resourceVersion);
  const before = shown();
  happen();
  expect(shown()).toEqual(before);
}

/** Under a name, the driver still sees the object that it was told, whether it is virtual or real. */
function expectSameObject(view: Api, mirror: Mirror): void {
  for (const { object } of mirror.select(() => true)) {
    const { name, uid, creationTimestamp, resourceVersion } = object.metadata;
    const entry = mirror.get(name);
    expect({ uid, creationTimestamp }).toEqual({ uid: entry?.uid, creationTimestamp: entry?.created });
    expect(Number(resourceVersion)).toBeLessThanOrEqual(view.store.revision);
  }
}

test("a change of the cluster is written once, whoever tells of it", () => {
  const view = createView({ clock: new ManualClock(), random: systemRandom() });
  const mirror = new Mirror(view, PODS, "jobs");
  const cluster = new Cluster();
  const pod = cluster.put(wanted("a"), "u");
  mirror.seen(pod);
  const before = view.store.revision;
  mirror.seen(pod);
  mirror.keepOnly(() => true, "9");
  expect(view.store.revision).toBe(before);
  mirror.seen(cluster.put(pod, "u"));
  mirror.seen(pod);
  expect(view.store.revision).toBe(before + 1);
});
