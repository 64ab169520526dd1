import { buffer } from "node:stream/consumers";
import { sparkConf, type SparkConf } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import { AZURITE_ACCOUNT, AZURITE_KEY, hasAzurite, startAzurite } from "@kindling/test-kit/azurite";
import { caught } from "@kindling/test-kit/caught";
import { hasFakeGcsServer, startFakeGcsServer } from "@kindling/test-kit/fake-gcs-server";
import { recordingPeer } from "@kindling/test-kit/recording-peer";
import type { RealServer } from "@kindling/test-kit/real-server";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { azureBucket, azureLocation } from "@kindling/object-store/azure";
import { httpTransport, withoutProxy } from "@kindling/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { upload } from "../../src/upload/upload.ts";
import type { UploadOutside } from "../../src/upload/upload-outside.ts";

const MIB = 1024 * 1024;
/** Sizes around one part. */
const FILES: readonly (readonly [name: string, size: number])[] = [
  ["empty.jar", 0],
  ["my app (1)+é'!*%41.jar", 1234],
  ["parts.jar", 50 * MIB + 1],
];

/** An environment with these variables, on a machine outside of any cloud. */
function withEnv(env: Record<string, string> = {}): UploadOutside {
  return { ...systemOutside(), env: { GCE_METADATA_HOST: "no-such-host.invalid", ...env } };
}

function confOf(entries: Record<string, string>): SparkConf {
  return sparkConf(
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [`spark.hadoop.fs.${key}`, value])),
    { sparkVersion: "4.1.1" },
  );
}

describe.skipIf(!hasFakeGcsServer)("uploads to an emulator of Google Cloud Storage", () => {
  const store = async (): Promise<RealServer> => {
    const server = await startFakeGcsServer("jobs");
    onTestFinished(() => server.stop());
    return server;
  };

  test.each(FILES)("%s of %i bytes arrives unchanged", async (name, size) => {
    const { endpoint } = await store();
    const bytes = Buffer.alloc(size, "some bytes of a jar ");
    const source = scratchFolder().write(name, bytes);
    const conf = confOf({ "gs.storage.root.url": endpoint });
    await upload({ source, destination: `gs://jobs/a/${name}` }, conf, withEnv(), undefined);
    const listing = await fetch(`${endpoint}/storage/v1/b/jobs/o`);
    const { items } = (await listing.json()) as { readonly items: readonly { readonly name: string }[] };
    expect(items.map((item) => item.name)).toEqual([`a/${name}`]);
    const stored = await fetch(`${endpoint}/storage/v1/b/jobs/o/${encodeURIComponent(`a/${name}`)}?alt=media`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("a bucket that is not there is an error of the upload", async () => {
    const { endpoint } = await store();
    const source = scratchFolder().write("app.jar", "content");
    const conf = confOf({ "gs.storage.root.url": endpoint });
    const error = await caught(upload({ source, destination: "gs://other/app.jar" }, conf, withEnv(), undefined));
    expect(error).toMatchObject({
      code: "UPLOAD_FAILED",
      message: expect.stringMatching(/refused POST app.jar: .*HTTP (status )?404/) as string,
    });
  });
});

test("without credentials, an upload to Google Cloud Storage says how to get them", async () => {
  const source = scratchFolder().write("app.jar", "content");
  const attempt = upload({ source, destination: "gs://jobs/app.jar" }, confOf({}), withEnv(), undefined);
  expect(await caught(attempt)).toMatchObject({
    code: "CONF_MISSING",
    hint: "run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS",
  });
});

test("the connector's key file is used before anything else", async () => {
  const source = scratchFolder().write("app.jar", "content");
  const conf = confOf({ "gs.auth.service.account.json.keyfile": "/no/such/key.json" });
  const attempt = upload({ source, destination: "gs://jobs/app.jar" }, conf, withEnv(), undefined);
  expect(await caught(attempt)).toMatchObject({
    code: "CONF_INVALID",
    message: "spark.hadoop.fs.gs.auth.service.account.json.keyfile: /no/such/key.json does not exist",
  });
});

describe.skipIf(!hasAzurite)("uploads to an emulator of Azure's Blob service", () => {
  const HOST = `${AZURITE_ACCOUNT}.dfs.core.windows.net`;
  const store = async (): Promise<RealServer> => {
    const server = await startAzurite(scratchFolder().path, "jobs");
    onTestFinished(() => server.stop());
    return server;
  };

  test.each(FILES)("%s of %i bytes arrives unchanged", async (name, size) => {
    const { endpoint } = await store();
    const bytes = Buffer.alloc(size, "some bytes of a jar ");
    const source = scratchFolder().write(name, bytes);
    const conf = confOf({ [`azure.account.key.${HOST}`]: AZURITE_KEY });
    const outside = withEnv({ AZURE_STORAGE_BLOB_ENDPOINT: endpoint });
    await upload({ source, destination: `abfss://jobs@${HOST}/a/${name}` }, conf, outside, undefined);
    expect((await stored(endpoint, `a/${name}`, size)).equals(bytes)).toBe(true);
  });

  test("a wrong key is refused, in the store's words and without the key", async () => {
    const { endpoint } = await store();
    const source = scratchFolder().write("app.jar", "content");
    const key = Buffer.from("not the key").toString("base64");
    const outside = withEnv({ AZURE_STORAGE_BLOB_ENDPOINT: endpoint, AZURE_STORAGE_KEY: key });
    const error = await caught(
      upload({ source, destination: `abfss://jobs@${HOST}/app.jar` }, confOf({}), outside, undefined),
    );
    expect(error).toMatchObject({
      code: "UPLOAD_FAILED",
      message: expect.stringContaining("AuthorizationFailure, HTTP 403") as string,
    });
    expect(String(error)).not.toContain(key);
  });

  test("C9: the account's key itself is not sent", async () => {
    const { endpoint } = await store();
    const peer = await recordingPeer(new URL(endpoint).origin);
    const source = scratchFolder().write("app.jar", "content");
    const outside = withEnv({
      AZURE_STORAGE_BLOB_ENDPOINT: `${peer.url}/${AZURITE_ACCOUNT}`,
      AZURE_STORAGE_KEY: AZURITE_KEY,
    });
    await upload({ source, destination: `abfss://jobs@${HOST}/app.jar` }, confOf({}), outside, undefined);
    expect(peer.received()).toContain(`PUT /${AZURITE_ACCOUNT}/jobs/app.jar`);
    expect(peer.received()).not.toContain(AZURITE_KEY);
  });

  async function stored(endpoint: string, key: string, size: number): Promise<Buffer> {
    const { clock, random } = systemOutside();
    const limits = { connectTimeoutMs: 10_000, stallTimeoutMs: 10_000, answerTimeoutMs: 10_000 };
    const transport = httpTransport({ clock, tls: {}, proxies: withoutProxy, ...limits });
    onTestFinished(() => transport.close());
    const bucket = azureBucket({
      ...azureLocation(`abfss://jobs@${HOST}/`, endpoint),
      credentials: () => Promise.resolve({ kind: "key", key: AZURITE_KEY }),
      connection: { clock, random, transport },
    });
    expect(await bucket.stat(key)).toMatchObject({ size });
    const response = size === 0 ? undefined : await bucket.open(key, { start: 0, end: size });
    return response === undefined ? Buffer.alloc(0) : await buffer(response.body);
  }
});

test.each([
  ["gs:///a/app.jar", "gs:///a/app.jar names no bucket"],
  ["abfss://account.dfs.core.windows.net/app.jar", "abfss://account.dfs.core.windows.net/app.jar names no container"],
])("%s cannot be uploaded to", async (destination, message) => {
  const source = scratchFolder().write("app.jar", "content");
  expect(await caught(upload({ source, destination }, confOf({}), withEnv(), undefined))).toMatchObject({
    code: "CONF_INVALID",
    message,
  });
});
