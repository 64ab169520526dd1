// @ts-check
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { imageBuilder } from "./build.mjs";
import { dockerFiles } from "./dockerfiles.mjs";
import { libraries } from "./elf.mjs";
import { builtFiles, IMAGES, starters } from "./images.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "kindling-images-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const ORIGIN = {
  version: "9.8.7",
  revision: "abc123",
  source: "https://example.com/kindling",
  created: "2026-01-02T03:04:05Z",
};
/** @type {Map<string, ReturnType<ReturnType<typeof imageBuilder>>>} */
const built = new Map();
/** @type {string[]} */
let shared = [];
beforeAll(() => {
  const build = imageBuilder();
  for (const name of Object.keys(IMAGES)) built.set(name, build(name, ORIGIN));
  shared = listed("root.tar", build("localizer", ORIGIN).layers[0]?.data ?? Buffer.alloc(0));
});

/** @param {string} name */
function build(name) {
  const image = built.get(name);
  if (image === undefined) throw new Error(`no image ${name}`);
  return image;
}

/**
 * The content of an archive according to `tar`, one line each. @param {string} name @param {Buffer} data @param {string}
 * [flags]
 */
function listed(name, data, flags = "-t") {
  const file = join(work, name);
  writeFileSync(file, data);
  const lines = execFileSync("tar", [flags, "--numeric-owner", "-f", file], { encoding: "utf8" }).trim().split("\n");
  rmSync(file);
  return lines;
}

test("the Dockerfiles are those of the table", () => {
  for (const [path, text] of Object.entries(dockerFiles())) {
    expect(readFileSync(join(here, "../..", path), "utf8"), path).toBe(text);
  }
  const folders = readdirSync(here, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== "node_modules",
  );
  expect(folders.map(({ name }) => name).toSorted()).toEqual(Object.keys(IMAGES).toSorted());
});

describe.each(Object.entries(IMAGES))("%s", (name, image) => {
  test("runs its one file as nobody, and says what it is", () => {
    const { config } = build(name);
    expect(config.config).toMatchObject({
      User: "65532:65532",
      Entrypoint: expect.arrayContaining(["/usr/local/bin/node", `/opt/kindling/${image.main}`]),
      Labels: {
        "org.opencontainers.image.title": image.title,
        "org.opencontainers.image.description": image.description,
        "org.opencontainers.image.version": "9.8.7",
        "org.opencontainers.image.revision": "abc123",
        "org.opencontainers.image.source": "https://example.com/kindling",
        "org.opencontainers.image.licenses": "Apache-2.0",
      },
    });
  });

  test("has Node, its libraries and its own files, so no shell and no package manager", () => {
    const { layers } = build(name);
    expect(layers).toHaveLength(2);
    const own = listed("own.tar", layers[1]?.data ?? Buffer.alloc(0)).filter((path) => !path.endsWith("/"));
    const paths = [...builtFiles(image).map(({ to }) => to.slice(1)), ...starters(image).map(({ path }) => path)];
    expect(own).toEqual(paths);
    for (const path of shared.filter((path) => !path.endsWith("/"))) {
      expect(path).toMatch(
        /^(?:etc\/(?:passwd|group|nsswitch\.conf)|usr\/local\/bin\/node|(?:usr\/)?lib(?:64)?\/.*\.so(?:\.\d+)*)$/,
      );
    }
  });

  test("has a list of parts that names what its file holds", () => {
    const { id, sbom } = build(name);
    const declared = JSON.parse(readFileSync(join(here, "../../packages", image.package, "package.json"), "utf8"));
    const ours = Object.keys(declared.dependencies).filter((dependency) => dependency !== "kubernetes-types");
    const parts = sbom.packages.map((part) => part.name);
    expect(parts).toEqual(expect.arrayContaining([`kindling/${name}`, declared.name, "node", "node-openssl", ...ours]));
    expect(parts).not.toContain("vitest");
    const checksums = [{ algorithm: "SHA256", checksumValue: id.replace("sha256:", "") }];
    expect(sbom.packages[0]).toMatchObject({ checksums });
    // Identifiers are unique, and everything that is named is described.
    const ids = sbom.packages.map(({ SPDXID }) => SPDXID);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { relatedSpdxElement } of sbom.relationships) expect(ids).toContain(relatedSpdxElement);
  });
});

test("the same input gives the same bytes", () => {
  const [first, buildAgain] = [build("localizer"), imageBuilder()];
  const again = buildAgain("localizer", ORIGIN);
  expect(again.id).toBe(first.id);
  expect(again.data.equals(first.data)).toBe(true);
  expect(again.sbom).toEqual(first.sbom);
  expect(buildAgain("localizer", { ...ORIGIN, version: "9.8.8" }).id).not.toBe(first.id);
});

test("an archive names the image as a node looks for it", () => {
  const { data, id, layers } = build("localizer");
  const file = join(work, "image.tar");
  writeFileSync(file, data);
  const [manifest] = JSON.parse(execFileSync("tar", ["-xOf", file, "manifest.json"], { encoding: "utf8" }));
  expect(manifest.RepoTags).toEqual(["kindling/localizer:9.8.7"]);
  expect(manifest.Config).toBe(`${id.replace("sha256:", "")}.json`);
  expect(manifest.Layers).toHaveLength(layers.length);
});

test("all images share the layer that has Node", () => {
  const first = new Set(Object.keys(IMAGES).map((name) => build(name).layers[0]?.digest));
  expect(first.size).toBe(1);
});

test("the localizer is bounded in memory, and the staging server's files are its user's", () => {
  expect(build("localizer").config.config.Entrypoint).toContain("--max-old-space-size=64");
  const { config, layers } = build("staging-server");
  expect(config.config.Volumes).toEqual({ "/var/lib/kindling-staging": {} });
  const folder = listed("volume.tar", layers[1]?.data ?? Buffer.alloc(0), "-tv").find((line) =>
    line.includes("var/lib/kindling-staging"),
  );
  expect(folder).toMatch(/^drwx------ 65532\/65532 /);
});

const COMMANDS = ["kindling-shuffle-server", "kindling-event-log-shipper", "kindling-event-log-mirror"];

test("the commands of the localizer's image are on its PATH, and may be started", () => {
  const { layers } = build("localizer");
  const lines = listed("command.tar", layers[1]?.data ?? Buffer.alloc(0), "-tv");
  for (const command of COMMANDS)
    expect(lines.find((line) => line.endsWith(` usr/local/bin/${command}`))).toMatch(/^-rwxr-xr-x 0\/0 /);
  expect(
    starters(IMAGES["localizer"] ?? { package: "", title: "", description: "", files: [], main: "", contents: "" }),
  ).toEqual(
    COMMANDS.map((command) => ({
      path: `usr/local/bin/${command}`,
      text: `#!/usr/local/bin/node\nrequire("/opt/kindling/dist/${command}.cjs");\n`,
    })),
  );
});

test("Node runs without what only debuggers read", () => {
  const { layers } = build("localizer");
  const layer = join(work, "node.tar");
  writeFileSync(layer, layers[0]?.data ?? Buffer.alloc(0));
  execFileSync("tar", ["-xf", layer, "-C", work, "usr/local/bin/node"]);
  const said = execFileSync(join(work, "usr/local/bin/node"), ["-p", "process.version"], { encoding: "utf8" });
  expect(said.trim()).toBe(process.version);
});

test("a library that is missing is named", () => {
  const said = "\tlinux-vdso.so.1 (0x7f)\n\tlibm.so.6 => /lib/libm.so.6 (0x7f)\n\t/lib64/ld-linux.so.2 (0x7f)\n";
  expect(libraries(said)).toEqual(["/lib/libm.so.6", "/lib64/ld-linux.so.2"]);
  expect(() => libraries("\tlibatomic.so.1 => not found\n")).toThrow("libatomic.so.1 is not on this machine");
});
