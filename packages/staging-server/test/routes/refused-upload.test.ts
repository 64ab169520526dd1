import { expect, it } from "vitest";
import { formatDigestField } from "@kindling/staging-client";
import { sample } from "../support/stage.ts";
import { openLease, problemOf, sharedServer, testServer } from "../support/test-server.ts";
import { append, createUpload } from "../support/resumable-upload.ts";

const shared = sharedServer();

it.each([
  ["more than announced", 3000, true],
  ["an end before the announced one", 1000, true],
])("refuses %s", async (_what, length, last) => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(2000);
  const path = await createUpload(server, lease, one);
  const answer = await append(server, path, 0, sample(length).bytes, last);
  expect([answer.status, problemOf(answer)]).toEqual([400, "inconsistent-upload-length"]);
});

it("ends an upload whose chunks exceed what was announced", async () => {
  const server = shared();
  const lease = await openLease(server);
  const path = await createUpload(server, lease, sample(2000));
  const chunked = { "transfer-encoding": "chunked" };
  const answer = await append(server, path, 0, sample(5000).bytes, false, chunked);
  expect([answer.status, problemOf(answer)]).toEqual([413, "too-large"]);
  expect((await server.call(path, { method: "HEAD" })).status).toBe(410);
});

it.each([
  ["no offset", { "upload-offset": undefined }, 400],
  ["a negative offset", { "upload-offset": "-1" }, 400],
  ["no completeness", { "upload-complete": "true" }, 400],
  ["another media type", { "content-type": "application/octet-stream" }, 415],
])("refuses an append with %s", async (_what, headers, status) => {
  const server = shared();
  const lease = await openLease(server);
  const path = await createUpload(server, lease, sample(10));
  expect((await append(server, path, 0, Buffer.from("x"), false, headers as Record<string, string>)).status).toBe(
    status,
  );
});

it.each([
  ["no length", { "upload-length": undefined }, 411, "length-required"],
  ["no digest", { "repr-digest": "sha-512=:AAAA:" }, 400, "invalid-digest"],
  ["a length beyond the limit", { "upload-length": "99999999" }, 413, "too-large"],
])("refuses to create an upload with %s", async (_what, headers, status, problem) => {
  const server = await testServer({ "limits.fileBytes": 1000 });
  const lease = await openLease(server);
  const answer = await server.call(`api/v1/uploads?lease=${lease}`, {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": "10",
      "repr-digest": formatDigestField(sample(10).digest),
      "content-length": 0,
      ...headers,
    },
  });
  expect([answer.status, problemOf(answer)]).toEqual([status, problem]);
});
