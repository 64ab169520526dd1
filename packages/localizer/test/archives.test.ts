import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { LimitsConfig } from "../src/config/index.ts";
import { pod } from "./support/localizer-process.ts";
import { offered, unpack } from "./support/offered-archive.ts";
import { stage } from "./support/staged-bundle.ts";
import { sharedServer } from "./support/staging-server.ts";
import { paxRecord, tarBytes, type TarMember } from "./support/tar-bytes.ts";
import { zipBytes } from "./support/zip-bytes.ts";

const server = sharedServer();

test("staged archives are told apart by their content, whatever their names", async () => {
  const { run, volume, folder, tree } = pod();
  const member = { name: "bin/run", mode: 0o755, content: "#!" };
  const staged = await stage(server(), folder, {
    "archives/tar": tarBytes([member]),
    "archives/gzip.zip": gzipSync(tarBytes([member])),
    "archives/zip": zipBytes([{ ...member, unix: 0o100755, deflate: true }]),
  });
  const names = [...staged.files.keys()];
  const files = names.map((name) => ({ from: { bundle: "app", file: name }, to: `${volume}/${name}`, unpack: true }));
  const { code, stderr } = await run({ bundles: { app: staged.config }, files });
  expect(code, stderr).toBe(0);
  for (const name of names) expect(tree()[`${name}/bin/run`]).toBe("755 #!");
});

test.each<[string, readonly TarMember[], string]>([
  ["a path that leads out", [{ name: "../../outside/x", content: "x" }], "leads out of the archive"],
  ["a path that leads out in the middle", [{ name: "a/../../../outside/x", content: "x" }], "leads out of the archive"],
  ["an absolute path", [{ name: "/tmp/kindling-localizer-escape", content: "x" }], "has an absolute path"],
  [
    "a link that leads out, and a file behind it",
    [
      { name: "d", type: "2", link: "../../outside" },
      { name: "d/x", content: "x" },
    ],
    "outside the archive",
  ],
  ["a hard link that leads out", [{ name: "h", type: "1", link: "../../outside/kept" }], "leads out of the archive"],
  ["a device", [{ name: "null", type: "3" }], "a character device"],
  ["a named pipe", [{ name: "pipe", type: "6" }], "a named pipe"],
  [
    "a long name of pax that leads out",
    [
      { name: "p", type: "x", content: paxRecord("path", "../../outside/x") },
      { name: "a", content: "x" },
    ],
    "leads out of the archive",
  ],
  [
    "a long name of GNU tar that leads out",
    [
      { name: "L", type: "L", content: "../../outside/x\0" },
      { name: "a", content: "x" },
    ],
    "leads out of the archive",
  ],
  [
    "a huge name",
    [{ name: "p", type: "x", content: paxRecord("path", "d/".repeat(3000)) }, { name: "a" }],
    "more than 4096 bytes",
  ],
  [
    "a file and a link of one name",
    [{ name: "a" }, { name: "./a", type: "2", link: "b" }],
    "where another one is already",
  ],
  ["a size that is a lie", [{ name: "a", size: 1_000_000, content: "x" }], "ends too early"],
])("an archive with %s is refused, and nothing of it appears anywhere", async (_, members, problem) => {
  const setting = pod();
  setting.folder.write("outside/kept", "kept");
  const { code, failure, stderr } = await unpack(setting, gzipSync(tarBytes([{ name: "first" }, ...members])));
  expect(code).toBe(8);
  expect(failure).toMatchObject({
    reason: "archive",
    file: expect.stringMatching(/env to .*\/volume\/env$/) as string,
  });
  expect(failure.message).toContain(problem);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(Object.keys(setting.tree())).toEqual([]);
  expect(setting.folder.tree("outside")).toEqual({ kept: "644 kept" });
  expect(existsSync("/tmp/kindling-localizer-escape")).toBe(false);
});

test("an environment whose interpreter is the image's is unpacked, also by another process once more", async () => {
  const setting = pod();
  const members = [
    { name: "bin/python3", type: "2", link: "/usr/bin/python3" },
    { name: "bin/python", type: "2", link: "python3" },
    { name: "cert.pem", type: "2", link: "/etc/ssl/certs/ca-certificates.crt" },
    { name: "pyvenv.cfg", content: "home = /usr/bin" },
    // As venv-pack writes it.
    { name: "pyvenv.cfg", content: "home = /usr/bin" },
  ];
  const config = await offered(setting, gzipSync(tarBytes(members)));
  for (const run of [1, 2]) {
    const { code, stderr } = await setting.run(config);
    expect(code, `run ${run}: ${stderr}`).toBe(0);
    expect(setting.tree()).toMatchObject({
      "env/bin/python3": "-> /usr/bin/python3",
      "env/bin/python": "-> python3",
      "env/cert.pem": "-> /etc/ssl/certs/ca-certificates.crt",
    });
  }
});

test("a link into the localizer's own volume or to its secrets is refused", async () => {
  const setting = pod();
  const credentialsDir = setting.folder.mkdir("credentials");
  for (const link of [
    setting.volume,
    `${setting.volume}/other`,
    setting.folder.at("credentials/netrc"),
    setting.folder.path,
  ]) {
    const archive = gzipSync(tarBytes([{ name: "a", type: "2", link }]));
    const { code, failure } = await setting.run({ ...(await offered(setting, archive)), credentialsDir });
    expect(code, link).toBe(8);
    expect(failure.message).toContain("where no archive may lead");
    expect(setting.tree()).toEqual({});
  }
});

const HUNDRED_FILES = Array.from({ length: 100 }, (_, index) => ({ name: `${index}` }));
const ZEROS = { name: "zeros", content: Buffer.alloc(50_000_000) };

test.each<[string, Buffer, LimitsConfig, string]>([
  ["gzip", gzipSync(tarBytes([ZEROS])), {}, "more than 200 times its size (limits.maxRatio)"],
  ["zip", zipBytes([{ ...ZEROS, deflate: true }]), {}, "more than 200 times its size (limits.maxRatio)"],
  [
    "many entries",
    tarBytes(HUNDRED_FILES),
    { maxUnpackedFiles: 99 },
    "more than 99 files, links and directories (limits.maxUnpackedFiles)",
  ],
  ["many bytes", tarBytes([ZEROS]), { maxUnpackedBytes: 49_000_000 }, "49000000 bytes (limits.maxUnpackedBytes)"],
])("a bomb of %s is refused, and what was unpacked of it is gone", async (_, archive, limits, problem) => {
  const setting = pod();
  const { code, failure } = await unpack(setting, archive, limits);
  expect(code).toBe(8);
  expect(failure.message).toContain(problem);
  expect(Object.keys(setting.tree())).toEqual([]);
});

test.each<[string, Buffer, string]>([
  ["xz", Buffer.from("fd377a585a000004", "hex"), "it is packed with xz; supported are tar, tar.gz, zip and jar"],
  ["zstd", Buffer.from("28b52ffd0458", "hex"), "it is packed with zstd; supported are tar, tar.gz, zip and jar"],
  ["nothing that is known", Buffer.from("hello ".repeat(200)), "it is no tar archive, or damaged"],
])("an archive packed with %s is an error that says what is supported", async (_, archive, problem) => {
  const { code, failure } = await unpack(pod(), archive);
  expect(code).toBe(8);
  expect(failure.message).toContain(problem);
});

test("an archive that was cut before it was staged is refused", async () => {
  const setting = pod();
  const whole = gzipSync(tarBytes([{ name: "a", content: Buffer.alloc(100_000, "abcdefg") }]));
  const { code, failure } = await unpack(setting, whole.subarray(0, -20));
  expect(code).toBe(8);
  expect(failure.message).toContain("its gzip data is damaged");
  expect(Object.keys(setting.tree())).toEqual([]);
});

test("what is unpacked can be read by the user that Spark runs as, whoever packed it", async () => {
  const setting = pod();
  const members = [
    { name: "private/", type: "5", mode: 0o700 },
    { name: "private/key", mode: 0o600, content: "k" },
    { name: "private/run", mode: 0o700, content: "#!" },
  ];
  expect((await unpack(setting, tarBytes(members))).code).toBe(0);
  expect(setting.tree()).toMatchObject({
    "env/": "755",
    "env/private/": "755",
    "env/private/key": "644 k",
    "env/private/run": "755 #!",
  });
});
