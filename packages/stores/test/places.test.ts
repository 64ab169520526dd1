import { httpTransport, withoutProxy } from "@kindling/http";
import { systemOutside } from "@kindling/outside";
import { FAKE_BUCKET, fakeS3 } from "@kindling/test-kit/fake-s3";
import { expect, onTestFinished, test } from "vitest";
import { adlsPlace } from "../src/adls/adls-place.ts";
import type { PlaceContext } from "../src/bucket-place.ts";
import { gcsPlace } from "../src/gcs/gcs-place.ts";
import { s3Place } from "../src/s3/s3-place.ts";
import { webhdfsPlace } from "../src/webhdfs/webhdfs-place.ts";

function context(env: Readonly<Record<string, string>> = {}): PlaceContext {
  const outside = systemOutside();
  const limits = { connectTimeoutMs: 10_000, stallTimeoutMs: 10_000, answerTimeoutMs: 10_000 };
  const transport = httpTransport({ clock: outside.clock, tls: {}, proxies: withoutProxy, ...limits });
  onTestFinished(() => transport.close());
  return { ...outside, env, transport, program: "my-service" };
}

const S3 = {
  "store.s3.endpoint": undefined,
  "store.s3.region": "eu-central-1",
  "store.s3.bucket": FAKE_BUCKET,
  "store.s3.prefix": "kept",
  "store.s3.pathStyle": true,
  "store.s3.credentialsFile": undefined,
};
const GCS = {
  "store.gcs.uri": "gs://jobs/kept",
  "store.gcs.endpoint": undefined,
  "store.gcs.credentialsFile": undefined,
};
const ADLS = { "store.adls.uri": "", "store.adls.endpoint": undefined, "store.adls.credentialsFile": undefined };
const WEBHDFS = {
  "store.webhdfs.endpoints": ["http://namenode:9870"],
  "store.webhdfs.path": "/kept",
  "store.webhdfs.user": undefined,
  "store.webhdfs.tokenFile": undefined,
  "store.webhdfs.basicAuthFile": undefined,
  "store.webhdfs.dataHosts": [],
};

test("a bucket is used with the keys of the environment", async () => {
  const { endpoint } = await fakeS3();
  const env = { AWS_ACCESS_KEY_ID: "access", AWS_SECRET_ACCESS_KEY: "hidden-secret" };
  const { bucket, prefix } = s3Place({ ...S3, "store.s3.endpoint": endpoint }, context(env));
  await bucket.put(`${prefix}/a`, { body: Buffer.from("x") });
  expect(await bucket.folders("")).toEqual(["kept"]);
});

test.each<[string, () => unknown]>([
  ["store.s3.endpoint", () => s3Place({ ...S3, "store.s3.endpoint": "no address" }, context())],
  ["store.gcs.uri", () => gcsPlace({ ...GCS, "store.gcs.uri": "s3://jobs" }, context())],
  ["store.gcs.endpoint", () => gcsPlace({ ...GCS, "store.gcs.endpoint": "no address" }, context())],
  ["store.adls.uri", () => adlsPlace({ ...ADLS, "store.adls.uri": "abfss://nothing" }, context())],
  ["store.webhdfs.endpoints", () => webhdfsPlace({ ...WEBHDFS, "store.webhdfs.endpoints": ["namenode"] }, context())],
])("an address that cannot be used is an error of %s", (setting, open) => {
  expect(open).toThrow(
    expect.objectContaining({ code: "CONF_INVALID", message: expect.stringContaining(setting) as string }),
  );
});

test("a file of credentials that is not there is named with its setting", async () => {
  const { endpoint } = await fakeS3();
  const settings = { ...S3, "store.s3.endpoint": endpoint, "store.s3.credentialsFile": "/no/such/file" };
  const { bucket } = s3Place(settings, context());
  await expect(bucket.put("a", { body: Buffer.from("x") })).rejects.toThrow("store.s3.credentialsFile");
});
