import { describe, expect, test } from "vitest";
import { resources, type KubeClient } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { sendJson, startStub, type Answer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";
import { MALFORMED_OBJECTS, POD } from "./malformed-answers.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default" } };
const MIB = 1024 * 1024;

const writes: readonly (readonly [what: string, write: (client: KubeClient) => Promise<unknown>])[] = [
  ["a create", (client) => client.create(resources.pods, pod)],
  ["an apply", (client) => client.apply(resources.pods, pod, { fieldManager: "test" })],
  ["a replace", (client) => client.replace(resources.pods, pod)],
  ["a patch", (client) => client.patch(resources.pods, "p", "merge", {})],
  ["a JSON patch", (client) => client.patch(resources.pods, "p", "json", [])],
];

const unreadable: readonly (readonly [what: string, answer: Answer])[] = [
  ["breaks off", (_request, response) => response.write('{"kind":', () => response.socket?.resetAndDestroy())],
  [
    "is shorter than it says",
    (_request, response) => {
      response.writeHead(201, { "content-length": 1_000 });
      response.write('{"kind":"Pod"}', () => response.socket?.end());
    },
  ],
  ["is too long", (_request, response) => response.end(`{"kind":"${"x".repeat(17 * MIB)}"}`)],
  ["is no HTTP", (_request, response) => response.socket?.end("HTTP/1.1 201 Created\r\nno header\r\n\r\n")],
  ["is a page", (_request, response) => response.end("<html>Please sign in</html>")],
  ["is empty", (_request, response) => response.writeHead(204).end()],
];

describe.each(writes)("%s that is answered with success", (_what, write) => {
  test.each(MALFORMED_OBJECTS.map((text) => [text.slice(0, 120), text]))(
    "may have happened: %s",
    async (_shown, text) => {
      const stub = await startStub((_request, response) => response.writeHead(201).end(text));
      const error = await caught(write(testClient(stub.url)));
      expect(error).toMatchObject({ kind: "protocol", mayHaveHappened: true });
      expect(error.hint).toContain("check that the server's URL is that of a Kubernetes API server");
      expect(stub.requests).toHaveLength(1);
    },
  );

  test.each(unreadable)("may have happened when the answer %s", async (_how, answer) => {
    const stub = await startStub(answer);
    expect(await caught(write(testClient(stub.url, { retry: { limit: 0 } })))).toMatchObject({ mayHaveHappened: true });
  });
});

describe("a delete that is answered with success", () => {
  const answers = [
    "",
    "<html>",
    "null",
    "{}",
    "[]",
    JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: 500 }),
    JSON.stringify({ ...POD, metadata: { ...POD.metadata, name: "q" } }),
    JSON.stringify({ kind: "Node", apiVersion: "v1", metadata: { name: "p" } }),
  ];

  test.each(answers)("may have happened: %s", async (text) => {
    const stub = await startStub((_request, response) => response.end(text));
    const client = testClient(stub.url);
    const failure = { kind: "protocol", mayHaveHappened: true };
    expect(await caught(client.delete(resources.pods, "p"))).toMatchObject(failure);
    expect(await caught(client.deleteCollection(resources.pods))).toMatchObject(failure);
  });

  test.each([
    ["a Status", { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details: { name: "p" } }],
    ["the object as it goes", { ...POD, metadata: { ...POD.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }],
  ])("has happened: %s", async (_what, answer) => {
    const stub = await startStub((_request, response) => sendJson(response, answer));
    await expect(testClient(stub.url).delete(resources.pods, "p")).resolves.toBeUndefined();
  });
});

test("an answer that cannot be read and follows one that may have done it says so after another fault, too", async () => {
  let asked = 0;
  const stub = await startStub((_request, response) => {
    if (asked++ === 0) sendStatus(response, 500);
    else sendStatus(response, 403, "Forbidden");
  });
  const error = await caught(testClient(stub.url).patch(resources.pods, "p", "merge", {}));
  expect(error).toMatchObject({ kind: "status", status: 403, mayHaveHappened: true });
});

describe("what is not stored under its own name", () => {
  test.each([
    [
      "a review",
      { kind: "SelfSubjectAccessReview", apiVersion: "authorization.k8s.io/v1", metadata: { creationTimestamp: null } },
    ],
    ["a review without metadata", { kind: "SelfSubjectAccessReview", apiVersion: "authorization.k8s.io/v1" }],
  ])("need not have one: %s", async (_what, answer) => {
    const stub = await startStub((_request, response) => sendJson(response, answer, 201));
    const review = await testClient(stub.url).create(resources.selfsubjectaccessreviews, {});
    expect(review.kind).toBe("SelfSubjectAccessReview");
  });

  test("may be answered with a Status: an eviction", async () => {
    const answer = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
    const stub = await startStub((_request, response) => sendJson(response, answer, 201));
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
    const done = await testClient(stub.url).create(resources.pods, eviction, { subresource: "eviction" });
    expect(done.kind).toBe("Status");
  });

  test.each(["null", "{}", '{"kind":"TokenReview"}', '{"kind":"SelfSubjectAccessReview","apiVersion":"v1"}'])(
    "is refused all the same where it is something else: %s",
    async (text) => {
      const stub = await startStub((_request, response) => response.end(text));
      const creating = testClient(stub.url).create(resources.selfsubjectaccessreviews, {});
      expect(await caught(creating)).toMatchObject({ kind: "protocol", mayHaveHappened: true });
    },
  );
});

test("a server that names the object itself is asked for no name", async () => {
  const stub = await startStub((_request, response) => sendJson(response, POD, 201));
  const created = await testClient(stub.url).create(resources.pods, { metadata: { generateName: "p" } });
  expect(created.metadata?.name).toBe("p");
});
