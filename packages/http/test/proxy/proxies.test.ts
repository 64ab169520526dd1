import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { systemClock, type Env } from "@kindling/outside";
import { testAuthority } from "@kindling/test-kit/certificates";
import { startHttpProxy, startSocksProxy } from "@kindling/test-kit/proxies";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { startStub, type StubServer } from "@kindling/test-kit/stub-server";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  environmentProxies,
  httpTransport,
  isHttpError,
  readText,
  type HttpError,
  type HttpRequest,
  type HttpTransport,
} from "../../src/index.ts";

const authority = testAuthority("the servers' authority");
const certificate = authority.issue("server", { names: ["server.example"] });
const LOGIN = `Basic ${Buffer.from("ann:p@ss").toString("base64")}`;

/** A transport with the proxies of an environment. */
function within(env: Env): HttpTransport {
  const transport = httpTransport({
    clock: systemClock,
    tls: { ca: authority.cert },
    proxies: environmentProxies(env),
    connectTimeoutMs: 25_000,
    stallTimeoutMs: 25_000,
    answerTimeoutMs: 25_000,
  });
  onTestFinished(() => transport.close());
  return transport;
}

const say =
  (words: string) =>
  (_request: unknown, response: { end(text: string): void }): void =>
    response.end(words);

/** A server that only a proxy can find, as `server.example`. */
async function hidden(scheme: "http" | "https"): Promise<{ stub: StubServer; hosts: Record<string, number> }> {
  const stub = await startStub(say("here"), scheme === "https" ? certificate : undefined);
  return { stub, hosts: { [`server.example:${scheme === "https" ? 443 : 80}`]: stub.port } };
}

async function get(transport: HttpTransport, url: string, more: Partial<HttpRequest> = {}): Promise<string> {
  const response = await transport.send({ method: "GET", url: new URL(url), headers: {}, ...more });
  return await readText(response, { mostBytes: 1000 });
}

async function faultOf(asking: Promise<unknown>): Promise<HttpError> {
  try {
    await asking;
  } catch (error) {
    if (isHttpError(error)) return error;
  }
  throw new Error("it did not fail with an HttpError");
}

/** Everything of an error that may be shown. */
function shown(error: HttpError): string {
  return JSON.stringify([error, error.message, error.hint, error.stack, String(error.cause)]);
}

describe("an HTTP proxy", () => {
  test("tunnels to servers with TLS, whose certificates are checked as ever", async () => {
    const { stub, hosts } = await hidden("https");
    const proxy = await startHttpProxy({ hosts, authorization: LOGIN });
    const transport = within({ HTTPS_PROXY: `http://ann:p%40ss@127.0.0.1:${proxy.port}` });
    expect(await get(transport, "https://server.example/a")).toBe("here");
    expect(await get(transport, "https://server.example/b")).toBe("here");
    expect(proxy.targets).toEqual(["server.example:443"]);
    expect(stub.requests.map(({ url }) => url)).toEqual(["/a", "/b"]);
    // The login is only for the proxy.
    expect(stub.requests.map(({ headers }) => headers["proxy-authorization"])).toEqual([undefined, undefined]);

    const other = await startStub(say("there"), testAuthority("a stranger").issue("x", { names: ["server.example"] }));
    const astray = await startHttpProxy({ hosts: { "server.example:443": other.port } });
    const fault = await faultOf(get(within({ HTTPS_PROXY: `127.0.0.1:${astray.port}` }), "https://server.example/"));
    expect(fault).toMatchObject({ kind: "tls", reason: "unknown-ca", peer: "https://server.example" });
    expect(other.requests).toEqual([]);
  });

  test("passes on requests without TLS", async () => {
    const { stub, hosts } = await hidden("http");
    const proxy = await startHttpProxy({ hosts, authorization: LOGIN });
    const transport = within({ http_proxy: `http://ann:p%40ss@127.0.0.1:${proxy.port}` });
    const headers = { authorization: "Bearer t" };
    expect(await get(transport, "http://server.example/a?b=c", { headers })).toBe("here");
    expect(proxy.requests[0]?.url).toBe("http://server.example/a?b=c");
    expect(stub.requests[0]).toMatchObject({
      url: "/a?b=c",
      headers: { host: "server.example", authorization: "Bearer t" },
    });
    expect(stub.requests[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  test("is named in the answer that may be its own", async () => {
    const proxy = await startHttpProxy({ status: 403 });
    const transport = within({ ALL_PROXY: `http://ann:p%40ss@127.0.0.1:${proxy.port}` });
    const response = await transport.send({ method: "GET", url: new URL("http://server.example/"), headers: {} });
    expect(response).toMatchObject({ status: 403, proxy: `the proxy http://127.0.0.1:${proxy.port} (ALL_PROXY)` });
    response.body.resume();
  });

  test.each([
    [407, "ann:wrong@", "check the user and password in HTTPS_PROXY", false],
    [407, "", "write them into HTTPS_PROXY", false],
    [403, "", "add it to NO_PROXY", false],
    [502, "", "can the proxy of HTTPS_PROXY reach that host?", true],
  ])(
    "that refuses a tunnel with %i is named with its variable, without its password",
    async (status, login, hint, again) => {
      const proxy = await startHttpProxy({ status });
      const transport = within({ HTTPS_PROXY: `http://${login}127.0.0.1:${proxy.port}` });
      const fault = await faultOf(get(transport, "https://server.example/"));
      expect(fault).toMatchObject({ kind: "proxy", status, retryable: again, mayHaveArrived: false });
      expect(fault.message).toMatch(
        new RegExp(
          `^the proxy http://127.0.0.1:${proxy.port} \\(HTTPS_PROXY\\): it answered ${status} .* to CONNECT server.example:443$`,
        ),
      );
      expect(fault.hint).toContain(hint);
      expect(shown(fault)).not.toContain("wrong");
    },
  );

  test("that refuses to pass a request on for lack of a login is told from the server", async () => {
    const proxy = await startHttpProxy({ authorization: LOGIN });
    const fault = await faultOf(get(within({ HTTP_PROXY: `127.0.0.1:${proxy.port}` }), "http://server.example/"));
    expect(fault).toMatchObject({ kind: "proxy", status: 407, retryable: false });
  });

  test.each(["http", "https"])("that is not there is named, for %s", async (scheme) => {
    const transport = within({ ALL_PROXY: "http://ann:secret@127.0.0.1:1" });
    const fault = await faultOf(get(transport, `${scheme}://server.example/`));
    expect(fault).toMatchObject({ kind: "proxy", code: "ECONNREFUSED", retryable: true, hint: "check ALL_PROXY" });
    expect(fault.message).toBe("the proxy http://127.0.0.1:1 (ALL_PROXY): connection refused");
    expect(shown(fault)).not.toContain("secret");
  });

  test("that says nothing is not waited for", async () => {
    const silent = await startStub(() => undefined);
    const proxies = environmentProxies({ ALL_PROXY: silent.url });
    const limits = { connectTimeoutMs: 200, stallTimeoutMs: 25_000, answerTimeoutMs: 25_000 };
    const transport = httpTransport({ clock: systemClock, tls: {}, proxies, ...limits });
    onTestFinished(() => transport.close());
    // A server without CONNECT closes the connection.
    const fault = await faultOf(get(transport, "https://server.example/"));
    expect(fault).toMatchObject({ peer: `the proxy ${silent.url} (ALL_PROXY)`, retryable: true });
  });

  test("is passed by where the environment, or the request, says so", async () => {
    const { stub } = await hidden("http");
    const env = { ALL_PROXY: "http://127.0.0.1:1", NO_PROXY: "" };
    expect(await get(within(env), stub.url)).toBe("here");
    const byName = stub.url.replace("127.0.0.1", "localhost");
    expect(await get(within(env), byName)).toBe("here");
    const fault = await faultOf(get(within(env), "http://server.invalid/", { direct: true }));
    expect(fault).toMatchObject({ kind: "unreachable" });
  });

  test("that is reached over TLS must prove who it is, to Node's own authorities", async () => {
    const { stub, hosts } = await hidden("https");
    const tls = authority.issue("proxy");
    const plain = await startStub(say("here"));
    const all = { ...hosts, "plain.example:80": plain.port };
    const proxy = await startHttpProxy({ hosts: all, tls, authorization: LOGIN });
    const env = { ALL_PROXY: `https://ann:p%40ss@localhost:${proxy.port}` };
    for (const scheme of ["https", "http"]) {
      const fault = await faultOf(get(within(env), `${scheme}://server.example/`));
      expect(fault).toMatchObject({ kind: "proxy" });
      expect(fault.message).toContain("the server's certificate is signed by an unknown authority");
    }
    expect(stub.requests).toEqual([]);

    const folder = scratchFolder({ "ca.pem": authority.cert });
    const program = `
      import { environmentProxies, httpTransport, readText } from ${JSON.stringify(distOf("http"))};
      import { systemClock } from ${JSON.stringify(distOf("outside"))};
      const limits = { connectTimeoutMs: 25_000, stallTimeoutMs: 25_000, answerTimeoutMs: 25_000 };
      const transport = httpTransport({ clock: systemClock, tls: {}, proxies: environmentProxies(process.env), ...limits });
      for (const url of ["https://server.example/", "http://plain.example/"]) {
        const response = await transport.send({ method: "GET", url: new URL(url), headers: {} });
        console.log(await readText(response, { mostBytes: 1000 }));
      }
      transport.close();
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...env, NODE_EXTRA_CA_CERTS: `${folder.path}/ca.pem` },
    });
    expect(stdout).toBe("here\nhere\n");
  });
});

describe("a SOCKS proxy", () => {
  test.each([
    ["socks4a", "http"],
    ["socks5", "http"],
    ["socks5h", "http"],
    ["socks4a", "https"],
    ["socks5h", "https"],
  ] as const)("of %s tunnels to servers of %s, and looks up their names", async (scheme, server) => {
    const { stub, hosts } = await hidden(server);
    const proxy = await startSocksProxy({ hosts });
    const transport = within({ ALL_PROXY: `${scheme}://127.0.0.1:${proxy.port}` });
    expect(await get(transport, `${server}://server.example/a`)).toBe("here");
    expect(await get(transport, `${server}://server.example/b`)).toBe("here");
    expect(proxy.targets).toEqual([`server.example:${server === "https" ? 443 : 80}`]);
    expect(stub.requests).toHaveLength(2);
  });

  test("is given its user and password", async () => {
    const { hosts } = await hidden("http");
    const proxy = await startSocksProxy({ hosts, password: "p@ss" });
    const transport = within({ ALL_PROXY: `socks5h://ann:p%40ss@127.0.0.1:${proxy.port}` });
    expect(await get(transport, "http://server.example/")).toBe("here");
  });

  test.each([
    ["a wrong password", "ann:wrong@", { password: "p@ss" }, "it refuses the user or password"],
    ["no password", "", { password: "p@ss" }, "it asks for a password"],
    ["a server that it does not allow", "", { reply: 2 }, "it cannot connect: not allowed"],
    ["a server that refuses connections", "", { reply: 5 }, "it cannot connect: connection refused"],
  ])("that is given %s refuses, and its password is not shown", async (_what, login, options, words) => {
    const proxy = await startSocksProxy(options);
    const transport = within({ ALL_PROXY: `socks5://${login}127.0.0.1:${proxy.port}` });
    const fault = await faultOf(get(transport, "https://server.example/"));
    expect(fault).toMatchObject({ kind: "proxy", retryable: false });
    expect(fault.message).toBe(`the proxy socks5://127.0.0.1:${proxy.port} (ALL_PROXY): ${words}`);
    expect(shown(fault)).not.toContain("wrong");
  });

  test("that is none is named", async () => {
    const stub = await startStub(say("HTTP"));
    const fault = await faultOf(
      get(within({ ALL_PROXY: `socks5://127.0.0.1:${stub.port}` }), "http://server.example/"),
    );
    expect(fault.message).toContain("(ALL_PROXY): it does not speak SOCKS 5");
  });

  test("that is not there is named", async () => {
    const fault = await faultOf(get(within({ ALL_PROXY: "socks5://127.0.0.1:1" }), "http://server.example/"));
    expect(fault.message).toBe("the proxy socks5://127.0.0.1:1 (ALL_PROXY): connection refused");
  });
});

describe("a request that somebody else has named the host of", () => {
  test("does not go to a name through a proxy, behind which nobody can tell where it leads", async () => {
    const { stub, hosts } = await hidden("http");
    const proxy = await startHttpProxy({ hosts });
    const transport = within({ ALL_PROXY: `http://127.0.0.1:${proxy.port}` });
    const fault = await faultOf(get(transport, "http://server.example/", { reach: "public" }));
    expect(fault).toMatchObject({ kind: "address", hint: expect.stringContaining("server.example") as string });
    expect(await faultOf(get(transport, "http://10.0.0.1/", { reach: "public" }))).toMatchObject({ kind: "address" });
    expect([stub.requests, proxy.requests]).toEqual([[], []]);
  });

  test("goes through one to an address within its reach", async () => {
    const stub = await startStub(say("here"));
    const proxy = await startHttpProxy({ hosts: { "8.8.8.8:80": stub.port } });
    const transport = within({ ALL_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(await get(transport, "http://8.8.8.8/", { reach: "public" })).toBe("here");
  });
});

function distOf(name: string): string {
  return fileURLToPath(new URL(`../../../${name}/dist/index.js`, import.meta.url));
}
