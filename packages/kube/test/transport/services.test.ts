import { text } from "node:stream/consumers";
import { testAuthority } from "@kindling/test-kit/certificates";
import { eventually } from "@kindling/test-kit/eventually";
import { startStub } from "@kindling/test-kit/stub-server";
import { describe, expect, test } from "vitest";
import { resources, serviceUrl } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { plainAccess } from "../fixtures/plain-access.ts";
import { testClient } from "../fixtures/test-client.ts";

const LIMITS = { stallTimeoutMs: 30_000, answerTimeoutMs: 30_000 };
const PLACE = { namespace: "kindling", name: "recorder", port: "8080", scheme: "https" } as const;

describe("services of a client", () => {
  test("are reached over its connections, which stay open when they are closed", async () => {
    const authority = testAuthority("the cluster's authority");
    const stub = await startStub(
      (request, response) =>
        request.url.includes("/proxy/") ? void response.end(request.url) : asAsked(request, response),
      authority.issue("server"),
    );
    const tls = { ca: authority.cert, servername: undefined, insecureSkipVerify: false };
    const client = testClient(plainAccess(stub.url, { tls }));
    await client.get(resources.pods, "p");
    const http = client.services(LIMITS);
    const url = new URL("api/v1/runs", serviceUrl(client.access, PLACE));
    const { status, body } = await http.send({ method: "GET", url, headers: {} });
    const path = "/api/v1/namespaces/kindling/services/https:recorder:8080/proxy/api/v1/runs";
    expect({ status, text: await text(body) }).toEqual({ status: 200, text: path });
    http.close();
    await client.get(resources.pods, "p");
    expect(stub.connections).toBe(1);
    await expect(http.send({ method: "GET", url, headers: {} })).rejects.toThrow("the client is closed");
  });

  test("end their own requests alone when they are closed", async () => {
    let answerPod = (): void => undefined;
    const stub = await startStub((request, response) => {
      if (!request.url.includes("/proxy/")) answerPod = () => asAsked(request, response);
    });
    const client = testClient(stub.url);
    const http = client.services(LIMITS);
    const [pod, run] = [
      client.get(resources.pods, "p"),
      http.send({ method: "GET", url: serviceUrl(client.access, PLACE), headers: {} }),
    ];
    run.catch(() => undefined);
    await eventually(() => expect(stub.requests).toHaveLength(2));
    http.close();
    await expect(run).rejects.toMatchObject({ kind: "aborted" });
    answerPod();
    expect((await pod).metadata?.name).toBe("p");
  });
});
