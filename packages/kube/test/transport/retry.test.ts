import { describe, expect, test } from "vitest";
import { systemClock } from "@kindling/outside";
import { resources } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { inTurn, startStub, type Answer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" } };
const succeed: Answer = asAsked;
const answer =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    sendStatus(response, status, "", headers);
const reset: Answer = (_request, response) => response.socket?.resetAndDestroy();

describe("a read", () => {
  test.each([429, 500, 502, 503, 504])("is repeated after %i", async (status) => {
    const stub = await startStub(inTurn(answer(status), answer(status), succeed));
    const found = await testClient(stub.url).get(resources.pods, "p");
    expect(found.metadata?.name).toBe("p");
    expect(stub.requests).toHaveLength(3);
  });

  test("is repeated after a broken connection", async () => {
    const stub = await startStub(inTurn(reset, succeed));
    await testClient(stub.url).get(resources.pods, "p");
    expect(stub.requests).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 410, 422])("is not repeated after %i", async (status) => {
    const stub = await startStub(answer(status));
    const error = await caught(testClient(stub.url).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "status", status, attempts: 1, mayHaveHappened: false });
    expect(stub.requests).toHaveLength(1);
  });

  test("ends with the last fault and the number of attempts", async () => {
    const stub = await startStub(answer(500));
    const error = await caught(testClient(stub.url, { retry: { limit: 2 } }).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "status", status: 500, attempts: 3 });
    expect(error.message).toBe("GET /api/v1/namespaces/default/pods/p: 500: as ordered: 500");
  });

  test("waits as long as the server advises", async () => {
    const stub = await startStub(inTurn(answer(429, { "retry-after": "1" }), succeed));
    const client = testClient(stub.url, { clock: systemClock, random: () => 0 });
    const start = performance.now();
    await client.get(resources.pods, "p");
    expect(performance.now() - start).toBeGreaterThan(990);
  });

  test("does not wait when the server advises minutes", async () => {
    const stub = await startStub(answer(503, { "retry-after": "600" }));
    const error = await caught(testClient(stub.url).get(resources.pods, "p"));
    expect(error).toMatchObject({ attempts: 1, retryAfterSeconds: 600 });
  });
});

describe("a create", () => {
  test.each([429, 503])("is repeated after %i, which says that nothing was done", async (status) => {
    const stub = await startStub(inTurn(answer(status), succeed));
    await testClient(stub.url).create(resources.pods, pod);
    expect(stub.requests.map((request) => request.body)).toEqual([JSON.stringify(pod), JSON.stringify(pod)]);
  });

  test.each([500, 502, 504])("is not repeated after %i, and says that it may have happened", async (status) => {
    const stub = await startStub(answer(status));
    const error = await caught(testClient(stub.url).create(resources.pods, pod));
    expect(error).toMatchObject({ kind: "status", status, attempts: 1, mayHaveHappened: true });
  });

  test("is not repeated after a connection that broke once it was sent, and says that it may have happened", async () => {
    const stub = await startStub(reset);
    const error = await caught(testClient(stub.url).create(resources.pods, pod));
    expect(error).toMatchObject({ kind: "unreachable", code: "ECONNRESET", attempts: 1, mayHaveHappened: true });
    expect(stub.requests).toHaveLength(1);
  });

  test("is repeated when there was no connection, and says that it has not happened", async () => {
    const stub = await startStub(succeed);
    await stub.close();
    const error = await caught(testClient(stub.url).create(resources.pods, pod));
    expect(error).toMatchObject({ kind: "unreachable", code: "ECONNREFUSED", attempts: 5, mayHaveHappened: false });
    expect(error.message).toBe(`POST /api/v1/namespaces/default/pods: cannot reach ${stub.url}: connection refused`);
  });

  test("tells of an earlier attempt when a name turns out to be taken", async () => {
    const stub = await startStub(
      inTurn(answer(503), (_request, response) => sendStatus(response, 409, "AlreadyExists")),
    );
    const error = await caught(testClient(stub.url).create(resources.pods, pod));
    expect(error).toMatchObject({ status: 409, reason: "AlreadyExists", attempts: 2, mayHaveHappened: true });
  });

  test("does not blame itself when the name was taken from the start", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 409, "AlreadyExists"));
    const error = await caught(testClient(stub.url).create(resources.pods, pod));
    expect(error).toMatchObject({ status: 409, attempts: 1, mayHaveHappened: false });
  });
});

test.each(["apply", "replace", "merge patch", "delete"])("%s is repeated after a broken connection", async (call) => {
  const stub = await startStub(inTurn(reset, succeed));
  const client = testClient(stub.url);
  if (call === "apply") await client.apply(resources.pods, pod, { fieldManager: "test" });
  if (call === "replace") await client.replace(resources.pods, pod);
  if (call === "merge patch") await client.patch(resources.pods, "p", "merge", {});
  if (call === "delete") await client.delete(resources.pods, "p");
  expect(stub.requests).toHaveLength(2);
});

test("a JSON patch, which may not be safe to repeat, is not repeated after a broken connection", async () => {
  const stub = await startStub(reset);
  const error = await caught(testClient(stub.url).patch(resources.pods, "p", "json", []));
  expect(error).toMatchObject({ kind: "unreachable", mayHaveHappened: true, attempts: 1 });
});

test("a host that does not exist is not tried again", async () => {
  const error = await caught(testClient("http://no-such-host.invalid:1").get(resources.pods, "p"));
  expect(error).toMatchObject({
    kind: "unreachable",
    attempts: error.kind === "unreachable" && error.code === "ENOTFOUND" ? 1 : 5,
  });
});
