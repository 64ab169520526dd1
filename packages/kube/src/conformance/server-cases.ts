import assert from "node:assert/strict";
import type { ConfigMap } from "kubernetes-types/core/v1.js";
import type { KubeClient } from "../client/kube-client.ts";
import { isKubeError } from "../errors/kube-error.ts";
import { isConflict, isObjectNotFound } from "../errors/status.ts";
import { resources } from "../resources.ts";
import type { WatchEvent } from "../answers/watch-event.ts";

/** A client of the server under test, in a namespace for this case alone. It is empty except for what every namespace has. */
export interface ServerScene {
  readonly client: KubeClient;
}

/** One thing that a server of list, watch and apply must do correctly. */
export interface ServerCase {
  readonly name: string;
  readonly run: (scene: ServerScene) => Promise<void>;
}

/** Marks the objects of these cases, because each namespace also has a ConfigMap with the cluster's CA. */
const LABEL = "conformance";
const SELECTION = { labelSelector: `${LABEL}=yes` };

function configMap(name: string, value: string, label = "yes"): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { [LABEL]: label } }, data: { value } };
}

async function create(client: KubeClient, ...names: string[]): Promise<ConfigMap[]> {
  const created: ConfigMap[] = [];
  for (const name of names) created.push(await client.create(resources.configmaps, configMap(name, "1")));
  return created;
}

async function change(client: KubeClient, name: string, value: string): Promise<ConfigMap> {
  return client.patch(resources.configmaps, name, "merge", { data: { value } });
}

async function listVersion(client: KubeClient): Promise<string> {
  return (await client.listAll(resources.configmaps, SELECTION)).resourceVersion;
}

/** The events of a watch until there are enough of them; bookmarks do not count. */
async function collect(events: AsyncIterable<WatchEvent<ConfigMap>>, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of events) {
    if (event.type === "BOOKMARK") continue;
    seen.push(`${event.type} ${event.object.metadata?.name} ${event.object.data?.["value"]}`);
    if (seen.length === count) break;
  }
  return seen;
}

/** What servers of list, watch and apply must do; each case needs its own namespace. */
export const serverCases: readonly ServerCase[] = [
  {
    name: "gives a list in pages, each object once and all of one resource version",
    async run({ client }) {
      await create(client, "a", "b", "c", "d", "e");
      const pages = [];
      for await (const page of client.list(resources.configmaps, { ...SELECTION, pageSize: 2 })) pages.push(page);
      assert.deepEqual(
        pages.map((page) => page.items.length),
        [2, 2, 1],
      );
      assert.deepEqual(
        pages.flatMap((page) => page.items.map((item) => item.metadata?.name)),
        ["a", "b", "c", "d", "e"],
      );
      assert.equal(new Set(pages.map((page) => page.resourceVersion)).size, 1);
    },
  },
  {
    name: "refuses a continue token that is none",
    async run({ client }) {
      const path = `/api/v1/namespaces/${client.namespace}/configmaps?limit=1&continue=nonsense`;
      await assert.rejects(
        client.request({ method: "GET", path }),
        (error) => isKubeError(error) && error.kind === "status" && error.status === 400,
      );
    },
  },
  {
    name: "lets a watch begin with what there is",
    async run({ client }) {
      await create(client, "a", "b");
      const events = await collect(client.watch(resources.configmaps, { ...SELECTION, timeoutSeconds: 30 }), 2);
      assert.deepEqual(events.toSorted(), ["ADDED a 1", "ADDED b 1"]);
    },
  },
  {
    name: "shows a watch from a list's version all that came later, in order and once",
    async run({ client }) {
      await create(client, "a");
      const resourceVersion = await listVersion(client);
      await create(client, "b");
      await change(client, "a", "2");
      const watch = client.watch(resources.configmaps, { ...SELECTION, resourceVersion, timeoutSeconds: 30 });
      const watching = collect(watch, 4);
      await change(client, "b", "3");
      await client.delete(resources.configmaps, "a");
      assert.deepEqual(await watching, ["ADDED b 1", "MODIFIED a 2", "MODIFIED b 3", "DELETED a 2"]);
    },
  },
  {
    name: "shows a second watch what happened after the first one's last event",
    async run({ client }) {
      const options = { ...SELECTION, timeoutSeconds: 30 };
      const resourceVersion = await listVersion(client);
      await create(client, "a");
      let last = resourceVersion;
      for await (const event of client.watch(resources.configmaps, { ...options, resourceVersion })) {
        last = event.resourceVersion;
        if (event.type !== "BOOKMARK") break;
      }
      await change(client, "a", "2");
      await change(client, "a", "3");
      const events = await collect(client.watch(resources.configmaps, { ...options, resourceVersion: last }), 2);
      assert.deepEqual(events, ["MODIFIED a 2", "MODIFIED a 3"]);
    },
  },
  {
    name: "shows an object that comes to match a selector as added, and one that ceases to as deleted",
    async run({ client }) {
      await create(client, "a");
      await client.create(resources.configmaps, configMap("b", "1", "no"));
      const resourceVersion = await listVersion(client);
      await client.patch(resources.configmaps, "b", "merge", { metadata: { labels: { [LABEL]: "yes" } } });
      await client.patch(resources.configmaps, "a", "merge", { metadata: { labels: { [LABEL]: "no" } } });
      const events = await collect(
        client.watch(resources.configmaps, { ...SELECTION, resourceVersion, timeoutSeconds: 30 }),
        2,
      );
      assert.deepEqual(events, ["ADDED b 1", "DELETED a 1"]);
    },
  },
  {
    name: "selects by the field metadata.name",
    async run({ client }) {
      await create(client, "a", "b");
      const fieldSelector = "metadata.name=b";
      const { items, resourceVersion } = await client.listAll(resources.configmaps, { fieldSelector });
      assert.deepEqual(
        items.map((item) => item.metadata?.name),
        ["b"],
      );
      await change(client, "a", "2");
      await change(client, "b", "3");
      const watch = client.watch(resources.configmaps, { fieldSelector, resourceVersion, timeoutSeconds: 30 });
      assert.deepEqual(await collect(watch, 1), ["MODIFIED b 3"]);
    },
  },
  {
    name: "ends a watch in good order after the time that the client asks for",
    async run({ client }) {
      const resourceVersion = await listVersion(client);
      const watch = client.watch(resources.configmaps, { ...SELECTION, resourceVersion, timeoutSeconds: 1 });
      assert.deepEqual(await collect(watch, 1), []);
    },
  },
  {
    name: "sends a bookmark before it ends a watch",
    async run({ client }) {
      const resourceVersion = await listVersion(client);
      // Another object increases the resource version; the watch does not see that object.
      await client.create(resources.configmaps, configMap("other", "1", "no"));
      const bookmarks: string[] = [];
      for await (const event of client.watch(resources.configmaps, {
        ...SELECTION,
        resourceVersion,
        timeoutSeconds: 4,
      })) {
        if (event.type === "BOOKMARK") bookmarks.push(event.resourceVersion);
      }
      assert.ok(bookmarks.length > 0, "there was a bookmark");
      assert.notEqual(bookmarks.at(-1), resourceVersion);
    },
  },
  {
    name: "names the resource and the object that is not there",
    async run({ client }) {
      const isMissing = (error: unknown): boolean => isObjectNotFound(error, resources.configmaps, "nothing");
      await assert.rejects(client.get(resources.configmaps, "nothing"), isMissing);
      await assert.rejects(client.delete(resources.configmaps, "nothing"), isMissing);
      const namespace = `${client.namespace}-not`;
      await assert.rejects(client.get(resources.namespaces, namespace), (error) =>
        isObjectNotFound(error, resources.namespaces, namespace),
      );
      await assert.rejects(client.get(resources.leases, "nothing"), (error) =>
        isObjectNotFound(error, resources.leases, "nothing"),
      );
    },
  },
  {
    name: "lists what is not there as a list without items",
    async run({ client }) {
      const { items, resourceVersion } = await client.listAll(resources.leases, SELECTION);
      assert.equal(items.length, 0);
      assert.notEqual(resourceVersion, "");
    },
  },
  {
    name: "applies an object twice without a change, and keeps field managers apart",
    async run({ client }) {
      const mine = { fieldManager: "mine" };
      const first = await client.apply(resources.configmaps, configMap("a", "1"), mine);
      const second = await client.apply(resources.configmaps, configMap("a", "1"), mine);
      assert.equal(second.metadata?.resourceVersion, first.metadata?.resourceVersion);
      const other = { fieldManager: "other" };
      await assert.rejects(client.apply(resources.configmaps, configMap("a", "2"), other), isConflict);
      const forced = await client.apply(resources.configmaps, configMap("a", "2"), { ...other, force: true });
      assert.equal(forced.data?.["value"], "2");
    },
  },
  {
    name: "deletes only the object that the preconditions mean",
    async run({ client }) {
      const [created] = await create(client, "a");
      const preconditions = { uid: "00000000-0000-0000-0000-000000000000" };
      await assert.rejects(client.delete(resources.configmaps, "a", { preconditions }), isConflict);
      await client.delete(resources.configmaps, "a", { preconditions: { uid: created?.metadata?.uid } });
    },
  },
  {
    name: "deletes the selected objects of a collection and no others",
    async run({ client }) {
      await create(client, "a", "b");
      await client.create(resources.configmaps, configMap("c", "1", "no"));
      await client.deleteCollection(resources.configmaps, SELECTION);
      assert.equal((await client.listAll(resources.configmaps, SELECTION)).items.length, 0);
      assert.equal((await client.get(resources.configmaps, "c")).metadata?.name, "c");
    },
  },
];
