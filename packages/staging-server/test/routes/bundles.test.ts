import { expect, it } from "vitest";
import { formatDigestField, type BundleList, type BundleManifest } from "@kindling/staging-client";
import { manifestOf, MIB, putBlob, sample, stage } from "../support/stage.ts";
import { jsonCall, openLease, problemOf, sharedServer, testServer, TEST_OWNER } from "../support/test-server.ts";

const shared = sharedServer();

it("commits files, and gives them to whoever has the secret", async () => {
  const server = shared();
  const bundle = await stage(server, { "jars/a.jar": MIB, "files/data.csv": 10 });
  const manifest = await server.call(`api/v1/bundles/${bundle.bundleId}`, { headers: bundle.headers });
  expect(manifest.headers["cache-control"]).toBe("no-store");
  const { files, manifestDigest } = manifest.json as BundleManifest;
  expect(manifestDigest).toBe(bundle.manifestDigest);
  expect(files.map(({ name }) => name)).toEqual(["jars/a.jar", "files/data.csv"]);
  for (const { name } of files) {
    const answer = await server.call(`api/v1/bundles/${bundle.bundleId}/files/${name}`, { headers: bundle.headers });
    expect(answer.status).toBe(200);
    expect(answer.body.equals(bundle.files[name]?.bytes ?? Buffer.alloc(0))).toBe(true);
  }
});

it("serves ranges, and only of the very file that the client has the beginning of", async () => {
  const server = shared();
  const bundle = await stage(server, { data: 100_000 });
  const { bytes, digest } = bundle.files["data"] ?? sample(0);
  const get = (headers: Record<string, string>, method = "GET") =>
    server.call(`api/v1/bundles/${bundle.bundleId}/files/data`, { method, headers: { ...bundle.headers, ...headers } });

  const whole = await get({});
  expect(whole.headers).toMatchObject({
    etag: `"${digest}"`,
    "accept-ranges": "bytes",
    "repr-digest": formatDigestField(digest),
    "content-length": "100000",
    "content-type": "application/octet-stream",
  });
  const rest = await get({ range: "bytes=99990-", "if-range": `"${digest}"` });
  expect([rest.status, rest.headers["content-range"]]).toEqual([206, "bytes 99990-99999/100000"]);
  expect(rest.body.equals(bytes.subarray(99_990))).toBe(true);
  expect((await get({ range: "bytes=5-9" })).body.equals(bytes.subarray(5, 10))).toBe(true);
  expect((await get({ range: "bytes=-3" })).body.equals(bytes.subarray(99_997))).toBe(true);
  expect((await get({ range: "bytes=10-", "if-range": '"sha256:other"' })).status).toBe(200);
  const beyond = await get({ range: "bytes=100000-" });
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */100000"]);
  expect((await get({ "if-none-match": `"x", "${digest}"` })).status).toBe(304);
  const head = await get({}, "HEAD");
  expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, "100000", 0]);
  for (const ignored of ["bytes=1-2,5-6", "lines=1-2", "bytes=9-5", "bytes=x"]) {
    expect((await get({ range: ignored })).status).toBe(200);
  }
});

it("tells a wrong secret from nothing else", async () => {
  const server = shared();
  const { bundleId, secret } = await stage(server, { a: 10 });
  const unknown = "11111111-1111-4111-8111-111111111111";
  const tries: [string, string | undefined][] = [
    [bundleId, undefined],
    [bundleId, ""],
    [bundleId, "Bearer "],
    [bundleId, `Bearer ${secret.slice(0, -1)}`],
    [bundleId, `Bearer ${secret}x`],
    [bundleId, `Bearer ${"x".repeat(16 * 1024)}`],
    [unknown, `Bearer ${secret}`],
    ["x%2f..%2f" + bundleId, `Bearer ${secret}`],
    ["..", `Bearer ${secret}`],
  ];
  const bodies = new Set<string>();
  for (const [id, authorization] of tries) {
    for (const path of [`api/v1/bundles/${id}`, `api/v1/bundles/${id}/files/a`]) {
      if (id === "..") continue;
      const answer = await server.call(path, { headers: authorization === undefined ? {} : { authorization } });
      expect(answer.status).toBe(401);
      const { requestId: _, ...rest } = answer.json as { requestId: string };
      bodies.add(JSON.stringify(rest));
    }
  }
  expect(bodies.size).toBe(1);
});

it("commits only what was uploaded under the lease, or is the namespace's own", async () => {
  const server = shared();
  const bundle = await stage(server, { a: 1000 });
  const [strange, own] = [sample(10), bundle.files["a"] ?? sample(0)];

  const other = await openLease(server, "team-b");
  const stolen = jsonCall({
    lease: other,
    owner: { ...TEST_OWNER, ownerNamespace: "team-b" },
    files: manifestOf({ own }),
  });
  const refused = await server.call("api/v1/bundles", stolen);
  expect([refused.status, problemOf(refused)]).toEqual([422, "blobs-missing"]);
  expect(refused.json).toMatchObject({ missing: [own.digest] });

  const lease = await openLease(server);
  const unknown = await server.call(
    "api/v1/bundles",
    jsonCall({ lease, owner: TEST_OWNER, files: manifestOf({ strange }) }),
  );
  expect(unknown.json).toMatchObject({ missing: [strange.digest] });
});

it("tells a namespace nothing of another one's files", async () => {
  const server = shared();
  const bundle = await stage(server, { a: 1000 });
  const own = bundle.files["a"] ?? sample(0);
  const ask = async (namespace: string): Promise<unknown> => {
    const lease = await openLease(server, namespace);
    const digests = [{ digest: own.digest, size: 1000 }];
    return (await server.call("api/v1/blobs:missing", jsonCall({ lease, digests }))).json;
  };
  expect(await ask("default")).toEqual({ missing: [] });
  expect(await ask("team-b")).toEqual({ missing: [own.digest] });
  const lease = await openLease(server, "team-b");
  // The client still has to send it, and it is accepted like a new file, so that the answers reveal nothing. The bytes
  // are stored once.
  expect(await putBlob(server, lease, own)).toBe(201);
});

it("tells everybody of all files where that is configured", async () => {
  const server = await testServer({ "dedupe.scope": "server" });
  const bundle = await stage(server, { a: 1000 });
  const own = bundle.files["a"] ?? sample(0);
  const lease = await openLease(server, "team-b");
  const answer = await server.call(
    "api/v1/blobs:missing",
    jsonCall({ lease, digests: [{ digest: own.digest, size: 1000 }] }),
  );
  expect(answer.json).toEqual({ missing: [] });
});

it.each([
  ["../x", "part"],
  ["/x", "empty part"],
  ["a/../../x", "part"],
  ["C:\\x", "control"],
  ["a\0b", "control"],
  ["", "empty"],
  ["x".repeat(256), "longer"],
  ["e\u0301", "normalization"],
  ["a/./b", "part"],
  ["a//b", "empty part"],
  ["\ud800", "Unicode"],
])("refuses %j as the name of a file", async (name, why) => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(10);
  await putBlob(server, lease, one);
  const answer = await server.call(
    "api/v1/bundles",
    jsonCall({ lease, owner: TEST_OWNER, files: manifestOf({ [name]: one }) }),
  );
  expect([answer.status, problemOf(answer)]).toEqual([400, "invalid-request"]);
  expect((answer.json as { detail: string }).detail).toContain(why);
});

it.each([[["a", "a"]], [["Data.csv", "data.CSV"]], [["a", "a/b"]]])(
  "refuses files that would meet: %j",
  async (names) => {
    const server = shared();
    const lease = await openLease(server);
    const one = sample(10);
    await putBlob(server, lease, one);
    const files = names.map((name) => ({ name, kind: "file", digest: one.digest, size: 10, mode: 0o644 }));
    const answer = await server.call("api/v1/bundles", jsonCall({ lease, owner: TEST_OWNER, files }));
    expect([answer.status, problemOf(answer)]).toEqual([400, "invalid-request"]);
  },
);

it("refuses a manifest that lies about a size", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(10);
  await putBlob(server, lease, one);
  const files = [{ name: "a", kind: "file", digest: one.digest, size: 11, mode: 0o644 }];
  const answer = await server.call("api/v1/bundles", jsonCall({ lease, owner: TEST_OWNER, files }));
  expect((answer.json as { detail: string }).detail).toContain("has 10 bytes, not 11");
});

it.each([
  [{ ownerNamespace: "../../etc" }],
  [{ ownerNamespace: "x".repeat(300) }],
  [{ ownerNamespace: "ünicode" }],
  [{ ownerLabels: {} }],
  [{ ownerLabels: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, "x"])) }],
  [{ ownerLabels: { "spark-app-selector": "x".repeat(64) } }],
  [{ ownerLabels: { "a b": "x" } }],
  [{ ownerLabels: { a: "b=c,d" } }],
  [{ ownerType: "../Pod" }],
])("refuses the owner %j", async (fault) => {
  const server = shared();
  const lease = await openLease(server);
  const owner = { ...TEST_OWNER, ...fault };
  const answer = await server.call("api/v1/bundles", jsonCall({ lease, owner, files: [] }));
  expect([answer.status, problemOf(answer)]).toEqual([400, "invalid-request"]);
});

it("commits an empty bundle", async () => {
  const server = shared();
  const bundle = await stage(server, {});
  const manifest = await server.call(`api/v1/bundles/${bundle.bundleId}`, { headers: bundle.headers });
  expect((manifest.json as BundleManifest).files).toEqual([]);
});

it("uses a lease up with its commit", async () => {
  const server = shared();
  const lease = await openLease(server);
  const commit = jsonCall({ lease, owner: TEST_OWNER, files: [] });
  expect((await server.call("api/v1/bundles", commit)).status).toBe(201);
  expect(problemOf(await server.call("api/v1/bundles", commit))).toBe("lease-expired");
});

it("shows bundles to those who may upload for their namespace", async () => {
  const server = await testServer();
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) ids.push((await stage(server, { [`f${index}`]: 10 })).bundleId);
  const first = (await server.call("api/v1/bundles?namespace=default&limit=2")).json as BundleList;
  const second = (await server.call(`api/v1/bundles?namespace=default&limit=2&continue=${first.continue}`))
    .json as BundleList;
  expect([...first.bundles, ...second.bundles].map(({ bundleId }) => bundleId)).toEqual(ids.toSorted());
  expect(second.continue).toBeUndefined();
  expect((await server.call("api/v1/bundles?namespace=other")).json).toEqual({ bundles: [] });
  for (const query of ["limit=-1", "limit=0", "limit=many", "namespace=a&namespace=b"])
    expect(problemOf(await server.call(`api/v1/bundles?${query}`)), query).toBe("invalid-request");
  expect(((await server.call("api/v1/bundles?limit=9999")).json as BundleList).bundles).toHaveLength(3);
  const status = await server.call(`api/v1/bundles/${ids[0]}/status`);
  expect(status.json).toMatchObject({
    state: "unused",
    files: 1,
    bytes: 10,
    owner: TEST_OWNER,
    createdBy: "anonymous",
  });
  expect(status.body.toString()).not.toContain("secret");
});

it("knows a bundle as used from its first download on", async () => {
  const server = shared();
  const bundle = await stage(server, { a: 10 });
  const state = async (): Promise<unknown> =>
    ((await server.call(`api/v1/bundles/${bundle.bundleId}/status`)).json as { state: string }).state;
  expect(await state()).toBe("unused");
  await server.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  expect(await state()).toBe("used");
});

it("binds a bundle to its owner, and deletes it, for whoever has the secret", async () => {
  const server = shared();
  const bundle = await stage(server, { a: 10 });
  const bind = { ...jsonCall({ uid: "7d3a-uid" }, bundle.headers), method: "PATCH" };
  expect((await server.call(`api/v1/bundles/${bundle.bundleId}/owner`, bind)).status).toBe(204);
  expect((await server.call(`api/v1/bundles/${bundle.bundleId}/status`)).json).toMatchObject({ ownerUid: "7d3a-uid" });
  const answer = await server.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
  expect(answer.status).toBe(204);
  expect((await server.call(`api/v1/bundles/${bundle.bundleId}`, { headers: bundle.headers })).status).toBe(401);
});

it("keeps bundles and secrets over a restart", async () => {
  const server = await testServer();
  const bundle = await stage(server, { a: 3 * MIB });
  const restarted = await server.restart();
  const answer = await restarted.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  expect(answer.body.equals(bundle.files["a"]?.bytes ?? Buffer.alloc(0))).toBe(true);
});

it("has no file that the bundle does not have", async () => {
  const server = shared();
  const bundle = await stage(server, { a: 10 });
  for (const name of ["b", "A", "", "a/", "..%2fa", "%2e%2e/a"]) {
    const answer = await server.call(`api/v1/bundles/${bundle.bundleId}/files/${name}`, { headers: bundle.headers });
    expect(answer.status).toBe(404);
  }
});
