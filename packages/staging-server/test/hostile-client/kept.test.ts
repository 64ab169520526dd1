import { readdir } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { join } from "node:path";
import { digestOf, formatDigestField, type NamespaceUsage, type StorageStatus } from "@kindling/staging-client";
import { expect, it } from "vitest";
import { eventually } from "@kindling/test-kit/eventually";
import { sample } from "../../src/testing/random-bytes.ts";
import { clusteredServer, collect, MINUTES } from "../support/clustered-server.ts";
import { dial, head } from "@kindling/test-kit/hostile-socket";
import { httpCall, type Answer } from "../support/http-call.ts";
import { serverProcess } from "../support/server-process.ts";
import { tenant, tenantSettings, type Tenant } from "../support/tenants.ts";
import { jsonCall, openLease, problemOf } from "../support/test-server.ts";

const KIB = 1024;

function refusalOf(answer: Answer): { readonly problem: string; readonly detail: string } {
  return { problem: problemOf(answer), detail: (answer.json as { detail: string }).detail };
}

async function usageOf(tenant: Tenant): Promise<NamespaceUsage | undefined> {
  const status = (await tenant.call("GET", "stat")).json as StorageStatus;
  return status.namespaces.find(({ namespace }) => namespace === tenant.namespace);
}

function createUpload(
  server: { readonly uri: string },
  { headers }: { readonly headers: OutgoingHttpHeaders },
  lease: string,
  size: number,
  { digest } = sample(size),
): Promise<Answer> {
  return httpCall(new URL(`api/v1/uploads?lease=${lease}`, server.uri).href, {
    method: "POST",
    headers: {
      ...headers,
      "upload-complete": "?0",
      "upload-length": size,
      "repr-digest": formatDigestField(digest),
      "content-length": 0,
    },
  });
}

it("opens so many leases for a namespace, says what frees some, and others go on", async () => {
  const settings = { ...(await tenantSettings()), "limits.leasesPerNamespace": 20 };
  const server = await serverProcess(settings);
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  const leases: string[] = [];
  for (let index = 0; index < 20; index++) leases.push(await evil.openLease());
  const refused = await evil.call("POST", "leases", { namespace: "evil" });
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(refusalOf(refused)).toMatchObject({
    problem: "limit-reached",
    detail: expect.stringMatching(/^namespace evil has 20 leases, of 20 it may have \(limits.leasesPerNamespace\); /),
  });
  await good.openLease();
  expect((await evil.call("DELETE", `leases/${leases[0]}`)).status).toBe(204);
  await evil.openLease();
  // Leases from before a restart count, too.
  await server.kill();
  const restarted = tenant(await serverProcess(settings), "evil");
  expect((await restarted.call("POST", "leases", { namespace: "evil" })).status).toBe(429);
  expect((await restarted.call("DELETE", `leases/${leases[1]}`)).status).toBe(204);
  await restarted.openLease();
});

it("begins so many uploads for a namespace", async () => {
  const server = await serverProcess({ ...(await tenantSettings()), "limits.openUploadsPerNamespace": 5 });
  const evil = tenant(server, "evil");
  const lease = await evil.openLease();
  const created: Answer[] = [];
  for (let index = 0; index < 6; index++) created.push(await createUpload(server, evil, lease, 1000 + index));
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
  await httpCall(new URL(created[0]?.headers.location ?? "", server.uri).href, {
    method: "DELETE",
    headers: evil.headers,
  });
  expect((await createUpload(server, evil, lease, 2000)).status).toBe(201);
});

it("keeps so many bundles of a namespace", async () => {
  const server = await serverProcess({ ...(await tenantSettings()), "limits.bundlesPerNamespace": 3 });
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  for (let index = 0; index < 3; index++) await evil.stage(10);
  const lease = await evil.openLease();
  const refused = await evil.commit(lease, []);
  expect([refused.status, refusalOf(refused).problem]).toEqual([429, "limit-reached"]);
  await good.stage(10);
});

it("has a lease name so many files, and does not keep a file of its own for each question", async () => {
  const settings = { ...(await tenantSettings()), "limits.bundleFiles": 200 };
  const server = await serverProcess(settings);
  const evil = tenant(server, "evil");
  const lease = await evil.openLease();
  const ask = (from: number, count: number): Promise<Answer> => {
    const digests = Array.from({ length: count }, (_, index) => ({ digest: digestOf(`${from + index}`), size: 1 }));
    return evil.call("POST", "blobs:missing", { lease, digests });
  };
  expect((await ask(0, 400)).status).toBe(200);
  expect((await ask(0, 400)).status).toBe(200);
  const refused = await ask(400, 1);
  expect([refused.status, refusalOf(refused).problem]).toEqual([429, "limit-reached"]);

  const files = Array.from({ length: 150 }, (_, index) => sample(10 + index));
  const second = await evil.openLease();
  for (const file of files) await evil.put(second, file);
  for (const { digest, bytes } of files) {
    await evil.call("POST", "blobs:missing", { lease: second, digests: [{ digest, size: bytes.length }] });
  }
  const entries = await readdir(join(settings["store.path"] ?? "", "meta", "lease-entries", second));
  expect(entries.length).toBeLessThan(50);
  expect((await evil.commit(second, files)).status).toBe(201);
});

it("counts lists of files, leases and uploads against the quota, each in blocks", async () => {
  const settings = { ...(await tenantSettings()), "quota.default": 1024 * KIB };
  const server = await serverProcess(settings);
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  const staged = await evil.stage(10);
  const lease = await evil.openLease();
  await evil.put(lease, staged.file);
  const commit = async (): Promise<Answer> => {
    const { digest } = staged.file;
    const files = Array.from({ length: 2000 }, (_, index) => {
      return { name: `${"n".repeat(50)}${index}`, kind: "file", digest, size: 10, mode: 0o644 };
    });
    const own = await evil.openLease();
    await evil.call("POST", "blobs:missing", { lease: own, digests: [{ digest, size: 10 }] });
    const owner = { ownerNamespace: "evil", ownerLabels: { app: "a" }, ownerType: "Pod" };
    return await evil.call("POST", "bundles", { lease: own, owner, files });
  };
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++) statuses.push((await commit()).status);
  expect(statuses).toEqual([201, 201, 507, 507]);
  expect((await usageOf(evil))?.storedBytes).toBeLessThanOrEqual(1024 * KIB);
  expect((await good.stage(500 * KIB)).file.bytes).toHaveLength(500 * KIB);
  expect((await usageOf(good))?.storedBytes).toBeLessThan(530 * KIB);

  const small: number[] = [];
  const own = await good.openLease();
  // Each file of ten bytes takes a block, and sometimes the lease's note about it takes one too.
  for (let index = 0; index < 150; index++) small.push((await good.put(own, sample(10 + index))).status);
  expect(small.filter((status) => status === 201).length).toBeLessThan(130);
  expect(small.at(-1)).toBe(507);
}, 60_000);

it("counts what is there of an upload that nobody sends to", async () => {
  const server = await serverProcess({ ...(await tenantSettings()), "quota.default": 1000 * KIB });
  const evil = tenant(server, "evil");
  const lease = await evil.openLease();
  const created = await createUpload(server, evil, lease, 900 * KIB);
  const part = await httpCall(new URL(created.headers.location ?? "", server.uri).href, {
    method: "PATCH",
    headers: {
      ...evil.headers,
      "content-type": "application/partial-upload",
      "upload-offset": 0,
      "upload-complete": "?0",
    },
    body: Buffer.alloc(800 * KIB),
  });
  expect(part.status).toBe(204);
  expect((await evil.put(lease, sample(300 * KIB))).status).toBe(507);
  expect((await evil.put(lease, sample(100 * KIB))).status).toBe(201);
});

it.each([
  ["its quarter of the memory", { "limits.memory": 4000 * KIB }],
  ["what the setting says", { "limits.memoryPerNamespace": 1000 * KIB }],
])("keeps no more in memory for a namespace than %s", async (_what, settings) => {
  const server = await serverProcess({ ...(await tenantSettings()), ...settings });
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  const asked: Answer[] = [];
  for (let index = 0; index < 20 && asked.at(-1)?.status !== 429; index++) {
    const digests = Array.from({ length: 500 }, (_, each) => ({ digest: digestOf(`${index} ${each}`), size: 1 }));
    asked.push(await evil.call("POST", "blobs:missing", { lease: await evil.openLease(), digests }));
  }
  expect(asked.map(({ status }) => status).at(-1)).toBe(429);
  expect(asked.length).toBeGreaterThan(3);
  await good.stage(1000);
});

it("keeps one note of a finished upload, however often somebody asks about it", async () => {
  const settings = await tenantSettings();
  const server = await serverProcess(settings);
  const evil = tenant(server, "evil");
  const lease = await evil.openLease();
  const file = sample(1000);
  const created = await createUpload(server, evil, lease, file.bytes.length, file);
  const upload = new URL(created.headers.location ?? "", server.uri).href;
  const fields = { "content-type": "application/partial-upload", "upload-offset": 0, "upload-complete": "?1" };
  const headers = { ...evil.headers, ...fields };
  expect((await httpCall(upload, { method: "PATCH", headers, body: file.bytes })).status).toBe(201);
  const entries = (): Promise<string[]> => readdir(join(settings["store.path"] ?? "", "meta", "lease-entries", lease));
  const before = (await entries()).length;
  for (let index = 0; index < 20; index++) {
    expect((await httpCall(upload, { method: "HEAD", headers: evil.headers })).status).toBe(204);
  }
  expect((await entries()).length).toBe(before);
});

it("holds uploads of the old wire to the limits of their namespace, and of where they come from", async () => {
  const settings = { "v0.uploads": "open", "limits.bundlesPerNamespace": 2, "limits.uploadsPerClient": 3 } as const;
  const server = await serverProcess({ ...(await tenantSettings()), ...settings });
  const resources = new URL("api/v0/resources/", server.uri).href;
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const part = (name: string, text: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const owner = { ownerNamespace: "evil", ownerLabels: { app: "a" }, ownerType: "Pod" };
  const submit = (index: number): Promise<Answer> => {
    const body = `${part("resources", `file ${index}`)}${part("resourcesOwner", JSON.stringify(owner))}--b--\r\n`;
    return httpCall(resources, { method: "POST", headers: type, body });
  };
  const answers: Answer[] = [];
  for (let index = 0; index < 3; index++) answers.push(await submit(index));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);

  for (let index = 0; index < 3; index++) {
    const hostile = dial(server.uri);
    hostile.send(head("POST", "/api/v0/resources/", { "Content-Type": type["content-type"], "Content-Length": 1000 }));
    hostile.send(part("resources", "x").slice(0, -2));
  }
  await eventually(async () => expect(problemOf(await submit(9))).toBe("too-many-uploads"));
});

it("takes what has expired off the account of its namespace", async () => {
  const { server, clock } = await clusteredServer({
    "limits.leasesPerNamespace": 2,
    "limits.openUploadsPerNamespace": 1,
  });
  const lease = await openLease(server);
  await openLease(server);
  const open = (): Promise<Answer> => server.call("api/v1/leases", jsonCall({ namespace: "default" }));
  expect((await open()).status).toBe(429);
  const anybody = { headers: {} };
  expect((await createUpload(server, anybody, lease, 1000)).status).toBe(201);
  expect((await createUpload(server, anybody, lease, 1001)).status).toBe(429);
  await clock.advance(7 * 60 * MINUTES);
  await collect(server);
  const later = await openLease(server);
  expect((await createUpload(server, anybody, later, 1001)).status).toBe(201);
  const stat = (await server.call("api/v1/stat")).json as StorageStatus;
  expect(stat.openUploads).toBe(1);
});
