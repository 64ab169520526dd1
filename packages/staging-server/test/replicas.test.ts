import { ManualClock } from "@kindling/outside";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { formatDigestField } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { fakeS3, type FakeS3 } from "@kindling/test-kit/fake-s3";
import { documentElection } from "../src/replicas/document-election.ts";
import { replicaReaders } from "../src/replicas/replica-readers.ts";
import { serviceClock } from "../src/metadata/service-clock.ts";
import { localDocuments } from "../src/stores/local-disk/local-documents.ts";
import { httpCall } from "./support/http-call.ts";
import { s3Settings, S3_ENV } from "./support/s3-storage.ts";
import { manifestOf, MIB, putBlob, sample, stage, type Sample } from "./support/stage.ts";
import { jsonCall, openLease, problemOf, testServer, TEST_OWNER, type TestServer } from "./support/test-server.ts";

async function replicas(settings = {}): Promise<{ s3: FakeS3; one: TestServer; two: TestServer }> {
  const s3 = await fakeS3();
  const all = { ...s3Settings(s3.endpoint, settings), "store.s3.redirect": false };
  const one = await testServer(all, { env: S3_ENV });
  const two = await testServer(all, { env: S3_ENV });
  return { s3, one, two };
}

async function createUpload(server: TestServer, lease: string, { digest, bytes }: Sample): Promise<string> {
  const answer = await server.call(`api/v1/uploads?lease=${lease}`, {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": bytes.length,
      "repr-digest": formatDigestField(digest),
      "content-length": 0,
    },
  });
  return answer.headers.location ?? "";
}

function append(server: TestServer, path: string, offset: number, body: Buffer, last: boolean) {
  return server.call(path, {
    method: "PATCH",
    headers: {
      "content-type": "application/partial-upload",
      "upload-offset": offset,
      "upload-complete": last ? "?1" : "?0",
    },
    body,
  });
}

it("goes on at one server with what another one has begun", async () => {
  const { one, two } = await replicas();
  const lease = await openLease(one);
  const file = sample(17 * MIB);
  const path = await createUpload(one, lease, file);
  expect((await append(one, path, 0, file.bytes.subarray(0, 7 * MIB), false)).status).toBe(204);
  expect((await two.call(path, { method: "HEAD" })).headers["upload-offset"]).toBe(String(7 * MIB));
  expect((await append(two, path, 7 * MIB, file.bytes.subarray(7 * MIB, 12 * MIB), false)).status).toBe(204);
  expect((await append(one, path, 12 * MIB, file.bytes.subarray(12 * MIB), true)).status).toBe(201);
  const small = sample(100);
  expect(await putBlob(two, lease, small)).toBe(201);
  const commit = await one.call(
    "api/v1/bundles",
    jsonCall({ lease, owner: TEST_OWNER, files: manifestOf({ file, small }) }),
  );
  expect(commit.status).toBe(201);
  const { bundleId, secret } = commit.json as { bundleId: string; secret: string };
  for (const server of [one, two]) {
    const answer = await server.call(`api/v1/bundles/${bundleId}/files/file`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(answer.body.equals(file.bytes)).toBe(true);
  }
}, 20_000);

it("finds bytes of another server wrong if they are", async () => {
  const { one, two } = await replicas();
  const lease = await openLease(one);
  const [file, other] = [sample(12 * MIB), sample(12 * MIB)];
  const path = await createUpload(one, lease, file);
  await append(one, path, 0, other.bytes.subarray(0, 6 * MIB), false);
  const answer = await append(two, path, 6 * MIB, file.bytes.subarray(6 * MIB), true);
  expect([answer.status, problemOf(answer)]).toEqual([400, "digest-mismatch"]);
}, 20_000);

it("lets a request at one server take over from one that hangs at another", async () => {
  const { s3, one, two } = await replicas();
  const lease = await openLease(one);
  const file = sample(17 * MIB);
  const path = await createUpload(one, lease, file);
  const uploadId = path.slice(path.lastIndexOf("/") + 1);
  const hanging = connect(Number(new URL(one.uri).port), "127.0.0.1");
  hanging.on("error", () => undefined);
  hanging.write(
    `PATCH ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/partial-upload\r\nUpload-Offset: 0\r\nUpload-Complete: ?1\r\nContent-Length: ${file.bytes.length}\r\n\r\n`,
  );
  hanging.write(file.bytes.subarray(0, 8 * MIB));
  await eventually(async () => {
    expect((await httpCall(`${one.adminUri}metrics`)).body.toString()).toMatch(
      new RegExp(`^staging_received_bytes_total ${8 * MIB}$`, "m"),
    );
  });
  // After the first request to the other server, the hanging server may not record anything: it must have done so before.
  await eventually(() => {
    const written = [...s3.objects].filter(([key]) => key.includes(uploadId)).map(([, { bytes }]) => bytes.toString());
    expect(written.join()).toContain(`"offset":${5 * MIB}`);
  });
  const offset = await eventually(async () => {
    const now = Number((await two.call(path, { method: "HEAD" })).headers["upload-offset"]);
    expect(now).toBe(5 * MIB);
    return now;
  });
  // The first server goes on, and its write is refused.
  hanging.write(file.bytes.subarray(8 * MIB, 16 * MIB));
  expect((await append(two, path, offset, file.bytes.subarray(offset), true)).status).toBe(201);
  hanging.destroy();
  const commit = await two.call("api/v1/bundles", jsonCall({ lease, owner: TEST_OWNER, files: manifestOf({ file }) }));
  const { bundleId, secret } = commit.json as { bundleId: string; secret: string };
  const answer = await one.call(`api/v1/bundles/${bundleId}/files/file`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(answer.body.equals(file.bytes)).toBe(true);
}, 30_000);

it("has one server that deletes, and another one when that leaves", async () => {
  const { one, two } = await replicas({ "lifecycle.blobGrace": 0 });
  const collect = (server: TestServer) => server.call("api/v1/gc", jsonCall({}));
  await eventually(async () => expect((await collect(one)).status).toBe(200));
  const refused = await collect(two);
  expect([refused.status, problemOf(refused)]).toEqual([409, "conflict"]);
  await one.stop();
  await eventually(async () => expect((await collect(two)).status).toBe(200), { interval: 200 });
}, 30_000);

it("shows a bundle at one server the moment that another one has committed it, and not after its deletion", async () => {
  const { one, two } = await replicas();
  const bundle = await stage(one, { a: 100 });
  const get = () => two.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  expect((await get()).status).toBe(200);
  await one.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
  expect((await two.call("api/v1/bundles")).json).toEqual({ bundles: [] });
  expect((await get()).status).toBe(401);
});

async function sharedDocuments() {
  return { ...(await localDocuments(scratchFolder().path)), shared: true };
}

it("counts what every server reads as being read, until that server has been silent for long", async () => {
  const documents = await sharedDocuments();
  const clock = new ManualClock();
  const service = await serviceClock(documents, clock);
  const read = sample(10);
  const other = replicaReaders(documents, "other", () => new Set([read.digest]), service);
  const mine = replicaReaders(documents, "mine", () => new Set(), service);
  await other.announce();
  expect([...(await mine.all())]).toEqual([read.digest]);
  await clock.advance(300_000);
  expect([...(await mine.all())]).toEqual([read.digest]);
  await clock.advance(200_000);
  expect([...(await mine.all())]).toEqual([]);
  await other.announce();
  await other.withdraw();
  expect([...(await mine.all())]).toEqual([]);
});

it("never has two servers in charge, though one of them hangs", async () => {
  const documents = await sharedDocuments();
  const clocks = [new ManualClock(), new ManualClock()];
  const errors: unknown[] = [];
  const elect = (index: number) =>
    documentElection({
      documents,
      clock: clocks[index] ?? new ManualClock(),
      identity: `server-${index}`,
      onError: (error) => errors.push(error),
    });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  const one = elect(0);
  await eventually(() => expect(one.inCharge()).toBe(true));
  const two = elect(1);
  await settle();
  // Only the other server's time goes on: the first server does not run. When it runs again, its own clock shows that its
  // time is over.
  for (let second = 0; second < 24; second++) {
    await clocks[1]?.advance(1000);
    await settle();
    expect(two.inCharge()).toBe(false);
  }
  await eventually(async () => {
    await clocks[1]?.advance(1000);
    expect(two.inCharge()).toBe(true);
  });
  await clocks[0]?.advance(12_000);
  expect(one.inCharge()).toBe(false);
  expect(errors).toEqual([]);
  await two.close();
  await one.close();
});

it("counts time together: what one server stamps is not old at another", async () => {
  const documents = await sharedDocuments();
  const [first, second] = [new ManualClock(), new ManualClock()];
  const leader = await serviceClock(documents, first);
  await first.advance(600_000);
  await leader.synchronise(true);
  const follower = await serviceClock(documents, second);
  expect(follower.seconds()).toBeGreaterThanOrEqual(600);
  await first.advance(30_000);
  await leader.synchronise(true);
  await second.advance(30_000);
  await follower.synchronise(false);
  expect(Math.abs(leader.seconds() - follower.seconds())).toBeLessThanOrEqual(follower.slackSeconds);
  const before = follower.seconds();
  await follower.synchronise(false);
  expect(follower.seconds()).toBeGreaterThanOrEqual(before);
});
