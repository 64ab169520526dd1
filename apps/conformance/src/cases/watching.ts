import { at, type CaseContext } from "@kindling/test-kit/case-context";
import type { EventStream, WatchEvent } from "@kindling/test-kit/event-stream";
import { expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal } from "@kindling/test-kit/refusal";
import { openWebSocket } from "@kindling/test-kit/web-socket-watch";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap, idlePod } from "./objects.ts";

function brief(event: WatchEvent | undefined): string {
  return event === undefined ? "end" : `${event.type} ${String(at(event.object, "metadata.name"))}`;
}

async function next(stream: EventStream, count: number): Promise<string[]> {
  const events: string[] = [];
  for (let index = 0; index < count; index += 1) events.push(brief(await stream.nextChange()));
  return events;
}

async function version(t: CaseContext): Promise<string> {
  return String(at((await t.client.get(t.path("secrets"))).body, "metadata.resourceVersion"));
}

async function secret(t: CaseContext, name: string, labels: object = {}): Promise<void> {
  await t.create(t.path("secrets"), { metadata: { name, labels } });
}

export const watchCases: readonly ConformanceCase[] = inNamespace("watch", {
  "begins with what is there": async (t) => {
    await secret(t, "a");
    await secret(t, "b");
    const stream = await t.watch(`${t.path("secrets")}?watch=true`);
    expectMatch((await next(stream, 2)).sort(), ["ADDED a", "ADDED b"]);
  },
  "tells of all changes in order": async (t) => {
    const stream = await t.watch(`${t.path("secrets")}?watch=1&resourceVersion=${await version(t)}`);
    await secret(t, "a");
    await t.client.patch(t.path("secrets", "a"), "merge", { metadata: { labels: { x: "y" } } });
    await t.client.delete(t.path("secrets", "a"));
    expectMatch(await next(stream, 3), ["ADDED a", "MODIFIED a", "DELETED a"]);
  },
  "goes on from any version": async (t) => {
    await secret(t, "a");
    const then = await version(t);
    await secret(t, "b");
    await t.client.delete(t.path("secrets", "a"));
    const stream = await t.watch(`${t.path("secrets")}?watch=true&resourceVersion=${then}`);
    expectMatch(await next(stream, 2), ["ADDED b", "DELETED a"]);
  },
  "is silent until the version of the future that it begins with": async (t) => {
    const query = "watch=true&allowWatchBookmarks=true&resourceVersion=999999999999&timeoutSeconds=3";
    const stream = await t.watch(`${t.path("secrets")}?${query}`);
    await secret(t, "a");
    expectMatch(await stream.rest(), []);
  },
  "does not know what will be there in the future": async (t) => {
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999999999";
    const stream = await t.watch(`${t.path("secrets")}?${query}&allowWatchBookmarks=true`);
    expectMatch(await stream.next(), {
      type: "ERROR",
      object: {
        kind: "Status",
        code: 504,
        reason: "Timeout",
        message: /^Timeout: Too large resource version: 9+, current/,
      },
    });
  },
  "gives the last state of what was deleted, with the version of its deletion": async (t) => {
    await secret(t, "a", { x: "y" });
    const stream = await t.watch(`${t.path("secrets")}?watch=true&resourceVersion=${await version(t)}`);
    const before = await t.client.get(t.path("secrets", "a"));
    await t.client.delete(t.path("secrets", "a"));
    const event = await stream.nextChange();
    expectMatch(event?.object, { kind: "Secret", apiVersion: "v1", metadata: { labels: { x: "y" } } });
    const later =
      Number(at(event?.object, "metadata.resourceVersion")) > Number(at(before.body, "metadata.resourceVersion"));
    expectMatch(later, true, "whether the version has grown");
  },
  "follows one object by its name": async (t) => {
    await secret(t, "a");
    await secret(t, "b");
    const stream = await t.watch(`${t.path("secrets")}?watch=true&fieldSelector=metadata.name%3Db`);
    await t.client.delete(t.path("secrets", "a"));
    await t.client.delete(t.path("secrets", "b"));
    expectMatch(await next(stream, 2), ["ADDED b", "DELETED b"]);
  },
  "lets objects come and go with their labels": async (t) => {
    const from = await version(t);
    const stream = await t.watch(`${t.path("secrets")}?watch=true&labelSelector=in%3Dyes&resourceVersion=${from}`);
    const label = async (value: string | null): Promise<unknown> =>
      await t.client.patch(t.path("secrets", "a"), "merge", { metadata: { labels: { in: value } } });
    await secret(t, "a");
    await label("yes");
    await label("no");
    await label("yes");
    await t.client.patch(t.path("secrets", "a"), "merge", { metadata: { labels: { other: "x" } } });
    expectMatch(await next(stream, 4), ["ADDED a", "DELETED a", "ADDED a", "MODIFIED a"]);
  },
  "ends when its time is over": async (t) => {
    await secret(t, "a");
    const stream = await t.watch(`${t.path("secrets")}?watch=true&timeoutSeconds=1`);
    expectMatch((await stream.rest()).map(brief), ["ADDED a"]);
  },
  "bookmarks the end of what was there": async (t) => {
    await secret(t, "a");
    const query = "watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    const stream = await t.watch(`${t.path("secrets")}?${query}`);
    expectMatch(brief(await stream.next()), "ADDED a");
    expectMatch(await stream.next(), {
      type: "BOOKMARK",
      object: {
        kind: "Secret",
        apiVersion: "v1",
        metadata: { resourceVersion: /^\d+$/, annotations: { "k8s.io/initial-events-end": "true" } },
      },
    });
    await secret(t, "b");
    expectMatch(await next(stream, 1), ["ADDED b"]);
  },
  "gives tables if asked to": async (t) => {
    await secret(t, "a");
    const answer = await t.client.get(`${t.path("secrets")}?watch=true&timeoutSeconds=1`, {
      headers: { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    });
    const event = JSON.parse(answer.text.split("\n")[0] ?? "") as unknown;
    expectMatch(event, {
      type: "ADDED",
      object: { kind: "Table", columnDefinitions: [{}, {}, {}, {}], rows: [{ cells: ["a", "Opaque", 0, /s$/] }] },
    });
  },
  "refuses selectors that it cannot read": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods")}?watch=true&labelSelector=a+in`), { code: 400 });
  },
  "tells every watcher the same": async (t) => {
    const from = await version(t);
    const path = `${t.path("secrets")}?watch=true&resourceVersion=${from}`;
    const streams = await Promise.all(Array.from({ length: 5 }, async () => await t.watch(path)));
    for (const name of ["a", "b", "c"]) await secret(t, name);
    for (const stream of streams) expectMatch(await next(stream, 3), ["ADDED a", "ADDED b", "ADDED c"]);
  },
  "tells of many changes without losing one": async (t) => {
    const from = await version(t);
    const stream = await t.watch(`${t.path("configmaps")}?watch=true&resourceVersion=${from}`);
    const names = Array.from({ length: 60 }, (_, index) => `many-${String(index).padStart(2, "0")}`);
    await Promise.all(names.map(async (name) => await t.create(t.path("configmaps"), configMap(name))));
    expectMatch(
      (await next(stream, names.length)).sort(),
      names.map((name) => `ADDED ${name}`),
    );
  },
});

export const webSocketCases: readonly ConformanceCase[] = inNamespace("watch over a WebSocket", {
  "gives one event a frame": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const upgrade = await openWebSocket(t.client, `${t.path("pods")}?watch=true&timeoutSeconds=10`);
    if (upgrade.kind === "refused") throw new Error(`the upgrade was refused with ${upgrade.status}`);
    t.onEnd(() => upgrade.events.close());
    expectMatch(upgrade.accepted, true);
    expectMatch(await next(upgrade.events, 1), ["ADDED one"]);
    await t.client.delete(t.path("pods", "one"));
    expectMatch(await next(upgrade.events, 2), ["MODIFIED one", "DELETED one"]);
  },
  "ends in good order when its time is over": async (t) => {
    const upgrade = await openWebSocket(t.client, `${t.path("pods")}?watch=true&timeoutSeconds=1`);
    if (upgrade.kind === "refused") throw new Error(`the upgrade was refused with ${upgrade.status}`);
    expectMatch((await upgrade.events.rest()).length, 0);
  },
  "carries events that are longer than a short frame": async (t) => {
    const upgrade = await openWebSocket(t.client, `${t.path("configmaps")}?watch=true&timeoutSeconds=10`);
    if (upgrade.kind === "refused") throw new Error(`the upgrade was refused with ${upgrade.status}`);
    t.onEnd(() => upgrade.events.close());
    await t.create(t.path("configmaps"), configMap("long", { text: "ü".repeat(50_000) }));
    const found = await next(upgrade.events, 2);
    expectMatch(found.includes("ADDED long"), true, found.join(", "));
  },
  "is refused to a client that names no origin": async (t) => {
    const upgrade = await openWebSocket(t.client, `${t.path("pods")}?watch=true`, null);
    expectMatch(upgrade, { kind: "refused", status: 403 });
  },
  "is refused where there is nothing to watch": async (t) => {
    const upgrade = await openWebSocket(t.client, "/api/v1/things?watch=true");
    expectMatch(upgrade, { kind: "refused", status: 404 });
  },
});
