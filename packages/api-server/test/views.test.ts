import { ManualClock } from "@kindling/outside";
import { eventually } from "@kindling/test-kit/eventually";
import { namesOf } from "@kindling/test-kit/case-context";
import { openWatch } from "@kindling/test-kit/event-stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Api, createApi, createObject, defineResource, respondJson, type ServiceOptions } from "../src/index.ts";
import { served } from "./served.ts";

const PODS = "/api/v1/namespaces/jobs/pods";
const APP = "spark-app-selector";
const pods = defineResource({ kind: "Pod", status: true });

/** Each driver sees the pods of its own application, by its token. */
function ofDrivers(api: Api): ServiceOptions {
  return {
    api,
    authenticate: ({ request }) => ({ name: (request.headers.authorization ?? "").replace("Bearer ", ""), groups: [] }),
    viewFor: ({ user }) => ({ ...api, sees: (_type, object) => object.metadata.labels?.[APP] === user.name }),
  };
}

function executor(name: string, app: string): object {
  return { metadata: { name, labels: { [APP]: app } }, spec: { containers: [] } };
}

describe("one view of the store for each driver", () => {
  test("a driver lists, reads, changes and deletes its own pods alone", async () => {
    const as = await served(ofDrivers(createApi({ resources: [pods] })));
    const [one, two] = [as("app-1"), as("app-2")];
    expect((await one.post(PODS, executor("a", "app-1"))).status).toBe(201);
    expect((await two.post(PODS, executor("b", "app-2"))).status).toBe(201);
    expect(namesOf(await one.get(PODS))).toEqual(["a"]);
    expect(namesOf(await two.get(PODS))).toEqual(["b"]);
    expect((await one.get(`${PODS}/b`)).status).toBe(404);
    expect((await one.patch(`${PODS}/b`, "merge", { metadata: { labels: { x: "y" } } })).status).toBe(404);
    expect((await one.delete(`${PODS}/b`)).status).toBe(404);
    expect(namesOf(await one.delete(PODS))).toEqual(["a"]);
    expect(namesOf(await two.get(PODS))).toEqual(["b"]);
  });

  test("a driver's watch tells of its own pods alone", async () => {
    const api = createApi({ resources: [pods] });
    const as = await served(ofDrivers(api));
    const stream = await openWatch(as("app-1"), `${PODS}?watch=true`);
    onTestFinished(() => stream.close());
    await as("app-2").post(PODS, executor("b", "app-2"));
    await as("app-1").post(PODS, executor("a", "app-1"));
    expect(await stream.next()).toMatchObject({ type: "ADDED", object: { metadata: { name: "a" } } });
  });

  test("a name that another driver's pod has is taken", async () => {
    const as = await served(ofDrivers(createApi({ resources: [pods] })));
    await as("app-1").post(PODS, executor("a", "app-1"));
    expect((await as("app-2").post(PODS, executor("a", "app-2"))).status).toBe(409);
  });
});

test("requests can be answered by somebody else, when they are allowed", async () => {
  const api = createApi({ resources: [pods, defineResource({ kind: "ConfigMap" })] });
  const forwarded: string[] = [];
  const as = await served({
    ...ofDrivers(api),
    allowed: (exchange, target, verb) => {
      if (target.kind !== "resource" || target.plural !== "configmaps") return Promise.resolve(false);
      forwarded.push(`${exchange.user.name} ${verb}`);
      respondJson(exchange, 200, { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items: [] });
      return Promise.resolve(true);
    },
  });
  expect((await as("app-1").get("/api/v1/namespaces/jobs/configmaps")).body["kind"]).toBe("ConfigMapList");
  expect((await as("app-1").get(PODS)).body["kind"]).toBe("PodList");
  expect(forwarded).toEqual(["app-1 list"]);
});

test("writes without HTTP reach those who watch", async () => {
  const clock = new ManualClock();
  const api = createApi({ resources: [pods], clock });
  const as = await served({ api });
  const stream = await openWatch(as(), `${PODS}?watch=true`);
  onTestFinished(() => stream.close());
  const object = pods.decode({ metadata: { name: "virtual" }, status: { phase: "Pending" } }, { defaults: true });
  const context = { user: { name: "gateway", groups: [] }, manager: "gateway", dryRun: false, subresource: "" };
  createObject(api, pods, "jobs", { object }, context);
  const event = await eventually(async () => await stream.next());
  expect(event).toMatchObject({
    type: "ADDED",
    object: { metadata: { name: "virtual", creationTimestamp: "2026-01-01T00:00:00Z" }, status: { phase: "Pending" } },
  });
});
