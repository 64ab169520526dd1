import { expect, it } from "vitest";
import { someRounds } from "@kindling/test-kit/rounds";
import { fakeHdfs } from "@kindling/test-kit/fake-hdfs";
import { fakeS3 } from "@kindling/test-kit/fake-s3";
import { collect, damageLogged, metric } from "../support/data-folder.ts";
import { hdfsSettings } from "../support/hdfs-storage.ts";
import { s3Settings, S3_ENV } from "../support/s3-storage.ts";
import { stage, type StagedBundle } from "../support/stage.ts";
import { testServer, type TestServer } from "../support/test-server.ts";

interface Shared {
  start(): Promise<TestServer>;
  /** Puts other bytes into a document, as another program might that was interrupted. */
  spoil(document: string, bytes: string): void;
}

const LIVES = { "lifecycle.blobGrace": 0, "lifecycle.unusedTtl": 3600 };

async function s3(): Promise<Shared> {
  const fake = await fakeS3();
  const settings = { ...s3Settings(fake.endpoint), ...LIVES, "store.s3.redirect": false };
  return {
    start: () => testServer(settings, { env: S3_ENV }),
    spoil: (document, bytes) => fake.spoil(`some/where/meta/${document}.json`, bytes),
  };
}

async function webhdfs(): Promise<Shared> {
  const fake = await fakeHdfs();
  return {
    start: () => testServer({ ...hdfsSettings([fake.endpoint]), ...LIVES }),
    spoil(document, bytes) {
      const states = fake.paths().filter((path) => path.startsWith(`/some/where/meta/${document}/`));
      fake.spoil(states.sort((a, b) => Number(a.split("/").at(-1)) - Number(b.split("/").at(-1))).at(-1) ?? "", bytes);
    },
  };
}

async function isServed(server: TestServer, { bundleId, headers, files }: StagedBundle): Promise<boolean> {
  const answer = await server.call(`api/v1/bundles/${bundleId}/files/a`, { headers });
  return answer.status === 200 && answer.body.equals(files["a"]?.bytes ?? Buffer.alloc(0));
}

const CASES = (["bundles", "manifests", "state"] as const).flatMap((document) =>
  ["", '{"half":', "null", '{"valid":"json"}'].flatMap((bytes) =>
    (
      [
        ["S3", s3],
        ["HDFS", webhdfs],
      ] as const
    ).map(([where, open]) => [document, bytes, where, open] as const),
  ),
);

it.each(someRounds("shared documents", CASES, 1 / 3))(
  "starts, collects and serves where a document of %s holds %j at %s",
  async (kind, bytes, _at, open) => {
    const shared = await open();
    const first = await shared.start();
    const [lost, kept] = [await stage(first, { a: 1000 }), await stage(first, { a: 2000 })];
    await collect(first);
    await first.stop();
    const document = kind === "state" ? "state/service-clock" : `${kind}/${lost.bundleId}`;
    shared.spoil(document, bytes);
    const server = await shared.start();
    await collect(server);
    expect(damageLogged(server)).toEqual([document]);
    expect(await metric(server, "staging_damaged_documents_total")).toBe(1);
    expect(await isServed(server, kept)).toBe(true);
    expect(await isServed(server, await stage(server, { a: 3000 }))).toBe(true);
    await collect(server);
    expect(await isServed(server, kept)).toBe(true);
    // The damage is reported once.
    expect(damageLogged(server)).toEqual([document]);
  },
);
