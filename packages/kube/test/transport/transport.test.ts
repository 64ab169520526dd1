import { describe, expect, test } from "vitest";
import { createServer, type AddressInfo } from "node:net";
import { ManualClock, systemClock, type Clock } from "@kindling/outside";
import { createKubeClient, resources } from "../../src/index.ts";
import { eventually } from "../../src/conformance/eventually.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { plainAccess } from "../fixtures/plain-access.ts";
import { sendJson, startStub, type Answer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

const succeed: Answer = asAsked;
const neverAnswer: Answer = () => undefined;

describe("connections", () => {
  test("are kept and used again", async () => {
    const stub = await startStub(succeed);
    const client = testClient(stub.url);
    for (let count = 0; count < 5; count++) await client.get(resources.pods, "p");
    expect(stub.connections).toBe(1);
  });

  test("are used again for a watch, and after an error", async () => {
    const stub = await startStub((request, response) => {
      if (request.url.includes("watch=true")) response.end();
      else sendStatus(response, 404);
    });
    const client = testClient(stub.url);
    await caught(client.get(resources.pods, "p"));
    for await (const event of client.watch(resources.pods)) throw new Error(`unexpected ${event.type}`);
    expect(stub.connections).toBe(1);
  });

  test("do not keep a process alive", async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
    const before = sockets();
    const stub = await startStub(succeed);
    const client = createKubeClient(plainAccess(stub.url));
    await client.get(resources.pods, "p");
    // One more is the stub's end. The client still has its own.
    await eventually("the client's socket no longer counts", () => sockets() <= before + 1);
    await client.get(resources.pods, "p");
    expect(stub.connections).toBe(1);
    client.close();
  });
});

test("no more requests than allowed are under way at once, and all are answered", async () => {
  let now = 0;
  let most = 0;
  const stub = await startStub((request, response) => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      asAsked(request, response);
    }, 5);
  });
  const client = testClient(stub.url, { maxInFlight: 3 });
  await Promise.all(Array.from({ length: 20 }, (_, index) => client.get(resources.pods, `p${index}`)));
  expect(most).toBe(3);
  expect(stub.requests).toHaveLength(20);
});

describe("time-outs", () => {
  test("an answer that does not come", async () => {
    const stub = await startStub(neverAnswer);
    const client = testClient(stub.url, { clock: systemClock, requestTimeoutMs: 50 });
    const error = await caught(client.create(resources.pods, { metadata: { name: "p" } }));
    expect(error).toMatchObject({ kind: "timeout", phase: "answer", milliseconds: 50, mayHaveHappened: true });
    expect(error.message).toBe(`POST /api/v1/namespaces/default/pods: no answer from ${stub.url} within 50 ms`);
  });

  test("an answer that stops half-way", async () => {
    const stub = await startStub((_request, response) => void response.write('{"metadata":'));
    const client = testClient(stub.url, { clock: systemClock });
    const error = await caught(client.get(resources.pods, "p", { timeoutMs: 50 }));
    expect(error).toMatchObject({ kind: "timeout", phase: "answer", mayHaveHappened: false });
  });

  test("a connection that is not made", async () => {
    // TLS to a server that accepts and stays silent: there is a socket, but no usable connection.
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const client = testClient(`https://127.0.0.1:${port}`, { clock: systemClock, connectTimeoutMs: 50 });
    const error = await caught(client.create(resources.pods, { metadata: { name: "p" } }));
    server.close();
    expect(error).toMatchObject({ kind: "timeout", phase: "connect", mayHaveHappened: false });
  });

  test("do not cut a watch, which is long by nature", async () => {
    const clock = new ManualClock();
    let end = (): void => undefined;
    const stub = await startStub((_request, response) => {
      response.flushHeaders();
      end = () => void response.end();
    });
    const client = testClient(stub.url, { clock, requestTimeoutMs: 50, connectTimeoutMs: 50 });
    const onOpen = (): void => void clock.advance(60_000).then(() => end());
    for await (const event of client.watch(resources.pods, { onOpen })) throw new Error(`unexpected ${event.type}`);
    expect(stub.requests).toHaveLength(1);
  });
});

describe("the caller's signal", () => {
  test("aborted beforehand: nothing is sent", async () => {
    const stub = await startStub(succeed);
    const error = await caught(testClient(stub.url).get(resources.pods, "p", { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ kind: "aborted", mayHaveHappened: false });
    expect(stub.requests).toHaveLength(0);
  });

  test("aborted under way: the request ends at once and says that it may have happened", async () => {
    const stub = await startStub(neverAnswer);
    const controller = new AbortController();
    const failing = caught(
      testClient(stub.url).create(resources.pods, { metadata: { name: "p" } }, { signal: controller.signal }),
    );
    await eventually("the request arrived", () => stub.requests.length === 1);
    controller.abort(new Error("enough"));
    const error = await failing;
    expect(error).toMatchObject({ kind: "aborted", mayHaveHappened: true });
    expect(error.cause).toEqual(new Error("enough"));
  });

  test("aborted between repetitions: there is no further one", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 503));
    const controller = new AbortController();
    const pauses: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after(milliseconds, callback) {
        pauses.push(milliseconds);
        return systemClock.after(milliseconds, callback);
      },
    };
    const client = testClient(stub.url, { clock, random: () => 1, retry: { baseMs: 60_000, capMs: 60_000 } });
    const failing = caught(client.get(resources.pods, "p", { signal: controller.signal }));
    await eventually("it waits for the next repetition", () => pauses.includes(60_000));
    controller.abort();
    expect(await failing).toMatchObject({ kind: "aborted" });
    expect(stub.requests).toHaveLength(1);
  });

  test("aborted while waiting for a place: the place stays free for others", async () => {
    const stub = await startStub(succeed);
    const client = testClient(stub.url, { maxInFlight: 1 });
    const controller = new AbortController();
    const first = client.get(resources.pods, "first");
    const second = caught(client.get(resources.pods, "second", { signal: controller.signal }));
    const third = client.get(resources.pods, "third");
    controller.abort();
    expect(await second).toMatchObject({ kind: "aborted" });
    await Promise.all([first, third]);
    expect(stub.requests.map((request) => request.url.split("/").at(-1))).toEqual(["first", "third"]);
  });
});

test("closing ends requests and watches that are under way, and refuses later ones", async () => {
  const stub = await startStub((request, response) => {
    if (request.url.includes("watch")) response.flushHeaders();
  });
  const client = testClient(stub.url);
  let isOpen = false;
  const reading = caught(client.get(resources.pods, "p"));
  const watching = caught(
    (async () => {
      const onOpen = (): void => void (isOpen = true);
      for await (const event of client.watch(resources.pods, { onOpen })) throw new Error(`unexpected ${event.type}`);
    })(),
  );
  await eventually("both are under way", () => stub.requests.length === 2 && isOpen);
  client.close();
  expect(await reading).toMatchObject({ kind: "aborted" });
  expect(await watching).toMatchObject({ kind: "aborted" });
  expect(await caught(client.get(resources.pods, "p"))).toMatchObject({ kind: "aborted" });
  expect(stub.requests).toHaveLength(2);
});

test("the server's path prefix and the user agent go with each request", async () => {
  const stub = await startStub(succeed);
  const client = testClient(`${stub.url}/k8s/clusters/c-1`, { userAgent: "kindling/1.2.3" });
  await client.get(resources.pods, "p");
  expect(stub.requests[0]).toMatchObject({
    url: "/k8s/clusters/c-1/api/v1/namespaces/default/pods/p",
    headers: { "user-agent": "kindling/1.2.3", accept: "application/json" },
  });
});

describe("what is not the Kubernetes protocol", () => {
  test("a web page with status 200", async () => {
    const stub = await startStub((_request, response) => response.end("<html>Please sign in</html>"));
    const error = await caught(testClient(stub.url).get(resources.pods, "p"));
    expect(error).toMatchObject({
      kind: "protocol",
      message: "GET /api/v1/namespaces/default/pods/p: the answer is not JSON",
    });
  });

  test("a proxy's error page", async () => {
    const stub = await startStub((_request, response) => {
      response.statusCode = 403;
      response.end("<html><title>Blocked</title>\n<p>by   policy</p></html>");
    });
    const error = await caught(testClient(stub.url).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "status", status: 403, reason: undefined, serverMessage: "Blocked by policy" });
  });

  test("something that does not speak HTTP", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("SSH-2.0-OpenSSH_9.2\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const error = await caught(testClient(`http://127.0.0.1:${port}`).get(resources.pods, "p"));
    server.close();
    expect(error.kind).toBe("protocol");
    expect(error.message).toContain("does not speak HTTP");
  });
});

test("field errors of an invalid object are told one by one", async () => {
  const stub = await startStub((_request, response) =>
    sendJson(
      response,
      {
        kind: "Status",
        code: 422,
        reason: "Invalid",
        message: 'Pod "p" is invalid:\n  spec.containers: Required value',
        details: { causes: [{ reason: "FieldValueRequired", message: "Required value", field: "spec.containers" }] },
      },
      422,
    ),
  );
  const error = await caught(testClient(stub.url).create(resources.pods, { metadata: { name: "p" } }));
  expect(error).toMatchObject({
    kind: "status",
    reason: "Invalid",
    causes: [{ field: "spec.containers", reason: "FieldValueRequired", message: "Required value" }],
  });
  expect(error.message).not.toContain("\n");
});

test("requests beyond a burst keep to a rate, and may be given up meanwhile", async () => {
  const stub = await startStub(asAsked);
  const clock = new ManualClock();
  const client = testClient(stub.url, { clock, rateLimit: { perSecond: 2, burst: 3 } });
  const controller = new AbortController();
  const asking = [1, 2, 3, 4].map(() => client.get(resources.pods, "p"));
  const givenUp = caught(client.get(resources.pods, "p", { signal: controller.signal }));
  await Promise.all(asking.slice(0, 3));
  expect(stub.requests).toHaveLength(3);
  controller.abort();
  expect(await givenUp).toMatchObject({ kind: "aborted" });
  await clock.advance(500);
  await asking[3];
  expect(stub.requests).toHaveLength(4);
});
