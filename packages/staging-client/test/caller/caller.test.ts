import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { testAuthority } from "@kindling/test-kit/certificates";
import {
  connectStaging,
  submitResources,
  uploadBundle,
  type ConnectOptions,
  type StagingClient,
} from "../../src/index.ts";
import { localFiles } from "../support/files.ts";
import { memoryServer } from "../support/memory-server.ts";
import { sendJson, sendProblem, stubServer, type StubServer } from "../support/stub-server.ts";

const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOlsia2luZGxpbmciXX0.c2lnbmF0dXJl";
const OWNER = { ownerNamespace: "default", ownerLabels: { "spark-app-selector": "a" }, ownerType: "Pod" };

function clientOf(uri: string, options: Partial<ConnectOptions> = {}): StagingClient {
  const client = connectStaging({ uri, authorization: `Bearer ${TOKEN}`, retry: { baseMs: 1 }, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The same server by an address that does not count as this machine's own. */
function elsewhere({ uri }: { readonly uri: string }): string {
  return uri.replace("127.0.0.1", "0.0.0.0");
}

const leases = (): Promise<StubServer> =>
  stubServer((_request, response) => sendJson(response, 200, { leaseId: "l", expiresIn: 60 }));

describe("a caller's credentials", () => {
  test("are not even asked for where they may not go", async () => {
    const server = await leases();
    const authorization = (): string => expect.unreachable("it may not go there");
    expect(() => clientOf(elsewhere(server), { authorization })).toThrow(
      expect.objectContaining({ fault: "insecure", message: expect.stringContaining(elsewhere(server)) as string }),
    );
    expect(() => clientOf(elsewhere(server), { authorization, allowInsecure: ["http://0.0.0.0:1/"] })).toThrow(
      "credentials are not sent",
    );
    expect(server.requests).toEqual([]);
  });

  test("go to a URI that is allowed, to this machine, and over TLS", async () => {
    const authority = testAuthority("test");
    const [plain, secure] = await Promise.all([
      leases(),
      stubServer((_, response) => sendJson(response, 200, { leaseId: "l" }), authority.issue("staging")),
    ]);
    await clientOf(elsewhere(plain), { allowInsecure: [elsewhere(plain)] }).openLease({ namespace: "a" });
    await clientOf(plain.uri.replace("127.0.0.1", "localhost")).openLease({ namespace: "a" });
    await clientOf(secure.uri, { tls: { ca: authority.cert } }).openLease({ namespace: "a" });
    const shown = [...plain.requests, ...secure.requests].map(({ headers }) => headers.authorization);
    expect(shown).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  test("stay where they are when the server proves to be another one", async () => {
    const server = await stubServer(
      (_, response) => sendJson(response, 200, {}),
      testAuthority("strangers").issue("staging"),
    );
    const client = clientOf(server.uri, { tls: { ca: testAuthority("test").cert } });
    await expect(client.openLease({ namespace: "a" })).rejects.toMatchObject({ fault: "tls" });
    expect(server.requests).toEqual([]);
  });

  const calls: [string, (client: StagingClient) => Promise<unknown>][] = [
    ["a call", (client) => client.openLease({ namespace: "a" })],
    ["a call with a bundle's secret", (client) => client.bindOwner("b", "uid", { secret: "s-e-c-r-e-t" })],
    ["a manifest", (client) => client.manifest("b", { secret: "s-e-c-r-e-t" })],
    [
      "an upload on the old wire",
      (client) =>
        submitResources(client.connection, {
          resources: { length: 3, open: () => Readable.from([Buffer.from("abc")]) },
          owner: OWNER,
        }),
    ],
  ];
  describe.each([301, 302, 303, 307, 308])("do not follow a %i", (status) => {
    test.each(calls)("of %s", async (_, call) => {
      const authority = testAuthority("test");
      const other = await stubServer((_, response) => sendJson(response, 200, {}));
      let location = "";
      const server = await stubServer((_, response) => response.writeHead(status, { location }).end(), {
        ...authority.issue("staging"),
      });
      const client = clientOf(server.uri, { tls: { ca: authority.cert } });
      const targets = [other.uri, server.uri.replace("https:", "http:"), new URL("/elsewhere", server.uri).href];
      for (location of targets) {
        await expect(call(client)).rejects.toMatchObject({
          fault: "redirect",
          message: expect.stringContaining(`redirects to ${new URL(location).origin}, which is not followed`) as string,
        });
      }
      expect(other.requests).toEqual([]);
      expect(server.requests).toHaveLength(targets.length);
    });
  });

  test("go to the server's own address, wherever an upload is said to be", async () => {
    const other = await leases();
    const server = await memoryServer();
    server.intercept = (_request, response) => {
      const writeHead = response.writeHead.bind(response);
      response.writeHead = ((status: number, headers: Record<string, string> = {}) => {
        const { location } = headers;
        const moved = location === undefined ? {} : { location: new URL(location, other.uri).href };
        return writeHead(status, { ...headers, ...moved });
      }) as typeof response.writeHead;
      return false;
    };
    const client = clientOf(server.uri);
    await uploadBundle(client, { files: await localFiles({ large: 3 * 1024 * 1024 }), owner: OWNER });
    expect(other.requests).toEqual([]);
  });
});

describe("a server that shows the request in its answer", () => {
  test.each([
    ["as a problem", (show: string) => JSON.stringify({ type: "x", status: 403, title: show, detail: show })],
    ["in an identifier", (show: string) => JSON.stringify({ type: "x", status: 403, title: "no", requestId: show })],
    ["as a page", (show: string) => `<html>${show}</html>`],
  ])("does not make the error show the credentials: %s", async (_, body) => {
    for (const part of [TOKEN, TOKEN.slice(0, 40), TOKEN.slice(10)]) {
      const server = await stubServer((_request, response) => void response.writeHead(403).end(body(`you: ${part}`)));
      const error: unknown = await clientOf(server.uri)
        .openLease({ namespace: "a" })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ fault: "forbidden" });
      const { message, hint, problem, cause } = error as { [name: string]: unknown };
      expect(JSON.stringify({ message, hint, problem, cause: String(cause) })).not.toContain(part.slice(0, 16));
    }
  });

  test("does not make the error of a successful answer show them", async () => {
    const server = await stubServer((_request, response) => void response.end(TOKEN));
    const error: unknown = await clientOf(server.uri)
      .openLease({ namespace: "a" })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault: "protocol" });
    // A parser's own message would quote the text.
    expect((error as Error).cause).toBeUndefined();
    expect((error as Error).message).not.toContain(TOKEN.slice(0, 8));
  });

  test("does not give them back as something else", async () => {
    const answers = [
      { subject: TOKEN, allowed: false, reason: TOKEN.slice(0, 30) },
      { bundleId: "b", secret: TOKEN, manifestDigest: "d" },
    ];
    const server = await stubServer((_request, response) => sendJson(response, 200, answers.shift()));
    const client = clientOf(server.uri);
    expect(await client.access("a")).toEqual({ subject: "***", allowed: false, reason: "***" });
    expect(await client.commitBundle({ lease: "l", owner: OWNER, files: [] })).toEqual({
      bundleId: "b",
      secret: "***",
      manifestDigest: "d",
    });
  });

  test("leaves names alone that are a part of the credentials", async () => {
    const namespace = "team-a-production";
    const status = { store: "s", namespaces: [{ namespace, bundles: 0, bytes: 0 }] };
    const server = await stubServer((_request, response) => sendJson(response, 200, status));
    const client = clientOf(server.uri, { authorization: `Bearer ${namespace}-uploader` });
    expect(await client.storageStatus()).toEqual(status);
  });

  test("does not make the error show a bundle's secret", async () => {
    const server = await stubServer((request, response) =>
      sendProblem(response, 410, "bundle-gone", { detail: `for ${request.headers.authorization ?? ""}` }),
    );
    await expect(clientOf(server.uri).deleteBundle("b", { secret: "s-e-c-r-e-t" })).rejects.toThrow("for Bearer ***");
  });
});

describe("credentials that are refused", () => {
  /** A server that accepts one value, and a source that gives the next of these values when the previous one was refused. */
  async function refusing(good: string, ...given: string[]) {
    const server = await stubServer((request, response) => {
      if (request.headers.authorization === good) sendJson(response, 200, { leaseId: "l" });
      else sendProblem(response, 401, "unauthorized");
    });
    const refusals: (string | undefined)[] = [];
    let current = 0;
    const authorization = (refused?: string): string => {
      if (refused !== undefined) refusals.push(refused);
      if (refused === given[current] && current < given.length - 1) current++;
      return given[current] ?? "";
    };
    return { server, refusals, client: clientOf(server.uri, { authorization }) };
  }

  test("are asked for again, and the request is repeated with new ones", async () => {
    const { server, refusals, client } = await refusing("Bearer new", "Bearer old", "Bearer new");
    expect(await client.openLease({ namespace: "a" })).toEqual({ leaseId: "l" });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
    expect(refusals).toEqual(["Bearer old"]);
  });

  test("are an error at once where there are no others", async () => {
    const { server, client } = await refusing("Bearer new", "Bearer old");
    await expect(client.openLease({ namespace: "a" })).rejects.toMatchObject({
      fault: "unauthorized",
      retryable: false,
    });
    expect(server.requests).toHaveLength(1);
  });
});
