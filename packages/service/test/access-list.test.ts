import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { entryOfCertificate, entryOfToken, matchesNamespace, parseAccessList } from "../src/index.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("a token and a certificate lead to their own entry, and to no other", () => {
  const entries = parseAccessList(
    JSON.stringify({
      subjects: [
        { name: "ci", tokenSha256: sha256("of-ci"), namespaces: ["team-*"] },
        { name: "operator", certificate: "spark-operator", namespaces: ["*"], admin: true },
      ],
    }),
    "access.json",
  );
  expect(entryOfToken(entries, "of-ci")?.name).toBe("ci");
  expect(entryOfToken(entries, sha256("of-ci"))).toBeUndefined();
  expect(entryOfToken(entries, "")).toBeUndefined();
  expect(entryOfCertificate(entries, "spark-operator")).toMatchObject({ name: "operator", admin: true });
  expect(entryOfCertificate(entries, "ci")).toBeUndefined();
});

test.each([
  ["{", "access.json is no JSON"],
  ["{}", "access.json: it has no list of subjects"],
  ['{"subjects":[{}]}', "access.json: subject 1 has no name"],
  ['{"subjects":[{"name":"a"}]}', "access.json: subject a has no list of namespaces"],
  ['{"subjects":[{"name":"a","namespaces":[]}]}', "access.json: subject a has neither tokenSha256 nor certificate"],
  ['{"subjects":[{"name":"a","namespaces":[],"tokenSha256":"A"}]}', "64 lower-case hexadecimal digits"],
])("a file with a fault is refused, and says where: %s", (text, message) => {
  expect(() => parseAccessList(text, "access.json")).toThrow(message);
});

test("a pattern of namespaces matches what it says, and is no expression", () => {
  expect(matchesNamespace("team-a", ["team-*"])).toBe(true);
  expect(matchesNamespace("my-team-a", ["team-*"])).toBe(false);
  expect(matchesNamespace("teamxa", ["team.a"])).toBe(false);
  fc.assert(
    fc.property(fc.string(), (name) => matchesNamespace(name, [name.replaceAll("*", "")]) === !name.includes("*")),
  );
});
