import fc from "fast-check";
import { expect, test } from "vitest";
import { parseImageReference } from "../../src/images/image-reference.ts";

test.each([
  ["spark", "docker.io", "library/spark", undefined],
  ["spark:4.3.0", "docker.io", "library/spark", "4.3.0"],
  [
    "apache/spark:4.3.0-scala2.13-java17-python3-ubuntu",
    "docker.io",
    "apache/spark",
    "4.3.0-scala2.13-java17-python3-ubuntu",
  ],
  ["docker.io/apache/spark:3.5.9", "docker.io", "apache/spark", "3.5.9"],
  ["index.docker.io/spark", "docker.io", "library/spark", undefined],
  ["localhost:5000/spark:x", "localhost:5000", "spark", "x"],
  ["ghcr.io/a/b/c", "ghcr.io", "a/b/c", undefined],
])("%s is of registry %s, repository %s, tag %s", (text, registry, repository, tag) => {
  expect(parseImageReference(text)).toEqual({ registry, repository, tag, digest: undefined });
});

test("a digest is read, behind a tag too", () => {
  const digest = `sha256:${"0a".repeat(32)}`;
  expect(parseImageReference(`apache/spark@${digest}`)).toMatchObject({ tag: undefined, digest });
  expect(parseImageReference(`apache/spark:4.3.0@${digest}`)).toMatchObject({ tag: "4.3.0", digest });
});

test.each(["", "Spark", "spark:", "spark::1", "/spark", "spark/", "a b", "spark@sha256:xyz", "http://spark"])(
  "%j is no image",
  (text) => {
    expect(parseImageReference(text)).toBeUndefined();
  },
);

test("what is put together is taken apart again", () => {
  const part = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/).filter((text) => text !== "localhost");
  const tag = fc.option(fc.stringMatching(/^\w[\w.-]{0,20}$/), { nil: undefined });
  const registry = fc.option(fc.constantFrom("ghcr.io", "localhost:5000", "my.registry:443"), { nil: undefined });
  fc.assert(
    fc.property(registry, part, part, tag, (host, owner, name, label) => {
      const text = `${host === undefined ? "" : `${host}/`}${owner}/${name}${label === undefined ? "" : `:${label}`}`;
      expect(parseImageReference(text)).toEqual({
        registry: host ?? "docker.io",
        repository: `${owner}/${name}`,
        tag: label,
        digest: undefined,
      });
    }),
  );
});
