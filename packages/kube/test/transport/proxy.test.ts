import { parseProxy } from "@kindling/http";
import { describe, expect, test } from "vitest";
import { resources, type ClusterAccess } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { testAuthority } from "@kindling/test-kit/certificates";
import { plainAccess } from "../fixtures/plain-access.ts";
import { startHttpProxy, startSocksProxy } from "@kindling/test-kit/proxies";
import { startStub, type Answer } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

const authority = testAuthority("the cluster's authority");
const server = authority.issue("server");
const succeed: Answer = asAsked;

function through(proxy: string, url: string): ClusterAccess {
  return plainAccess(url, {
    proxy: parseProxy(proxy, "proxy-url of the test"),
    tls: { ca: authority.cert, servername: undefined, insecureSkipVerify: false },
  });
}

describe("an HTTP proxy", () => {
  test("carries TLS to the server, whose certificate is checked as ever", async () => {
    const [proxy, stub] = [await startHttpProxy(), await startStub(succeed, server)];
    const client = testClient(through(`http://127.0.0.1:${proxy.port}`, stub.url));
    await client.get(resources.pods, "p");
    await client.get(resources.pods, "p");
    expect(proxy.targets).toEqual([`127.0.0.1:${stub.port}`]);
    expect(stub.requests).toHaveLength(2);

    const stranger = await startStub(succeed, testAuthority("someone else").issue("server"));
    const error = await caught(
      testClient(through(`http://127.0.0.1:${proxy.port}`, stranger.url)).get(resources.pods, "p"),
    );
    expect(error).toMatchObject({ kind: "tls", reason: "unknown-ca" });
  });

  test("passes requests without TLS on, which name the whole URL", async () => {
    const [proxy, stub] = [await startHttpProxy(), await startStub(succeed)];
    await testClient(through(`http://127.0.0.1:${proxy.port}`, stub.url)).get(resources.pods, "p");
    expect(proxy.requests.map(({ url }) => url)).toEqual([`${stub.url}/api/v1/namespaces/default/pods/p`]);
    expect(proxy.targets).toEqual([]);
    expect(stub.requests).toHaveLength(1);
  });

  test("whose answer may be its own is told apart from one that does not want to pass a request on", async () => {
    const [proxy, stub] = [await startHttpProxy({ authorization: "Basic x" }), await startStub(succeed)];
    const client = testClient(through(`http://ann:secret@127.0.0.1:${proxy.port}`, stub.url));
    const error = await caught(client.get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "unreachable", code: "PROXY_REFUSED", attempts: 1 });
    expect(error.message).toContain(
      `cannot reach the proxy http://127.0.0.1:${proxy.port} (proxy-url of the test): ` +
        "it answered 407 Proxy Authentication Required to GET",
    );
    expect(stub.requests).toEqual([]);
  });

  test("is given its user and password", async () => {
    const authorization = `Basic ${Buffer.from("ann:p@ss").toString("base64")}`;
    const [proxy, stub] = [await startHttpProxy({ authorization }), await startStub(succeed, server)];
    await testClient(through(`http://ann:p%40ss@127.0.0.1:${proxy.port}`, stub.url)).get(resources.pods, "p");
    expect(stub.requests).toHaveLength(1);
  });

  test("that refuses is named, without its password", async () => {
    const [proxy, stub] = [await startHttpProxy(), await startStub(succeed, server)];
    const client = testClient(through(`http://ann:secret@127.0.0.1:${proxy.port}`, stub.url));
    const error = await caught(client.create(resources.pods, { metadata: { name: "p" } }));
    expect(error).toMatchObject({ kind: "unreachable", attempts: 1, mayHaveHappened: false });
    expect(error.message).toBe(
      `POST /api/v1/namespaces/default/pods: cannot reach the proxy http://127.0.0.1:${proxy.port} (proxy-url of the test): ` +
        `it answered 407 Proxy Authentication Required to CONNECT 127.0.0.1:${stub.port}`,
    );
    expect(JSON.stringify([error, String(error.cause)])).not.toContain("secret");
  });

  test("that is not there is named", async () => {
    const stub = await startStub(succeed, server);
    const error = await caught(testClient(through("http://127.0.0.1:1", stub.url)).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "unreachable", code: "ECONNREFUSED" });
    expect(error.message).toContain("the proxy http://127.0.0.1:1 (proxy-url of the test): connection refused");
  });
});

describe("a SOCKS 5 proxy", () => {
  test("carries TLS to the server", async () => {
    const [proxy, stub] = [await startSocksProxy(), await startStub(succeed, server)];
    await testClient(through(`socks5://127.0.0.1:${proxy.port}`, stub.url)).get(resources.pods, "p");
    expect(proxy.targets).toEqual([`127.0.0.1:${stub.port}`]);
  });

  test("resolves host names itself", async () => {
    const [proxy, stub] = [await startSocksProxy(), await startStub(succeed, server)];
    const url = stub.url.replace("127.0.0.1", "localhost");
    await testClient(through(`socks5h://127.0.0.1:${proxy.port}`, url)).get(resources.pods, "p");
    expect(proxy.targets).toEqual([`localhost:${stub.port}`]);
  });

  test("is given its user and password", async () => {
    const [proxy, stub] = [await startSocksProxy({ password: "secret" }), await startStub(succeed, server)];
    await testClient(through(`socks5://ann:secret@127.0.0.1:${proxy.port}`, stub.url)).get(resources.pods, "p");
    expect(stub.requests).toHaveLength(1);
  });

  test.each([
    ["a wrong password", "ann:wrong@", "it refuses the user or password"],
    ["no password", "", "it asks for a password"],
  ])("that is given %s refuses", async (_what, login, words) => {
    const [proxy, stub] = [await startSocksProxy({ password: "secret" }), await startStub(succeed, server)];
    const client = testClient(through(`socks5://${login}127.0.0.1:${proxy.port}`, stub.url));
    const error = await caught(client.get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "unreachable", attempts: 1 });
    expect(error.message).toContain(`the proxy socks5://127.0.0.1:${proxy.port} (proxy-url of the test): ${words}`);
  });
});
