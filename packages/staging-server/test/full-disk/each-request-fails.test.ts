import { readdir, readlink } from "node:fs/promises";
import { expect, it } from "vitest";
import { systemRandom } from "@kindling/outside";
import { eventually } from "@kindling/test-kit/eventually";
import { fakeHdfs } from "@kindling/test-kit/fake-hdfs";
import { fakeS3 } from "@kindling/test-kit/fake-s3";
import { ALL_ROUNDS } from "@kindling/test-kit/rounds";
import { hdfsSettings } from "../support/hdfs-storage.ts";
import { PatientClient } from "../support/patient-client.ts";
import { s3Settings, S3_ENV } from "../support/s3-storage.ts";
import { MIB } from "../support/stage.ts";
import { testServer, type TestServer } from "../support/test-server.ts";

/** A storage behind HTTP whose answers a test can turn into failures. */
interface FailingStorage {
  readonly server: TestServer;
  /** Calls back before each request of the server. */
  readonly onRequest: (hook: (() => void) | undefined) => void;
  /** The next request fails, however often it is repeated. */
  readonly failNext: () => void;
}

// With this, retries come at once.
const IMPATIENT = { ...systemRandom(), fraction: () => 0.001 };

async function s3(): Promise<FailingStorage> {
  const fake = await fakeS3();
  const settings = { ...s3Settings(fake.endpoint), "store.s3.redirect": false, "lifecycle.blobGrace": 0 };
  const fault = { kind: "status", status: 503, code: "SlowDown" } as const;
  return {
    server: await testServer(settings, { env: S3_ENV, random: IMPATIENT }),
    onRequest: (hook) => fake.onRequest(hook),
    failNext: () => fake.fail(/^/, fault, fault, fault, fault, fault),
  };
}

async function webhdfs(): Promise<FailingStorage> {
  const fake = await fakeHdfs();
  const settings = { ...hdfsSettings([fake.endpoint]), "lifecycle.blobGrace": 0 };
  const fault = { kind: "exception", status: 503, exception: "RetriableException" } as const;
  return {
    server: await testServer(settings, { random: IMPATIENT }),
    onRequest: (hook) => fake.onRequest(hook),
    failNext: () => fake.fail("*", fault, fault, fault, fault, fault, fault),
  };
}

async function spoolFiles(): Promise<string[]> {
  const targets = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return targets.filter((target) => target.includes("/kindling-staging-") && target.endsWith("(deleted)"));
}

// Every request with KINDLING_ROUNDS=all; otherwise an eighth of them, with other ones for each storage and flow.
const STEP = ALL_ROUNDS ? 1 : 8;

it.each([
  ["an upload that is resumed", "S3", s3, "resumableFlow"],
  ["an upload that is given up", "S3", s3, "cancelFlow"],
  ["a collection", "S3", s3, "collectFlow"],
  ["an upload that is resumed", "HDFS", webhdfs, "resumableFlow"],
  ["an upload that is given up", "HDFS", webhdfs, "cancelFlow"],
  ["a collection", "HDFS", webhdfs, "collectFlow"],
] as const)(
  "answers every request, leaks no file, and gets through, whichever request fails during %s at %s",
  async (_what, _where, open, flow) => {
    const { server, onRequest, failNext } = await open();
    const client = (): PatientClient =>
      new PatientClient({ call: (path, call) => server.call(path, call), mayLoseUploads: true, size: 5.5 * MIB });
    let requests = 0;
    await client()[flow]();
    onRequest(() => requests++);
    await client()[flow]();
    const last = requests;
    expect(last).toBeGreaterThan(5);
    let met = 0;
    for (let at = 1 + (last % STEP); at <= last; at += STEP) {
      let seen = 0;
      onRequest(() => {
        if (++seen === at) failNext();
      });
      const patient = client();
      await patient[flow]();
      met += patient.failures.length;
      await eventually(async () => expect(await spoolFiles(), `after request ${at}`).toEqual([]));
    }
    expect(met).toBeGreaterThan(0);
    onRequest(undefined);
    expect((await server.call("api/v1/stat")).json).toMatchObject({ reservedBytes: 0 });
  },
  240_000,
);
