import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalManifest,
  collidingNames,
  digester,
  digestOf,
  digestOfHash,
  fileNameFault,
  formatBoolean,
  formatDigestField,
  formatIntegerDictionary,
  manifestDigest,
  ownerFault,
  parseBoolean,
  parseDigest,
  parseDigestField,
  parseIntegerDictionary,
  parseProblem,
  parseSize,
  problemName,
  PROBLEMS,
  v1Paths,
  type BundleFile,
  type StagedResourcesOwner,
} from "../../src/index.ts";

const HEX = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

describe("a digest", () => {
  it("is that of the bytes, however they come", () => {
    expect(digestOf("hello")).toBe(`sha256:${HEX}`);
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const running = digester();
        for (const chunk of chunks) running.update(chunk);
        expect(running.digest()).toBe(digestOf(Buffer.concat(chunks)));
      }),
    );
  });

  it.each([
    HEX,
    `sha256:${HEX.toUpperCase()}`,
    `SHA256:${HEX}`,
    `sha256:${HEX}0`,
    `sha256:${HEX.slice(1)}`,
    `sha512:${HEX}`,
    ` sha256:${HEX}`,
    "",
  ])("is not %j", (text) => expect(parseDigest(text)).toBeUndefined());

  it("stands in header fields as RFC 9530 says", () => {
    const digest = digestOf("hello");
    expect(formatDigestField(digest)).toBe("sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:");
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
        const one = digestOfHash(hash);
        expect(parseDigestField(formatDigestField(one))).toBe(one);
        expect(parseDigestField(`sha-512=:AA==:, ${formatDigestField(one)}`)).toBe(one);
      }),
    );
  });

  it.each([undefined, "", "sha-256=LPJN", "sha-256=:AAAA:", "md5=:AAAA:", `sha-256=:${"A".repeat(43)}:`])(
    "is not read from the field %j",
    (field) => expect(parseDigestField(field)).toBeUndefined(),
  );
});

describe("structured fields", () => {
  it("read what they write", () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,10}$/), fc.nat(1e15 - 1)),
        (flag, members) => {
          expect(parseBoolean(formatBoolean(flag))).toBe(flag);
          expect(Object.fromEntries(parseIntegerDictionary(formatIntegerDictionary(members)))).toEqual({ ...members });
        },
      ),
    );
  });

  it.each([
    ["0", 0],
    [" 17 ", 17],
    ["999999999999999", 999_999_999_999_999],
    ["-1", undefined],
    ["1.0", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    ["1;a=b", undefined],
    ["9999999999999999", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("take %j for the size %j", (text, size) => expect(parseSize(text)).toBe(size));

  it("pass over members that are no integers", () => {
    expect([...parseIntegerDictionary('max-size=10, name="x", min-size=1;q=2, max-age=60')]).toEqual([
      ["max-size", 10],
      ["max-age", 60],
    ]);
    expect([parseBoolean("1"), parseBoolean("true"), parseBoolean(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("names of files", () => {
  it.each([
    "a",
    "jars/app.jar",
    "data v2 (1).csv",
    "daten-ä.csv",
    "世界/文件",
    ".hidden",
    "a..b",
    "...",
    "x".repeat(255),
  ])("may be %j", (name) => expect(fileNameFault(name)).toBeUndefined());

  it.each([
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "../a",
    "a/../b",
    "a\\b",
    "C:a",
    "a\0",
    "a\nb",
    "a*",
    "x".repeat(256),
    "x/".repeat(16) + "x",
    "e\u0301",
    "\ud800",
    "a\u2028b",
  ])("may not be %j", (name) => expect(fileNameFault(name)).toBeTypeOf("string"));

  it("never lead out of their folder", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(".", "/", "\\", "a", "\0", ":") }), (name) => {
        if (fileNameFault(name) !== undefined) return;
        expect(new URL(name, "http://h/base/").pathname.startsWith("/base/")).toBe(true);
      }),
    );
  });

  it.each([
    [["a", "b", "c/d", "c/e"], undefined],
    [
      ["a", "b", "a"],
      ["a", "a"],
    ],
    [
      ["App.jar", "app.JAR"],
      ["App.jar", "app.JAR"],
    ],
    [
      ["a/b", "a"],
      ["a/b", "a"],
    ],
    [
      ["a", "A/b"],
      ["a", "A/b"],
    ],
  ])("of %j collide in %j", (names, collision) => expect(collidingNames(names)).toEqual(collision));
});

describe("owners", () => {
  const owner: StagedResourcesOwner = {
    ownerNamespace: "team-a",
    ownerLabels: { "spark-app-selector": "spark-1", "example.com/app": "" },
    ownerType: "Pod",
  };

  it("may have what objects of Kubernetes may have", () => expect(ownerFault(owner)).toBeUndefined());

  it.each<[Partial<StagedResourcesOwner>, RegExp]>([
    [{ ownerNamespace: "Team" }, /ownerNamespace/],
    [{ ownerNamespace: "-a" }, /ownerNamespace/],
    [{ ownerNamespace: "x".repeat(64) }, /ownerNamespace/],
    [{ ownerType: "Pod/x" }, /ownerType/],
    [{ ownerLabels: {} }, /empty/],
    [{ ownerLabels: { "a/b/c": "x" } }, /key/],
    [{ ownerLabels: { "-a": "x" } }, /key/],
    [{ ownerLabels: { a: "x y" } }, /value/],
    [{ ownerLabels: { a: "x".repeat(64) } }, /value/],
  ])("may not have %j", (fault, why) => expect(ownerFault({ ...owner, ...fault })).toMatch(why));
});

describe("a manifest", () => {
  const anyFile: fc.Arbitrary<BundleFile> = fc.record({
    name: fc.string({ minLength: 1 }),
    kind: fc.constantFrom("jar", "file"),
    digest: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(digestOfHash),
    size: fc.nat(),
    mode: fc.integer({ min: 0, max: 0o777 }),
  });

  it("has one digest, in whatever order its files come", () => {
    const files = fc.uniqueArray(anyFile, { selector: ({ name }) => name });
    fc.assert(
      fc.property(files, (all) => {
        expect(manifestDigest(all.toReversed())).toBe(manifestDigest(all));
        expect(JSON.parse(canonicalManifest(all))).toHaveLength(all.length);
      }),
    );
  });

  it("has another digest as soon as anything in it differs", () => {
    const file: BundleFile = { name: "a", kind: "jar", digest: digestOf("a"), size: 1, mode: 0o644 };
    const others = [{ name: "b" }, { kind: "file" }, { digest: digestOf("b") }, { size: 2 }, { mode: 0o600 }];
    const digests = [{}, ...others].map((change) => manifestDigest([{ ...file, ...change }]));
    expect(new Set(digests).size).toBe(6);
  });
});

describe("problems", () => {
  it("have types of their own, and are known by them", () => {
    const types = Object.values(PROBLEMS).map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    for (const [name, { type }] of Object.entries(PROBLEMS)) expect(problemName(type)).toBe(name);
    expect(problemName("about:blank")).toBeUndefined();
  });

  it("are read whatever else is in them, and not from what is no problem", () => {
    const body = JSON.stringify({
      type: "urn:x",
      status: 507,
      detail: 7,
      retryable: "yes",
      missing: ["a", 1],
      other: {},
    });
    expect(parseProblem(body)).toEqual({
      type: "urn:x",
      title: "urn:x",
      status: 507,
      retryable: false,
      missing: ["a"],
    });
    for (const other of ["", "<html>", "null", "[]", '"x"', '{"status": 500}'])
      expect(parseProblem(other)).toBeUndefined();
    fc.assert(fc.property(fc.json(), (text) => void parseProblem(text)));
  });
});

it("puts names into paths so that they stay one part each", () => {
  expect(v1Paths.file("id", "jars/a b#?.jar")).toBe("api/v1/bundles/id/files/jars/a%20b%23%3F.jar");
  expect(v1Paths.bundle("../x")).toBe("api/v1/bundles/..%2Fx");
});
