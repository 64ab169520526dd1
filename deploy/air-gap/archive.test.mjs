// @ts-check
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { IMAGES } from "../images/images.mjs";
import { checksums, filesIn, imageList, versionOf } from "./contents.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "kindling-air-gap-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** @param {string} path in the repository */
const read = (path) => readFileSync(join(root, path), "utf8");

/** @param {string} folder */
function verified(folder) {
  return execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder, encoding: "utf8" });
}

test("the version is that of the images which the chart runs", () => {
  expect(versionOf("version: 1.0.0\nappVersion: 2.3.4\n")).toBe("2.3.4");
  expect(versionOf('appVersion: "2.3.4-rc.1"\n')).toBe("2.3.4-rc.1");
  expect(() => versionOf("version: 1.0.0\n")).toThrow("no appVersion");
  expect(versionOf(read("deploy/helm/kindling-operator/Chart.yaml"))).toBe(
    versionOf(read("deploy/helm/kindling/Chart.yaml")),
  );
});

test("the images are listed by name, in the same order each time", () => {
  expect(imageList(["localizer", "cli"], "1.2.3")).toBe("kindling/cli:1.2.3\nkindling/localizer:1.2.3\n");
});

test("the archives are all images that the charts run", () => {
  /** @type {{ images: Record<string, { name?: string }> }} */
  const { images } = parse(read("deploy/helm/kindling/values.yaml"));
  const ofChart = Object.values(images).flatMap(({ name = [] }) => name);
  /** @type {{ image: { repository: string }, hook: { image: { repository: string } } }} */
  const { image, hook } = parse(read("deploy/helm/kindling-operator/values.yaml"));
  const ofOperator = [image, hook.image].map(({ repository }) => repository.replace("kindling/", ""));
  expect(Object.keys(IMAGES).toSorted()).toEqual([...new Set([...ofChart, ...ofOperator])].toSorted());
});

test("the guide names each image", () => {
  const guide = read("docs/restricted-clusters.md");
  expect(Object.keys(IMAGES).filter((name) => !guide.includes(`\`kindling/${name}\``))).toEqual([]);
});

test("checksums are of all files, also in folders, and not of the checksums themselves", async () => {
  const folder = join(work, "files");
  mkdirSync(join(folder, "b"), { recursive: true });
  for (const [path, text] of Object.entries({ "b/two": "2", "a one": "1", SHA256SUMS: "old" })) {
    writeFileSync(join(folder, path), text);
  }
  expect(filesIn(folder)).toEqual(["a one", "b/two"]);
  writeFileSync(join(folder, "SHA256SUMS"), await checksums(folder, filesIn(folder)));
  expect(verified(folder)).toBe("a one: OK\nb/two: OK\n");
});

test("a folder is made that can be checked behind the border, with what somebody had put there", () => {
  const folder = join(work, "kindling");
  mkdirSync(join(folder, "images"), { recursive: true });
  writeFileSync(join(folder, "images/spark.tar"), "saved by docker");
  execFileSync(process.execPath, ["deploy/air-gap/archive.mjs", "--output", folder, "localizer"], {
    cwd: root,
  });
  const version = versionOf(read("deploy/helm/kindling/Chart.yaml"));
  expect(readFileSync(join(folder, "images.txt"), "utf8")).toBe(`kindling/localizer:${version}\n`);
  for (const path of ["images/localizer.spdx.json", "manifests/kindling.yaml"]) {
    expect(existsSync(join(folder, path)), path).toBe(true);
  }
  // With Helm they are packed, without it they are folders.
  const charts = readdirSync(join(folder, "charts")).map((name) => name.replace(`-${version}.tgz`, ""));
  expect(charts.toSorted()).toEqual(["kindling", "kindling-operator"]);
  const lines = verified(folder).trim().split("\n");
  expect(lines).toContain("images/localizer.tar: OK");
  expect(lines).toContain("images/spark.tar: OK");
  expect(lines.every((line) => line.endsWith(": OK"))).toBe(true);
});
