import { formatDigestField, type StorageStatus } from "@kindling/staging-client";
import { expect, it } from "vitest";
import { sample, type Sample } from "../../src/testing/random-bytes.ts";
import { httpCall, type Answer } from "../support/http-call.ts";
import { serverProcess, type ServerProcess } from "../support/server-process.ts";
import { tenant, tenantSettings, type Tenant } from "../support/tenants.ts";

/** All answers that a tenant gets while it uploads a file in pieces, without ids. */
async function resumableUpload(
  server: ServerProcess,
  { headers, openLease }: Tenant,
  file: Sample,
): Promise<unknown[]> {
  const lease = await openLease();
  const created = await httpCall(new URL(`api/v1/uploads?lease=${lease}`, server.uri).href, {
    method: "POST",
    headers: {
      ...headers,
      "upload-complete": "?0",
      "upload-length": file.bytes.length,
      "repr-digest": formatDigestField(file.digest),
      "content-length": 0,
    },
  });
  const append = (offset: number, body: Buffer, last: boolean): Promise<Answer> =>
    httpCall(new URL(created.headers.location ?? "", server.uri).href, {
      method: "PATCH",
      headers: {
        ...headers,
        "content-type": "application/partial-upload",
        "upload-offset": offset,
        "upload-complete": last ? "?1" : "?0",
      },
      body,
    });
  const half = file.bytes.length / 2;
  const first = await append(0, file.bytes.subarray(0, half), false);
  const last = await append(half, file.bytes.subarray(half), true);
  return [created, first, last].map(shown);
}

/** An answer without the parts that differ each time. */
function shown({ status, headers, body }: Answer): unknown {
  const { date: _date, "request-id": _request, location: _location, ...rest } = headers;
  return { status, headers: rest, body: body.toString() };
}

it("tells a tenant the same about a file that another one has as about one that nobody has", async () => {
  const server = await serverProcess(await tenantSettings());
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  const { file: theirs } = await good.stage(10_000);
  const nobodys = sample(10_000);
  const lease = await evil.openLease();
  const ask = ({ digest }: Sample): Promise<Answer> =>
    evil.call("POST", "blobs:missing", { lease, digests: [{ digest, size: 10_000 }] });
  expect((await ask(theirs)).json).toEqual({ missing: [theirs.digest] });
  const [known, unknown] = [await evil.put(lease, theirs), await evil.put(lease, nobodys)];
  expect(known.status).toBe(201);
  expect(shown(known)).toEqual(shown(unknown));
  // The file belongs to the tenant by now, so the answer may say that it is here.
  expect((await evil.put(lease, theirs)).status).toBe(200);
  const { file: other } = await good.stage(10_000);
  expect(await resumableUpload(server, evil, other)).toEqual(await resumableUpload(server, evil, sample(10_000)));
  expect((await evil.commit(lease, [theirs])).status).toBe(201);
});

it("tells tenants what is their own, and administrators what all have", async () => {
  const server = await serverProcess(await tenantSettings());
  const [good, evil, root] = [tenant(server, "good"), tenant(server, "evil"), tenant(server, "root")];
  const status = async (who: Tenant): Promise<StorageStatus> => (await who.call("GET", "stat")).json as StorageStatus;
  const before = await status(evil);
  await good.stage(10_000);
  expect(await status(evil)).toEqual(before);
  expect(before).toEqual({ store: "local-disk", namespaces: [] });
  await evil.stage(20_000);
  expect((await status(evil)).namespaces).toMatchObject([{ namespace: "evil", bundles: 1, bytes: 20_000 }]);
  expect(await status(root)).toMatchObject({
    blobs: 2,
    blobBytes: 30_000,
    freeBytes: expect.any(Number),
    openUploads: 0,
    reservedBytes: 0,
  });
});

it("refuses a tenant another one's bundles, uploads and ids that nobody has in the same way", async () => {
  const server = await serverProcess(await tenantSettings());
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  const [, bundle = ""] = /bundles\/([^/]+)\//.exec((await good.stage(10)).path) ?? [];
  const lease = await good.openLease();
  const created = await httpCall(new URL(`api/v1/uploads?lease=${lease}`, server.uri).href, {
    method: "POST",
    headers: {
      ...good.headers,
      "upload-complete": "?0",
      "upload-length": 10,
      "repr-digest": formatDigestField(sample(10).digest),
      "content-length": 0,
    },
  });
  const upload = (created.headers.location ?? "").replace("/api/v1/", "");
  const nobody = "11111111-1111-4111-8111-111111111111";
  for (const [method, theirs, nobodys] of [
    ["GET", `bundles/${bundle}/status`, `bundles/${nobody}/status`],
    ["GET", `bundles/${bundle}`, `bundles/${nobody}`],
    ["DELETE", `bundles/${bundle}`, `bundles/${nobody}`],
    ["DELETE", upload, `uploads/${nobody}`],
  ] as const) {
    const [one, other] = [await evil.call(method, theirs), await evil.call(method, nobodys)];
    const [{ requestId: _one, ...told }, { requestId: _other, ...toldOther }] = [one, other].map(
      ({ json }) => json as { requestId: string },
    ) as [{ requestId: string }, { requestId: string }];
    expect([method, theirs, one.status, told]).toEqual([method, theirs, other.status, toldOther]);
  }
});
