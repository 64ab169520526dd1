import fc from "fast-check";
import { expect, test } from "vitest";
import { parseNetrc } from "../../src/credentials/netrc.ts";

test("entries are read whatever the blanks between their tokens", () => {
  const source = `# repositories
machine repo.example login alice password s3cret
machine http://plain.example:8080
  login bob
  account ignored
  password "with blank and \\" quote"

macdef init
cd /pub
machine not.an.entry login x password y

machine last.example password only`;
  expect(parseNetrc(source)).toEqual([
    { machine: "repo.example", login: "alice", password: "s3cret" },
    { machine: "http://plain.example:8080", login: "bob", password: 'with blank and " quote' },
    { machine: "last.example", login: "", password: "only" },
  ]);
});

test("a file without entries has none", () => {
  expect(parseNetrc(" \n# nothing\n")).toEqual([]);
});

test.each([
  ["default login a password topsecret", '"default" entry'],
  ["machine h login a", "the entry of h has no password"],
  ["machine h login a password topsecret machine", "ends in the middle"],
  ["login a password topsecret", 'does not begin with "machine"'],
  ["machine h passwort topsecret", "has a keyword that is not known"],
  ["machine h topsecret x", "has a keyword that is not known"],
  ['machine h password "topsecret', "quotation mark"],
])("%j is refused without showing what is in it", (source, problem) => {
  expect(parseNetrc(source)).toContain(problem);
  expect(parseNetrc(source)).not.toContain("topsecret");
});

test("any text is read or refused", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'machine login password default "\\\n#ab'.split("")) }),
      (source) => {
        const parsed = parseNetrc(source);
        expect(typeof parsed === "string" || Array.isArray(parsed)).toBe(true);
      },
    ),
  );
});

const word = fc.stringMatching(/^[A-Za-z0-9!$%&/()=?*+~.,;:_-]+$/);

test("what is written is read again", () => {
  const entry = fc.record({ machine: word, login: word, password: fc.string().filter((text) => !text.includes("\0")) });
  const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const lines = entries.map(
        (each) => `machine ${each.machine} login ${each.login} password ${quote(each.password)}`,
      );
      fc.pre(!lines.join().includes("macdef"));
      expect(parseNetrc(lines.join("\n"))).toEqual(entries);
    }),
  );
});
