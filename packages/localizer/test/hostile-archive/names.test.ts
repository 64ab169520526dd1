import { describe, expect, test } from "vitest";
import { pod } from "../support/localizer-process.ts";
import { unpack } from "../support/offered-archive.ts";
import { paxRecord, tarBytes, type TarMember } from "../support/tar-bytes.ts";
import { sendFile, webServer } from "../support/web-server.ts";
import { zipBytes } from "../support/zip-bytes.ts";

/** Clears the screen, changes the writing direction, begins a new line, and is much longer than a line. */
const NAME = `\u001b[2J\u202e\u2066\u009b31m\u0085\u2028\r\ndone /fake: 1 B"${"x".repeat(120)}`;
const SHOWN = String.raw`"\u{1b}[2J\u{202e}\u{2066}\u{9b}31m\u{85}\u{2028}\u{d}\u{a}done /fake: 1 B\"xxx`;

function named(path: string, member: Omit<TarMember, "name">): readonly TarMember[] {
  return [
    { name: "p", type: "x", content: paxRecord("path", path) },
    { name: "f", ...member },
  ];
}

/**
 * Characters that no text from outside may bring into a log: format characters, and all controls except the log's own
 * line breaks.
 */
const HARMFUL = /[\p{Cf}\p{Zl}\p{Zp}\0-\x09\x0b-\x1f\x7f-\x9f]/u;

describe("hostile archive", () => {
  test.each<[string, Buffer]>([
    ["a path that leads out", tarBytes(named(`${NAME}/../../x`, {}))],
    ["a path twice", tarBytes([...named(NAME, {}), ...named(NAME, { type: "2", link: "x" })])],
    ["a device", tarBytes(named(NAME, { type: "3" }))],
    ["a link that leads out", tarBytes(named("l", { type: "2", link: `../${NAME.slice(0, 90)}` }))],
    ["a link with content", tarBytes(named(NAME, { type: "2", link: "x", content: "x" }))],
    ["a hard link to nothing", tarBytes(named(NAME, { type: "1", link: "x" }))],
    ["a type that nobody knows", tarBytes([{ name: "f", type: "\u009b" }])],
    ["a path of a zip that leads out", zipBytes([{ name: `${NAME}/../../x` }])],
    ["an absolute path of a zip", zipBytes([{ name: `/${NAME}` }])],
    ["a wrong checksum in a zip", zipBytes([{ name: NAME, content: "x", crc: 1 }])],
    ["an entry that is longer than any name", zipBytes([{ name: `/${NAME}${"y".repeat(60_000)}` }])],
  ])("whose names are hostile, with %s: they are shown without harm, and short", async (_, archive) => {
    const setting = pod();
    const { code, stderr, failure } = await unpack(setting, archive);
    expect(code, stderr).toBe(8);
    for (const text of [stderr, failure.message]) {
      expect(text).not.toMatch(HARMFUL);
      expect(text).not.toMatch(/^done /m);
    }
    expect(stderr.length).toBeLessThan(2500);
  });

  test("a secret in a name is hidden, also where the name is cut", async () => {
    const setting = pod();
    const bytes = tarBytes(named(`${"x".repeat(245)}topsecret-0123456789${"y".repeat(300)}`, { type: "3" }));
    const web = await webServer((request, response) => sendFile(request, response, { bytes }));
    const uri = `${web.uri}/env?token=topsecret-0123456789`;
    const { failure, stderr } = await setting.run({
      files: [{ from: { uri }, to: `${setting.volume}/env`, unpack: true }],
    });
    expect(failure.message).toContain("xxx***yyy");
    expect(stderr).not.toContain("tops");
  });

  test("names that are shown can be told from each other", async () => {
    const { failure } = await unpack(pod(), tarBytes(named(NAME, { type: "3" })));
    expect(failure.message).toContain(SHOWN);
  });
});
