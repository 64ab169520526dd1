import { ManualClock } from "@kindling/outside";
import { ApiClient } from "@kindling/test-kit/api-client";
import { testAuthority } from "@kindling/test-kit/certificates";
import { eventually } from "@kindling/test-kit/eventually";
import { openWatch } from "@kindling/test-kit/event-stream";
import { dial } from "@kindling/test-kit/hostile-socket";
import { openWebSocket } from "@kindling/test-kit/web-socket-watch";
import { expect, onTestFinished, test } from "vitest";
import { type Api, ApiError, ApiServer, createApi, createObject, defineResource } from "../src/index.ts";
import { served } from "./served.ts";

const PODS = "/api/v1/namespaces/jobs/pods";
const pods = defineResource({ kind: "Pod" });

test("who makes a request may be found out later", async () => {
  const as = await served({
    api: createApi({ resources: [pods] }),
    authenticate: async ({ request }) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (request.headers.authorization === undefined) throw new ApiError(401, "Unauthorized", "who are you?");
      return { name: "ann", groups: [] };
    },
    authorize: ({ name }) => expect(name).toBe("ann"),
  });
  expect((await as("a").get(PODS)).status).toBe(200);
  expect((await as().get(PODS)).body).toMatchObject({ code: 401, message: "who are you?" });
});

test("a store that begins with a higher revision lets watches of its former life go on", async () => {
  const first = await served({ api: createApi({ resources: [pods], firstRevision: 1_000 }) });
  await first().post(PODS, { metadata: { name: "a" } });
  const { metadata } = (await first().get(PODS)).body as { readonly metadata?: { readonly resourceVersion: string } };
  expect(metadata?.resourceVersion).toBe("1001");
  const second = await served({ api: createApi({ resources: [pods], firstRevision: 2_000 }) });
  await second().post(PODS, { metadata: { name: "b" } });
  const stream = await openWatch(second(), `${PODS}?watch=true&resourceVersion=1001`);
  onTestFinished(() => stream.close());
  const event = await stream.next();
  expect(event).toMatchObject({ type: "ADDED", object: { metadata: { name: "b", resourceVersion: "2001" } } });
});

test("watches are counted, and one too many is refused before it begins", async () => {
  let open = 0;
  const as = await served({
    api: createApi({ resources: [pods] }),
    watching: () => {
      if (open === 2) throw new ApiError(429, "TooManyRequests", "two are enough");
      open += 1;
      return () => void (open -= 1);
    },
  });
  const stream = await openWatch(as(), `${PODS}?watch=true`);
  const socket = await openWebSocket(as(), `${PODS}?watch=true`);
  expect((await as().get(`${PODS}?watch=true`)).status).toBe(429);
  expect(await openWebSocket(as(), `${PODS}?watch=true`)).toEqual({ kind: "refused", status: 429 });
  stream.close();
  await eventually(() => expect(open).toBe(1));
  if (socket.kind === "open") socket.events.close();
  await eventually(() => expect(open).toBe(0));
});

test("a watch whose client takes nothing is cut off after a minute", async () => {
  const clock = new ManualClock();
  let open = 0;
  const as = await served({
    api: createApi({ resources: [pods], clock }),
    watching: () => {
      open += 1;
      return () => void (open -= 1);
    },
  });
  const [reader, sleeper] = [as(), as()];
  // Far more than sockets hold.
  const large = { metadata: { name: "large" }, spec: "x".repeat(2 * 1024 * 1024) };
  const stream = await openWatch(reader, `${PODS}?watch=true&timeoutSeconds=3600`);
  const response = await sleeper.open("GET", `${PODS}?watch=true&timeoutSeconds=3600`);
  response.on("error", () => undefined);
  onTestFinished(() => stream.close());
  for (let index = 0; index < 8; index += 1) {
    await reader.post(PODS, { ...large, metadata: { name: `large-${index}` } });
    await stream.next();
  }
  await clock.advance(59_000);
  expect(open).toBe(2);
  await clock.advance(2_000);
  await eventually(() => expect(open).toBe(1));
  await reader.post(PODS, { metadata: { name: "last" } });
  expect(await stream.nextChange()).toMatchObject({ object: { metadata: { name: "last" } } });
});

test("a certificate is renewed for the connections that come", async () => {
  const authority = testAuthority("authority");
  const [old, renewed] = [authority.issue("old"), authority.issue("renewed")];
  const server = new ApiServer({ api: createApi({ resources: [pods] }) });
  const port = await server.listen({ tls: { certificate: old.cert, key: old.key } });
  onTestFinished(() => server.close());
  const subject = async (): Promise<string> => {
    const client = new ApiClient({ url: new URL(`https://127.0.0.1:${port}`), authority: authority.cert });
    const response = await client.open("GET", "/version");
    const { socket } = response as unknown as {
      readonly socket: { getPeerCertificate(): { subject: { CN: string } } };
    };
    const { CN } = socket.getPeerCertificate().subject;
    response.resume();
    client.close();
    return CN;
  };
  expect(await subject()).toBe("old");
  server.renewCertificate({ certificate: renewed.cert, key: renewed.key });
  expect(await subject()).toBe("renewed");
  expect(() => server.renewCertificate({ certificate: "none", key: "none" })).toThrow(/PEM|no start line/i);
  expect(await subject()).toBe("renewed");
});

test("whoever embeds the server sees its connections and requests first, and a stranger's silence ends", async () => {
  const server = new ApiServer({ api: createApi({ resources: [pods] }) });
  const seen: string[] = [];
  const port = await server.listen({
    headersTimeoutMs: 500,
    attach(own, { request, upgrade }) {
      own.on("request", (asked, response) => {
        seen.push(asked.url ?? "");
        request(asked, response);
      });
      own.on("upgrade", (asked, socket, head) => {
        seen.push("upgrade");
        upgrade(asked, socket, head);
      });
    },
  });
  onTestFinished(() => server.close());
  const client = new ApiClient({ url: new URL(`http://127.0.0.1:${port}`) });
  onTestFinished(() => client.close());
  expect((await client.get(PODS)).status).toBe(200);
  expect((await openWebSocket(client, `${PODS}?watch=true`)).kind).toBe("open");
  expect(seen).toEqual([PODS, "upgrade"]);
  await dial(`http://127.0.0.1:${port}`).text;
});

test("documents are served to those who ask for their media type", async () => {
  const json = { keys: [] };
  const documents = new Map([["/openid/v1/jwks", { mediaType: "application/jwk-set+json", json }]]);
  const client = (await served({ api: createApi({ resources: [pods] }), documents }))();
  const ask = async (accept: string): Promise<unknown> => {
    const { status, text } = await client.get("/openid/v1/jwks", { headers: { Accept: accept } });
    return status === 200 ? JSON.parse(text) : status;
  };
  expect(await ask("application/jwk-set+json, application/json")).toEqual(json);
  expect(await ask("*/*")).toEqual(json);
  expect(await ask("application/json")).toBe(406);
});

function makePods(api: Api, names: readonly string[]): void {
  const context = { user: { name: "ann", groups: [] }, manager: "test", dryRun: false, subresource: "" };
  for (const name of names) {
    const metadata = { name, namespace: "jobs", uid: "", resourceVersion: "", creationTimestamp: "" };
    const object = { apiVersion: "v1", kind: "Pod", metadata };
    createObject(api, pods, "jobs", { object, managed: [] }, context);
  }
}

test("a watch that keeps up loses nothing, however many changes come at once and however short the history is", async () => {
  const api = createApi({ resources: [pods], history: { events: 4 } });
  const as = await served({ api });
  const stream = await openWatch(as(), `${PODS}?watch=true`);
  onTestFinished(() => stream.close());
  const names = Array.from({ length: 20 }, (_, index) => `pod-${index}`);
  makePods(api, names);
  for (const name of names) {
    expect(await stream.next()).toMatchObject({ type: "ADDED", object: { metadata: { name } } });
  }
});

test("history that is aged goes the second time, and only what was there the first time", async () => {
  const api = createApi({ resources: [pods] });
  const as = await served({ api });
  makePods(api, ["a"]);
  expect(api.store.age()).toBe(true);
  makePods(api, ["b", "c"]);
  expect(api.store.age()).toBe(true);
  const from = async (version: number): Promise<unknown> => {
    const stream = await openWatch(as(), `${PODS}?watch=true&resourceVersion=${version}`);
    onTestFinished(() => stream.close());
    return await stream.next();
  };
  const { revision } = api.store;
  expect(await from(revision - 2)).toMatchObject({ type: "ADDED", object: { metadata: { name: "b" } } });
  expect(await from(revision - 3)).toMatchObject({ type: "ERROR", object: { code: 410 } });
  expect(api.store.age()).toBe(false);
  expect(await from(revision - 2)).toMatchObject({ type: "ERROR", object: { code: 410 } });
});
