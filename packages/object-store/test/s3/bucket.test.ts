import fc from "fast-check";
import { expect, test } from "vitest";
import { bucketAt, objectUrl, type BucketSettings } from "../../src/s3/bucket.ts";

const AMAZON: BucketSettings = { name: "bucket", endpoint: undefined, region: undefined, pathStyle: undefined };

test.each<[Partial<BucketSettings>, string, string]>([
  [{}, "https://bucket.s3.amazonaws.com/", "us-east-1"],
  [{ region: "eu-west-1" }, "https://bucket.s3.eu-west-1.amazonaws.com/", "eu-west-1"],
  [{ region: "cn-north-1" }, "https://bucket.s3.cn-north-1.amazonaws.com.cn/", "cn-north-1"],
  [{ pathStyle: true, region: "eu-west-1" }, "https://s3.eu-west-1.amazonaws.com/bucket", "eu-west-1"],
  [{ name: "with.dots" }, "https://s3.amazonaws.com/with.dots", "us-east-1"],
  [{ name: "UPPER_case" }, "https://s3.amazonaws.com/UPPER_case", "us-east-1"],
  [{ endpoint: "http://minio:9000" }, "http://minio:9000/bucket", "us-east-1"],
  [{ endpoint: "http://minio:9000/s3/" }, "http://minio:9000/s3/bucket", "us-east-1"],
  [{ endpoint: "https://minio.example", pathStyle: false }, "https://bucket.minio.example/", "us-east-1"],
  [{ endpoint: "https://minio.example/s3/", pathStyle: false }, "https://bucket.minio.example/s3", "us-east-1"],
  [{ endpoint: "https://s3.eu-west-1.amazonaws.com" }, "https://bucket.s3.eu-west-1.amazonaws.com/", "eu-west-1"],
  [
    { endpoint: "https://s3.amazonaws.com", region: "eu-west-1" },
    "https://bucket.s3.eu-west-1.amazonaws.com/",
    "eu-west-1",
  ],
])("the bucket of %j is at %s, signed for %s", (settings, url, region) => {
  const bucket = bucketAt({ ...AMAZON, ...settings });
  expect([bucket.url.href, bucket.region]).toEqual([url, region]);
});

test.each(["minio:9000", "ftp://minio", "http://[", ""])("the endpoint %j is refused", (endpoint) => {
  expect(() => bucketAt({ ...AMAZON, endpoint })).toThrow(expect.objectContaining({ fault: "settings" }));
});

test("a key's own characters are escaped as S3's canonical URI has them", () => {
  const url = objectUrl(bucketAt(AMAZON), "a b/c(1)+ü*!'.jar", { uploads: "" });
  expect(url.href).toBe("https://bucket.s3.amazonaws.com/a%20b/c%281%29%2B%C3%BC%2A%21%27.jar?uploads=");
});

const HERE = bucketAt({ ...AMAZON, endpoint: "http://minio:9000" });
const segment = fc.oneof(fc.constantFrom("", "%2e%2e", "...", "a"), fc.string());

test("any key is at its own place in the bucket", () => {
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const key = segments.join("/");
      fc.pre(!key.split("/").some((each) => each === "." || each === ".."));
      const { pathname } = objectUrl(HERE, key);
      expect(pathname.startsWith("/bucket/")).toBe(true);
      expect(decodeURIComponent(pathname.slice("/bucket/".length))).toBe(key);
    }),
  );
});

test("no key leads out of the bucket", () => {
  fc.assert(
    fc.property(fc.array(segment), fc.constantFrom(".", ".."), fc.array(segment), (before, dots, behind) => {
      const key = [...before, dots, ...behind].join("/");
      expect(() => objectUrl(HERE, key)).toThrow(expect.objectContaining({ fault: "settings" }));
    }),
  );
});
