import type { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { staticCredentials } from "../../src/credentials/static-credentials.ts";
import { resources, type ClusterAccess } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { testAuthority, type Certificate } from "@kindling/test-kit/certificates";
import { plainAccess } from "../fixtures/plain-access.ts";
import { hasOpenssl, startStrictServer } from "../fixtures/strict-server.ts";
import { startStub, type StubServer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

const authority = testAuthority("the cluster's authority");
const server = authority.issue("server");

function startTlsStub(certificate: Certificate = server): Promise<StubServer> {
  return startStub(asAsked, certificate);
}

function access(url: string, tls: Partial<ClusterAccess["tls"]> = {}, user?: Certificate): ClusterAccess {
  return plainAccess(url, {
    tls: { ca: authority.cert, servername: undefined, insecureSkipVerify: false, ...tls },
    credentials: staticCredentials(user === undefined ? {} : { clientCertificate: user }, 'user "ann" in config'),
  });
}

describe("a server certificate", () => {
  test("of the given authority is accepted", async () => {
    const stub = await startTlsStub();
    await testClient(access(stub.url)).get(resources.pods, "p");
    expect(stub.requests).toHaveLength(1);
  });

  test("that has expired", async () => {
    const stub = await startTlsStub(authority.issue("server", { expired: true }));
    const error = await caught(testClient(access(stub.url)).create(resources.pods, { metadata: { name: "p" } }));
    expect(error).toMatchObject({ kind: "tls", reason: "expired", attempts: 1, mayHaveHappened: false });
    expect(error.message).toBe(
      `POST /api/v1/namespaces/default/pods: ${stub.url}: the server's certificate has expired`,
    );
  });

  test("for another host", async () => {
    const stub = await startTlsStub(authority.issue("server", { names: ["api.example.com"] }));
    const error = await caught(testClient(access(stub.url)).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "tls", reason: "hostname" });
    expect(error.hint).toContain("tls-server-name");
  });

  test("for another host, which tls-server-name expects", async () => {
    const stub = await startTlsStub(authority.issue("server", { names: ["api.example.com"] }));
    const client = testClient(access(stub.url, { servername: "api.example.com" }));
    await client.get(resources.pods, "p");
    expect(stub.requests).toHaveLength(1);
  });

  test("of an unknown authority", async () => {
    const stub = await startTlsStub(testAuthority("someone else").issue("server"));
    const error = await caught(testClient(access(stub.url)).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "tls", reason: "unknown-ca" });
  });

  test("of an authority that is not among the system's, where none is given", async () => {
    const stub = await startTlsStub();
    const error = await caught(testClient(access(stub.url, { ca: undefined })).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "tls", reason: "unknown-ca" });
  });

  test.each([
    ["expired", { expired: true }],
    ["for another host", { names: ["api.example.com"] }],
  ])("%s is accepted where nothing is to be checked", async (_what, options) => {
    const stub = await startTlsStub(authority.issue("server", options));
    await testClient(access(stub.url, { ca: undefined, insecureSkipVerify: true })).get(resources.pods, "p");
    expect(stub.requests).toHaveLength(1);
  });
});

describe("a client certificate", () => {
  test("is shown to the server", async () => {
    let subject: unknown;
    const stub = await startStub(
      (request, response) => {
        const socket = response.socket as TLSSocket;
        subject = socket.getPeerCertificate().subject.CN;
        asAsked(request, response);
      },
      { ...server, ca: authority.cert, requestCert: true },
    );
    await testClient(access(stub.url, {}, authority.issue("ann"))).get(resources.pods, "p");
    expect(subject).toBe("ann");
  });

  test("that has expired is recognised behind the 401 of an API server", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 401, "Unauthorized"), {
      ...server,
      requestCert: true,
      rejectUnauthorized: false,
    });
    const user = authority.issue("ann", { expired: true });
    const error = await caught(testClient(access(stub.url, {}, user)).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "tls", reason: "client-certificate-expired" });
    expect(error.message).toContain('the client certificate of user "ann" in config expired on 2020-01-02');
  });

  test.skipIf(!hasOpenssl)(
    "that has expired is recognised behind the alert of a stricter server (needs the openssl command)",
    async () => {
      const url = await startStrictServer(server, authority);
      const user = authority.issue("ann", { expired: true });
      const error = await caught(testClient(access(url, {}, user)).get(resources.pods, "p"));
      expect(error).toMatchObject({ kind: "tls", reason: "client-certificate-expired" });
      expect(error.message).toContain("expired on 2020-01-02");
    },
  );

  test("that has expired is recognised where the server just hangs up", async () => {
    const stub = await startStub(asAsked, {
      ...server,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const user = authority.issue("ann", { expired: true });
    const error = await caught(testClient(access(stub.url, {}, user)).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "tls", reason: "client-certificate-expired" });
  });

  test("that is good leaves a 401 what it is, with a hint whose credentials were refused", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 401, "Unauthorized"), server);
    const error = await caught(testClient(access(stub.url, {}, authority.issue("ann"))).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "status", status: 401 });
    expect(error.hint).toContain('user "ann" in config');
  });

  test("whose key is another's is a fault of the configuration", async () => {
    const stub = await startTlsStub();
    const user = { cert: authority.issue("ann").cert, key: authority.issue("bob").key };
    const error = await caught(testClient(access(stub.url, {}, user)).get(resources.pods, "p"));
    expect(error.kind).toBe("config");
    expect(error.message).toContain('user "ann" in config: the certificate or key cannot be used');
    expect(error.message).not.toContain("BEGIN");
  });
});

test("a server that does not speak TLS", async () => {
  const stub = await startStub(asAsked);
  const error = await caught(testClient(access(stub.url.replace("http:", "https:"))).get(resources.pods, "p"));
  expect(error).toMatchObject({ kind: "tls", reason: "other", mayHaveHappened: false });
});
