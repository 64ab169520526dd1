import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../src/index.ts";

test("a secret is hidden in every usual encoding", () => {
  const redactor = createRedactor();
  redactor.hide("p@ss/w ord");
  const text = `p@ss/w ord ${encodeURIComponent("p@ss/w ord")} ${Buffer.from("p@ss/w ord").toString("base64")}`;
  expect(redactor.clean(text)).toBe("*** *** ***");
});

test("queries and logins of URLs are hidden without being told", () => {
  const redactor = createRedactor();
  expect(redactor.clean("GET https://u:pw@h/x?X-Amz-Signature=abc failed")).toBe("GET https://***@h/x?*** failed");
});

test("no secret survives, whatever is around it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 4 }), { minLength: 1 }),
      fc.string(),
      fc.string(),
      (secrets, before, after) => {
        const redactor = createRedactor();
        for (const secret of secrets) redactor.hide(secret);
        for (const secret of secrets) {
          fc.pre(!"***".includes(secret) && !secret.includes("*"));
          const rest = redactor.clean(before + secret + after);
          expect(rest.replaceAll("***", "\0")).not.toContain(secret);
        }
      },
    ),
  );
});

/** The text after cleaning, with these secrets. */
function cleaned(text: string, ...secrets: readonly string[]): string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.hide(secret);
  return redactor.clean(text);
}

test.each([
  ["in JSON", 'p"w\\1', JSON.stringify('p"w\\1')],
  ["in XML", "p<w>&1", "p&lt;w&gt;&amp;1"],
  ["in properties", "p=w:#1", "p\\=w\\:\\#1"],
  ["without the blanks around it", " token-1\n", "token-1"],
  ["in base64 for URIs", "??>>token", Buffer.from("??>>token").toString("base64url")],
  ["in base64 of something longer", "hunter2-Xq7", Buffer.from("user:hunter2-Xq7!").toString("base64")],
])("a secret is hidden as it stands %s", (_, secret, text) => {
  expect(cleaned(text, secret)).toContain("***");
  expect(Buffer.from(cleaned(text, secret).replaceAll("***", ""), "base64").toString()).not.toContain("unter2-Xq");
});

test("a key in PEM is hidden whole, in one line, and line by line", () => {
  const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"];
  const pem = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
  for (const text of [
    pem,
    pem.replaceAll("\n", " "),
    JSON.stringify(pem),
    ...lines,
    Buffer.from(pem).toString("base64"),
  ]) {
    expect(cleaned(`it is ${text}.`, pem)).not.toMatch(/[A-Za-z0-9]{20}/);
  }
});

test("secrets that overlap are hidden with all that they cover", () => {
  expect(cleaned("xabcdefgh", "xabc", "abcdefgh")).toBe("***");
  expect(cleaned("abcdcdef", "abcd", "cdcdef")).toBe("***");
});

test.each([
  [
    "the server says: Bearer tok-12345… (3000 characters in all)",
    "the server says: Bearer ***… (3000 characters in all)",
  ],
  ['Unexpected token, "tok-1234"... is not valid JSON', 'Unexpected token, "***"... is not valid JSON'],
  ["it ends in tok-12345678", "it ends in ***"],
  ["it ends in tok-1… and goes on", "it ends in tok-1… and goes on"],
])("what is left of one where a quote was cut is hidden: %s", (text, clean) => {
  expect(cleaned(text, "tok-123456789-abc")).toBe(clean);
});

test("many secrets and a long text take no time", { timeout: 60_000 }, () => {
  const redactor = createRedactor();
  for (let index = 0; index < 20_000; index++) redactor.hide(`secret-number-${index}`);
  const text = Array.from({ length: 20_000 }, (_, index) => `secret-number-${index} https://u:p@h/`).join(" ");
  expect(redactor.clean(text)).toBe("*** https://***@h/ ".repeat(20_000).trimEnd());
});
