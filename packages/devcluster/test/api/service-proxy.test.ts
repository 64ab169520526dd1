import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { ApiClient } from "@kindling/test-kit/api-client";
import { connectionOf } from "@kindling/test-kit/api-connection";
import { testAuthority } from "@kindling/test-kit/certificates";
import { expect, onTestFinished, test } from "vitest";
import { DevCluster } from "../../src/index.ts";

const ADMIN = "the-administrator";
const SERVICES = "/api/v1/namespaces/default/services";

async function listening(listener: RequestListener, secure: boolean): Promise<number> {
  const server = secure ? createSecureServer(testAuthority("nobody").issue("web"), listener) : createServer(listener);
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A cluster with a service `web` that has its one endpoint in this process. */
async function clusterWith(listener: RequestListener, secure = false): Promise<ApiClient> {
  const cluster = await DevCluster.start({ tls: true, token: ADMIN });
  onTestFinished(() => cluster.stop());
  const client = new ApiClient(await connectionOf(cluster.kubeconfig()));
  onTestFinished(() => client.close());
  const port = await listening(listener, secure);
  const ports = [{ name: "main", port: 80 }];
  await client.post(SERVICES, { metadata: { name: "web" }, spec: { ports } });
  await client.post(SERVICES, { metadata: { name: "empty" }, spec: { ports, selector: { app: "none" } } });
  const made = await client.post("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
    metadata: { name: "web", labels: { "kubernetes.io/service-name": "web" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready: true } }],
    ports: [{ name: "main", port, protocol: "TCP" }],
  });
  expect(made.status).toBe(201);
  return client;
}

/** Answers with the content of the request. */
const echo: RequestListener = (incoming, response) => {
  response.writeHead(201, { location: "/things/1?a=b", "x-asked": askedBy(incoming) });
  incoming.pipe(response);
};

function askedBy({ method, url, headers }: IncomingMessage): string {
  const { authorization, "content-type": type, "kindling-authorization": own } = headers;
  return JSON.stringify({ method, url, authorization, type, own });
}

test.each(["web", "web:80", "web:main", "http:web:main"])(
  "a request to %s arrives as it is, but for the credentials, and its answer comes back",
  async (name) => {
    const client = await clusterWith(echo);
    const proxy = `${SERVICES}/${name}/proxy`;
    const answer = await client.request("PATCH", `${proxy}/things%2F1?x=%20y`, "the body", {
      headers: {
        "content-type": "text/plain",
        "kindling-authorization": "Bearer ours",
        authorization: `Bearer ${ADMIN}`,
      },
    });
    expect([answer.status, answer.text, answer.headers["location"]]).toEqual([
      201,
      "the body",
      `${proxy}/things/1?a=b`,
    ]);
    const asked = { method: "PATCH", url: "/things%2F1?x=%20y", type: "text/plain", own: "Bearer ours" };
    expect(JSON.parse(answer.headers["x-asked"] ?? "")).toEqual(asked);
  },
);

test("megabytes go through to a service that speaks TLS with any certificate", async () => {
  const client = await clusterWith(echo, true);
  const body = "0123456789abcdef".repeat(300_000);
  const answer = await client.request("POST", `${SERVICES}/https:web:80/proxy/`, body);
  expect(answer.status).toBe(201);
  expect(answer.text === body).toBe(true);
});

test("what cannot be reached is told as the API server tells it", async () => {
  const client = await clusterWith((_, response) => response.destroy());
  const empty = async (): Promise<unknown[]> => {
    const { status, body } = await client.get(`${SERVICES}/empty:80/proxy/`);
    return [status, body["message"]];
  };
  await expect.poll(empty).toEqual([503, 'no endpoints available for service "empty"']);
  const missing = await client.get(`${SERVICES}/other:80/proxy/`);
  expect([missing.status, missing.body["message"]]).toEqual([404, 'services "other" not found']);
  const broken = await client.get(`${SERVICES}/web:80/proxy/`);
  expect([broken.status, broken.body["message"]]).toEqual([
    503,
    expect.stringContaining("error trying to reach service: "),
  ]);
  expect((await client.get(`${SERVICES}/web:81/proxy/`)).status).toBe(503);
});
