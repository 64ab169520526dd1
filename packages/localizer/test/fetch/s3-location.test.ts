import { objectUrl } from "@kindling/object-store/s3";
import { expect, test } from "vitest";
import type { ResolvedS3 } from "../../src/config/localizer-config.ts";
import { s3Location } from "../../src/fetch/s3/s3-location.ts";

const NONE: ResolvedS3 = { endpoint: undefined, region: undefined, pathStyle: undefined, profile: undefined };

test.each<[string, Partial<ResolvedS3>, Record<string, string>, string, string]>([
  ["s3://bucket/a/b.jar", {}, {}, "https://bucket.s3.amazonaws.com/a/b.jar", "us-east-1"],
  [
    "s3a://bucket/a.jar",
    {},
    { AWS_REGION: "eu-west-1" },
    "https://bucket.s3.eu-west-1.amazonaws.com/a.jar",
    "eu-west-1",
  ],
  [
    "s3a://bucket/a.jar",
    { region: "eu-north-1" },
    { AWS_REGION: "eu-west-1" },
    "https://bucket.s3.eu-north-1.amazonaws.com/a.jar",
    "eu-north-1",
  ],
  ["s3a://with.dots/a.jar", {}, {}, "https://s3.amazonaws.com/with.dots/a.jar", "us-east-1"],
  ["s3a://bucket/a.jar", { endpoint: "http://minio:9000" }, {}, "http://minio:9000/bucket/a.jar", "us-east-1"],
  ["s3a://bucket/a.jar", { endpoint: "http://minio:9000/s3/" }, {}, "http://minio:9000/s3/bucket/a.jar", "us-east-1"],
  [
    "s3a://bucket/a.jar",
    { endpoint: "https://minio.example", pathStyle: false },
    {},
    "https://bucket.minio.example/a.jar",
    "us-east-1",
  ],
  [
    "s3a://bucket/a.jar",
    {},
    { AWS_ENDPOINT_URL: "http://minio:9000", AWS_DEFAULT_REGION: "local" },
    "http://minio:9000/bucket/a.jar",
    "local",
  ],
  [
    "s3a://bucket/a.jar",
    { endpoint: "https://s3.eu-west-1.amazonaws.com" },
    {},
    "https://bucket.s3.eu-west-1.amazonaws.com/a.jar",
    "eu-west-1",
  ],
  ["s3://b1b/a b%20c(1)+ü.jar", {}, {}, "https://b1b.s3.amazonaws.com/a%20b%20c%281%29%2B%C3%BC.jar", "us-east-1"],
  ["s3://b1b/100%.jar", {}, {}, "https://b1b.s3.amazonaws.com/100%25.jar", "us-east-1"],
])("%s with %j and %j is %s, signed for %s", (uri, config, env, url, region) => {
  const { bucket, key } = s3Location(uri, { ...NONE, ...config }, env);
  expect([objectUrl(bucket, key).href, bucket.region]).toEqual([url, region]);
});

test("an endpoint that is no URL is an error that says where it is set", () => {
  expect(() => s3Location("s3://bucket/a", NONE, { AWS_ENDPOINT_URL_S3: "minio:9000" })).toThrow(
    expect.objectContaining({ reason: "config", hint: expect.stringContaining("AWS_ENDPOINT_URL") as string }),
  );
});
