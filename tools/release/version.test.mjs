// @ts-check
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IMAGES } from "../../deploy/images/images.mjs";
import { completed, publishedPackages } from "../packages/manifests.mjs";
import { versionPackages } from "./version.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = publishedPackages(root);
const copy = mkdtempSync(join(tmpdir(), "kindling-version-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** @param {readonly string[]} args */
const git = (...args) =>
  execFileSync("git", args, { cwd: copy, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
const commit = () => {
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message", "all", "--no-gpg-sign");
};

/** Copies everything that versions are made from: the manifests, the changesets, and the files that contain a version. */
function copyManifests() {
  const wanted =
    /^(\.changeset\/.*|pnpm-(workspace|lock)\.yaml|(.*\/)?(package\.json|Chart\.yaml|manifests\/.*\.yaml|CHANGELOG\.md|src\/version\.ts))$/;
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" }).split("\n");
  for (const file of files.filter((name) => wanted.test(name) && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  git("init", "--quiet", "--initial-branch=main");
  commit();
}

/**
 * Whether a version below 1.0.0 is in the range that pnpm writes for `workspace:^`.
 *
 * @param {string} version
 * @param {string} old
 */
const fits = (version, old) => version.split(".", 2).join(".") === old.split(".", 2).join(".");

test.each(packages.map(({ folder, manifest }) => [manifest.name, folder, manifest]))(
  "%s can be published as it stands",
  (_name, folder, manifest) => {
    expect(manifest, "run node tools/packages/manifests.mjs").toEqual(completed(folder, manifest, root));
    expect(manifest.keywords?.length ?? 0, "keywords by which it is found").toBeGreaterThanOrEqual(3);
    expect(manifest.description.length).toBeGreaterThan(20);
    expect(existsSync(join(root, folder, "README.md"))).toBe(true);
    expect(manifest.files).toBeInstanceOf(Array);
    const names = new Set(packages.map(({ manifest }) => manifest.name));
    /** @param {Readonly<Record<string, string>>} [dependencies] */
    const ours = (dependencies = {}) => Object.entries(dependencies).filter(([name]) => name.startsWith("@kindling/"));
    for (const [name, range] of ours(manifest.dependencies)) {
      expect(names, `${name} is published too`).toContain(name);
      expect(range, name).toBe("workspace:^");
    }
    // A contributed step is not released again whenever the contract grows. Before the first release, the version here is a
    // pre-release.
    for (const [name, range] of ours(manifest.peerDependencies)) {
      expect([name, range]).toEqual(["@kindling/core-spec", ">=0.1.0-0 <1.0.0"]);
    }
  },
);

test.each(packages.filter(({ folder }) => existsSync(join(root, folder, "src", "version.ts"))))(
  "the code of $folder says its version",
  ({ folder, manifest }) => {
    const text = readFileSync(join(root, folder, "src", "version.ts"), "utf8");
    for (const [, said] of text.matchAll(/\bVERSION = "([^"]+)"/g)) expect(said).toBe(manifest.version);
  },
);

test("what is installed in a cluster together has one version, and the charts have it too", () => {
  const { fixed } = JSON.parse(readFileSync(join(root, ".changeset/config.json"), "utf8"));
  const owners = Object.values(IMAGES).flatMap(({ package: owner, commands = [] }) => [
    owner,
    ...commands.map((command) => command.package),
  ]);
  const shipped = [...new Set(owners)].map((name) => `@kindling/${name}`);
  expect(fixed[0].toSorted(), "fixed in .changeset/config.json").toEqual(shipped.toSorted());
  const command = packages.find(({ manifest }) => manifest.name === "@kindling/submit-cli");
  expect(new Set(chartVersions(root))).toEqual(new Set([command?.manifest.version]));
});

/**
 * Both versions of each chart.
 *
 * @param {string} folder a repository
 */
function chartVersions(folder) {
  return ["kindling", "kindling-operator"].flatMap((chart) => {
    const text = readFileSync(join(folder, "deploy/helm", chart, "Chart.yaml"), "utf8");
    return [...text.matchAll(/^(?:version|appVersion): (.*)$/gm)].map(([, version]) => version);
  });
}

describe("what changesets make of it", () => {
  /** @type {Record<string, string>} */
  let released = {};
  beforeAll(() => {
    copyManifests();
    released = versionPackages(copy);
  }, 300_000);

  test("a first release of every package has the version that stands there, and a CHANGELOG", () => {
    const first = packages.filter(({ folder }) => !existsSync(join(root, folder, "CHANGELOG.md")));
    for (const { folder, manifest } of first) {
      expect(released[manifest.name], manifest.name).toBe(manifest.version);
      const log = readFileSync(join(copy, folder, "CHANGELOG.md"), "utf8");
      expect(log).toMatch(new RegExp(`^# ${manifest.name}\n\n## ${manifest.version.replaceAll(".", "\\.")}\n\n### `));
    }
    expect(publishedPackages(copy)).toHaveLength(packages.length);
  });

  test("then a change of one package is a release of it and of those whose range leaves it, and of no other", () => {
    commit();
    const before = new Map(publishedPackages(copy).map(({ manifest }) => [manifest.name, manifest.version]));
    writeFileSync(join(copy, ".changeset/one.md"), '---\n"@kindling/core-spec": patch\n---\n\nOne.\n');
    expect(Object.keys(versionPackages(copy))).toEqual(["@kindling/core-spec"]);

    writeFileSync(join(copy, ".changeset/two.md"), '---\n"@kindling/core-spec": minor\n---\n\nTwo.\n');
    commit();
    const second = versionPackages(copy);
    for (const { manifest } of publishedPackages(copy)) {
      const leaves = Object.keys(manifest.dependencies ?? {}).some(
        (name) => second[name] !== undefined && !fits(second[name], before.get(name) ?? ""),
      );
      const itself = manifest.name === "@kindling/core-spec";
      expect(manifest.name in second, manifest.name).toBe(itself || leaves);
      // A user's range for the package accepts the new version, unless the package itself has changed.
      expect(fits(manifest.version, before.get(manifest.name) ?? ""), manifest.name).toBe(!itself);
    }
    const cli = readFileSync(join(copy, "packages/submit-cli/src/version.ts"), "utf8");
    expect(cli).toContain(`"${second["@kindling/submit-cli"]}"`);
    expect(new Set(chartVersions(copy))).toEqual(new Set([second["@kindling/submit-cli"]]));
    const plain = "deploy/manifests/kindling.yaml";
    const [old = "", young = ""] = [before.get("@kindling/submit-cli"), second["@kindling/submit-cli"]];
    expect(readFileSync(join(copy, plain), "utf8")).toBe(
      readFileSync(join(root, plain), "utf8").replaceAll(old, young),
    );
  });

  test("a package that was never released is not forgotten", () => {
    const folder = join(copy, "packages/forgotten");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "name": "@kindling/forgotten", "version": "0.1.0" }');
    expect(() => versionPackages(copy)).toThrow("without a changeset: @kindling/forgotten");
  });
});
