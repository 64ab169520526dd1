import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { connectStaging, submitResources, v0BundleSource } from "../../src/index.ts";
import { sendJson, stubServer } from "../support/stub-server.ts";

const OWNER = { ownerNamespace: "default", ownerLabels: { "spark-app-selector": "a" }, ownerType: "Pod" };

it("uploads in the very form of the old client: the file first, without a name, then its owner", async () => {
  const { uri, requests } = await stubServer((_request, response) =>
    sendJson(response, 200, { resourceId: "r", resourceSecret: "s" }),
  );
  const client = connectStaging({ uri });
  onTestFinished(() => client.close());
  const bytes = Buffer.from("not really a tar.gz \r\n--");
  const resources = { length: bytes.length, open: () => Readable.from([bytes]) };
  expect(await submitResources(client.connection, { resources, owner: OWNER })).toEqual({
    resourceId: "r",
    resourceSecret: "s",
  });
  const [request] = requests;
  expect([request?.method, request?.url]).toEqual(["POST", "/api/v0/resources/"]);
  const [, boundary = ""] = /^multipart\/form-data; boundary=(.+)$/.exec(request?.headers["content-type"] ?? "") ?? [];
  const owner = JSON.stringify(OWNER);
  expect(request?.body).toBe(
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="resources"',
      "Content-Transfer-Encoding: binary",
      "Content-Type: multipart/form-data",
      `Content-Length: ${bytes.length}`,
      "",
      bytes.toString(),
      `--${boundary}`,
      'Content-Disposition: form-data; name="resourcesOwner"',
      "Content-Transfer-Encoding: binary",
      "Content-Type: application/json",
      `Content-Length: ${owner.length}`,
      "",
      owner,
      `--${boundary}--`,
      "",
    ].join("\r\n"),
  );
  expect(request?.headers["content-length"]).toBe(String(Buffer.byteLength(request?.body ?? "")));
});

it("sends a bundle whose length nobody knows in chunks, and the same again after a failure", async () => {
  let failures = 1;
  const { uri, requests } = await stubServer((_request, response) => {
    if (failures-- > 0) response.writeHead(503).end();
    else sendJson(response, 200, { resourceId: "r", resourceSecret: "s" });
  });
  const client = connectStaging({ uri, retry: { baseMs: 1 } });
  onTestFinished(() => client.close());
  const resources = { length: undefined, open: () => Readable.from([Buffer.from("one"), Buffer.from("two")]) };
  await submitResources(client.connection, { resources, owner: OWNER });
  expect(requests.map(({ headers }) => headers["transfer-encoding"])).toEqual(["chunked", "chunked"]);
  for (const { body } of requests) expect(body).toContain("\r\n\r\nonetwo\r\n");
});

it("fetches with the bare secret", async () => {
  const { uri, requests } = await stubServer((_request, response) => void response.end("bytes"));
  const client = connectStaging({ uri });
  onTestFinished(() => client.close());
  const { body } = await v0BundleSource(client.connection, "r-1", "the-secret").open(
    0,
    undefined,
    new AbortController().signal,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe("bytes");
  expect([requests[0]?.url, requests[0]?.headers.authorization]).toEqual(["/api/v0/resources/r-1", "the-secret"]);
});
