// @ts-check
import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { imageBuilder } from "../../deploy/images/build.mjs";
import { shellCommands } from "./documented-commands.mjs";
import { HAS_COSIGN, startBench } from "./signing/bench.mjs";

const WORKFLOW = "https://github.com/kindling-spark/kindling/.github/workflows/release.yml@refs/heads/main";
const ORIGIN = { version: "0.1.0", revision: "abc123", source: "https://example.com", created: "2026-01-02T03:04:05Z" };
const NAME = "kindling/gateway";

/** @param {string} path in the repository */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/**
 * The commands of the release workflow that sign, each once.
 *
 * @param {string} verb such as `sign`
 */
function signing(verb) {
  const lines = read(".github/workflows/release.yml").split("\n");
  const found = lines.flatMap((line) => /cosign [\w-]+ --yes [^;]*/.exec(line)?.[0].trim() ?? []);
  return [...new Set(found)].filter((command) => command.startsWith(`cosign ${verb} `));
}

const documented = shellCommands(read("docs/verifying.md"));
/** @param {string} begin of the only such command on the page */
function verifying(begin) {
  const [found, ...more] = documented.filter((command) => command.startsWith(begin));
  if (found === undefined || more.length > 0) throw new Error(`docs/verifying.md has not one command ${begin}`);
  return found;
}

const HAS_OPENSSL = spawnSync("openssl", ["version"]).status === 0;
const HAS_HELM = spawnSync("helm", ["version"]).status === 0;

describe.skipIf(!HAS_COSIGN || !HAS_OPENSSL)("what the release workflow signs", () => {
  /** @type {import("./signing/bench.mjs").Bench} */
  let bench;
  /** @type {string} the image's digest */
  let digest;
  const local = (/** @type {string} */ command) =>
    command
      .replaceAll("docker.io/", `${bench.registry}/`)
      .replaceAll("registry.example.com/", `${bench.registry}/inside/`);

  beforeAll(async () => {
    bench = await startBench(WORKFLOW);
    const { data, sbom } = imageBuilder()("gateway", ORIGIN);
    writeFileSync(join(bench.folder, "gateway.tar"), data);
    writeFileSync(join(bench.folder, "sbom.json"), JSON.stringify(sbom));
    digest = await push("gateway.tar", NAME);
    await sign(NAME, digest);
  });
  afterAll(() => bench.stop());

  /** @param {string} archive @param {string} name @returns the digest */
  async function push(archive, name) {
    await bench.shell(`crane push ${archive} ${bench.registry}/${name}:0.1.0`);
    return (await bench.shell(`crane digest ${bench.registry}/${name}:0.1.0`)).trim();
  }

  /** @param {string} name @param {string} of the image's digest */
  async function sign(name, of) {
    for (const command of [...signing("sign"), ...signing("attest")]) {
      await bench.shell(command, { IMAGE: `${bench.registry}/${name}`, DIGEST: of });
    }
  }

  test("an image is verified by the documented command, which names what was signed", async () => {
    expect(await bench.shell(local(verifying("cosign verify docker.io/")))).toContain(digest);
  });

  test("an image is verified by programs that know only the older form", async () => {
    const older = `${local(verifying("cosign verify docker.io/"))} --new-bundle-format=false`;
    expect(await bench.shell(older)).toContain(digest);
    expect(await bench.shell(`crane ls ${bench.registry}/${NAME}`)).toContain(`${digest.replace(":", "-")}.sig`);
  });

  test("the bill of materials is verified, and has the packages in the bundled file", async () => {
    await bench.shell(local(verifying("cosign verify-attestation")));
    const { payload } = JSON.parse(readFileSync(join(bench.folder, "attestation.json"), "utf8"));
    const { predicate, subject } = JSON.parse(Buffer.from(payload, "base64").toString());
    expect(`sha256:${subject[0].digest.sha256}`).toBe(digest);
    const names = predicate.packages.map((/** @type {{ name: string }} */ { name }) => name);
    expect(names).toEqual(expect.arrayContaining(["@kindling/gateway", "node"]));
  });

  test("an image that was changed is refused, also with the signature of the right one", async () => {
    const name = "kindling/changed";
    const { data } = imageBuilder()("gateway", { ...ORIGIN, revision: "changed" });
    writeFileSync(join(bench.folder, "changed.tar"), data);
    await push("gateway.tar", name);
    await sign(name, digest);
    const changed = await push("changed.tar", name);
    expect(changed).not.toBe(digest);
    const verify = local(verifying("cosign verify docker.io/")).replace(NAME, name);
    await expect(bench.shell(verify)).rejects.toThrow("no signatures found");
    // In the registry, the tags of signatures and of lists of bundles have the digest of the image in their names.
    for (const suffix of ["", ".sig"]) {
      const tag = (/** @type {string} */ of) => `${bench.registry}/${name}:${of.replace(":", "-")}${suffix}`;
      await bench.shell(`crane copy ${tag(digest)} ${tag(changed)}`);
    }
    await expect(bench.shell(verify)).rejects.toThrow("provided artifact digest does not match any digest");
    await expect(bench.shell(`${verify} --new-bundle-format=false`)).rejects.toThrow("no matching signatures");
  });

  test("an image that another repository has signed is refused", async () => {
    const name = "kindling/foreign";
    const { data } = imageBuilder()("gateway", { ...ORIGIN, revision: "foreign" });
    writeFileSync(join(bench.folder, "foreign.tar"), data);
    bench.signAs(WORKFLOW.replace("kindling-spark", "somebody"));
    try {
      await sign(name, await push("foreign.tar", name));
    } finally {
      bench.signAs(WORKFLOW);
    }
    const verify = local(verifying("cosign verify docker.io/")).replace(NAME, name);
    await expect(bench.shell(verify)).rejects.toThrow("no matching CertificateIdentity found");
    await expect(bench.shell(`${verify} --new-bundle-format=false`)).rejects.toThrow(
      "none of the expected identities matched",
    );
  });

  test("a copy with its signatures is verified where nothing outside can be asked", async () => {
    await bench.shell(local(verifying("cosign copy")));
    // A proxy at which nobody listens.
    const cutOff = { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
    expect(await bench.shell(local(verifying("cosign verify registry.example.com/")), cutOff)).toContain(digest);
  });

  test.each(["kindling-0.1.0.tgz", "kindling-linux-x64"])(
    "the file %s is verified, and refused if it was changed",
    async (file) => {
      const path = join(bench.folder, file);
      copyFileSync(join(bench.folder, "gateway.tar"), path);
      expect(signing("sign-blob")).toHaveLength(1);
      for (const command of signing("sign-blob")) await bench.shell(command, { file });
      const verify = verifying(`cosign verify-blob ${file}`);
      await bench.shell(verify);
      appendFileSync(path, "changed");
      await expect(bench.shell(verify)).rejects.toThrow(/invalid signature|digest/);
    },
  );

  test.skipIf(!HAS_HELM)("a chart in a registry is verified as an image is", async () => {
    const chart = new URL("../../deploy/helm/kindling", import.meta.url).pathname;
    const said = await bench.shell(
      `helm package ${chart} --version 0.1.0 --destination charts >&2
      helm push charts/kindling-0.1.0.tgz oci://${bench.registry}/charts --plain-http 2>&1 | sed -n 's/^Digest: //p'`,
    );
    for (const command of signing("sign")) {
      await bench.shell(command, { IMAGE: `${bench.registry}/charts/kindling`, DIGEST: said.trim() });
    }
    const verify = local(verifying("cosign verify docker.io/")).replace(NAME, "charts/kindling");
    expect(await bench.shell(verify)).toContain(said.trim());
  });
});

test("the release workflow signs images, charts and files, and the page says who has signed", () => {
  expect(signing("sign")).toHaveLength(2);
  expect(signing("attest")).toHaveLength(2);
  const verify = documented.filter((command) => command.startsWith("cosign verify"));
  expect(verify.length).toBeGreaterThan(4);
  for (const command of verify) expect(command).toContain(` --certificate-identity ${WORKFLOW} `);
});
