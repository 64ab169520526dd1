import { randomBytes } from "node:crypto";
import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { testAuthority } from "@kindling/test-kit/certificates";
import { pod, type Pod } from "../support/localizer-process.ts";
import { stage, stageV0, type StagedBundle } from "../support/staged-bundle.ts";
import { sharedServer, stagingServer } from "../support/staging-server.ts";
import { webServer } from "../support/web-server.ts";

const server = sharedServer();

/** A file of the bundle `app` as a submission writes it: with everything that is in the manifest. */
function described(staged: StagedBundle, name: string, to: string) {
  const { digest, size, mode } = staged.files.get(name) ?? { digest: "", size: 0, mode: 0 };
  return { from: { bundle: "app", file: name }, to, digest, size, mode };
}

test("staged files are brought to their places, and nothing else appears", async () => {
  const { run, volume, folder, tree } = pod();
  const jar = randomBytes(300_000);
  const staged = await stage(server(), folder, { "jars/app.jar": jar, "data.csv": "1,2\n", empty: "" });
  const { code, stderr } = await run({
    bundles: { app: staged.config },
    files: [
      described(staged, "jars/app.jar", `${volume}/jars/app.jar`),
      { ...described(staged, "data.csv", `${volume}/work/data.csv`), mode: 0o600 },
      described(staged, "empty", `${volume}/empty`),
    ],
  });
  expect(stderr).toMatch(/^done .*\/jars\/app\.jar: 300\.0 kB in \d+\.\d\d s$/m);
  expect(stderr).toMatch(/^3 files, 300\.0 kB in \d+\.\d\d s$/m);
  expect(code).toBe(0);
  expect(tree()).toEqual({
    "jars/": "755",
    "jars/app.jar": `644 ${jar.toString("latin1")}`,
    "work/": "755",
    "work/data.csv": "600 1,2\n",
    empty: "644 ",
  });
});

test("what the configuration leaves out comes from the manifest, which is held to its digest", async () => {
  const { run, volume, folder, tree } = pod();
  const staged = await stage(server(), folder, { "a.jar": "a" });
  const { manifestDigest } = staged;
  const files = [{ from: { bundle: "app", file: "a.jar" }, to: `${volume}/a.jar` }];
  expect((await run({ bundles: { app: { ...staged.config, manifestDigest } }, files })).code).toBe(0);
  expect(tree()).toEqual({ "a.jar": "644 a" });
  const other = `sha256:${"0".repeat(64)}`;
  const refused = await run({ bundles: { app: { ...staged.config, manifestDigest: other } }, files });
  expect(refused.code).toBe(5);
  expect(refused.failure).toMatchObject({ reason: "digest", hint: "submit again" });
});

test("a second run fetches nothing, and one after damage puts it right", async () => {
  const { run, volume, folder, tree } = pod();
  const staged = await stage(server(), folder, { "a.jar": "a".repeat(1000), "b.jar": "b" });
  const config = {
    bundles: { app: staged.config },
    files: ["a.jar", "b.jar"].map((name) => described(staged, name, `${volume}/${name}`)),
  };
  await run(config);
  const again = await run(config);
  expect(again.stderr).toMatch(/^skip .*a\.jar: already there$/m);
  expect(again.stderr).toMatch(/^2 files, 0 B in/m);
  folder.write("volume/a.jar", "a".repeat(999) + "x");
  expect((await run(config)).code).toBe(0);
  expect(tree()).toEqual({ "a.jar": `644 ${"a".repeat(1000)}`, "b.jar": "644 b" });
});

test("a digest that the server does not have for the file ends the run before anything is fetched", async () => {
  const { run, volume, folder, tree } = pod();
  const staged = await stage(server(), folder, { "a.jar": "a" });
  const { mode: _, ...partial } = described(staged, "a.jar", `${volume}/a.jar`);
  const file = { ...partial, digest: `sha256:${"1".repeat(64)}` };
  const { code, failure } = await run({ bundles: { app: staged.config }, files: [file] });
  expect(code).toBe(5);
  expect(failure.message).toContain("not what the configuration says");
  expect(tree()).toEqual({});
});

test("bytes that are not those announced are fetched twice, and never appear", async () => {
  const { run, volume, folder, tree } = pod();
  const staged = await stage(server(), folder, { "a.jar": "a" });
  const file = { ...described(staged, "a.jar", `${volume}/a.jar`), digest: `sha256:${"1".repeat(64)}` };
  const { code, failure } = await run({ bundles: { app: staged.config }, files: [file] });
  expect(code).toBe(5);
  expect(failure).toMatchObject({ reason: "digest", file: `a.jar of bundle app to ${volume}/a.jar` });
  expect(tree()).toEqual({});
});

test("a file that the bundle does not have is not found", async () => {
  const { run, volume, folder } = pod();
  const staged = await stage(server(), folder, { "a.jar": "a" });
  const files = [{ from: { bundle: "app", file: "b.jar" }, to: `${volume}/b.jar` }];
  const { code, failure } = await run({ bundles: { app: staged.config }, files });
  expect(code).toBe(3);
  expect(failure).toMatchObject({ reason: "not-found", message: "the bundle app has no file b.jar" });
});

async function refusedWith(setting: Pod, secret: string, id?: string) {
  const { run, volume, folder } = setting;
  const staged = await stage(server(), folder, { "a.jar": "a" });
  folder.write("secrets/v1", secret === "prefix" ? staged.secret.slice(0, 10) : secret);
  const config = { ...staged.config, ...(id !== undefined && { id }) };
  return await run({ bundles: { app: config }, files: [described(staged, "a.jar", `${volume}/a.jar`)] });
}

test.each([
  ["wrong", "wrong-secret-of-some-length", undefined],
  ["a prefix of the right one", "prefix", undefined],
  ["for a bundle that does not exist", "some-secret", "no-such-bundle"],
  ["for an id with a slash", "some-secret", "a/../b"],
])("a secret that is %s ends the run at once, and is not shown", async (_, secret, id) => {
  const started = Date.now();
  const { code, failure, stderr, terminationLog } = await refusedWith(pod(), secret, id);
  expect(code).toBe(4);
  expect(failure).toMatchObject({ reason: "refused", hint: expect.stringContaining("does not open bundle") as string });
  expect(stderr + terminationLog).not.toContain(secret);
  expect(Date.now() - started).toBeLessThan(5000);
});

test.each([
  ["", "holds no secret"],
  ["a\r\nx-header: b", "holds no secret"],
  ["x".repeat(16_384), "holds no secret"],
])("a secret file that cannot be one is an error of the configuration", async (secret, problem) => {
  const { code, failure } = await refusedWith(pod(), secret);
  expect(code).toBe(2);
  expect(failure.message).toContain(problem);
});

test("a secret file that is not there is an error of the configuration", async () => {
  const { run, volume, folder } = pod();
  const { config } = await stage(server(), folder, { a: "a" });
  const bundles = { app: { ...config, secretFile: "/nowhere/secret" } };
  const { code, failure } = await run({ bundles, files: [{ from: { bundle: "app", file: "a" }, to: `${volume}/a` }] });
  expect(code).toBe(2);
  expect(failure).toMatchObject({ message: "/nowhere/secret does not exist" });
});

test("a server with a certificate is trusted by caFile alone", async () => {
  const authority = testAuthority("test");
  const { run, volume, folder } = pod();
  const { cert, key } = authority.issue("server");
  const secure = await stagingServer({
    "tls-cert-file": folder.write("tls/cert", cert),
    "tls-key-file": folder.write("tls/key", key),
  });
  const staged = await stage(secure, folder, { a: "a" }, authority.cert);
  const caFile = folder.write("ca.pem", authority.cert);
  const files = [described(staged, "a", `${volume}/a`)];
  // The environment must not turn the verification off.
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const distrusted = await run({ bundles: { app: staged.config }, files }, { env });
  expect(distrusted).toMatchObject({
    code: 9,
    failure: { reason: "tls", hint: expect.stringContaining("caFile") as string },
  });
  expect((await run({ bundles: { app: { ...staged.config, caFile } }, files })).code).toBe(0);
  const other = folder.write("other.pem", testAuthority("other").cert);
  const again = [described(staged, "a", `${volume}/b`)];
  expect((await run({ bundles: { app: { ...staged.config, caFile: other } }, files: again })).code).toBe(9);
});

test.each([
  ["expired", { expired: true }],
  ["for another name", { names: ["other.example"] }],
])("a certificate that is %s ends the run", async (_, options) => {
  const authority = testAuthority("test");
  const tls = authority.issue("server", options);
  const secure = await webServer((_, response) => response.end(), { tls });
  const { run, volume, folder } = pod();
  const app = {
    server: secure.uri,
    id: "b",
    secretFile: folder.write("s", "secret"),
    caFile: folder.write("ca", authority.cert),
  };
  const files = [{ from: { bundle: "app", file: "a" }, to: `${volume}/a` }];
  const { code, failure } = await run({ bundles: { app }, files });
  expect(code).toBe(9);
  expect(failure.message).toContain("certificate");
  expect(secure.requests).toHaveLength(0);
});

test("a redirect to the object store is followed where that is allowed, and without the secret", async () => {
  const store = await webServer((_, response) => response.end("hello"));
  const front = await webServer((request, response) => {
    const asksForBytes = new URL(request.url ?? "", "http://x").searchParams.get("redirect") === "false";
    if (asksForBytes) response.end("bytes");
    else response.writeHead(307, { location: `${store.uri}/blob?X-Amz-Signature=topsecret` }).end();
  });
  const { run, volume, folder, tree } = pod();
  const app = { server: front.uri, id: "b", secretFile: folder.write("s", "secret") };
  const to = (name: string) => [
    { from: { bundle: "app", file: "a" }, to: `${volume}/${name}`, digest: HELLO, size: 5, mode: 0o644 },
  ];
  const allowed = { ...app, redirectHosts: [`127.0.0.1:${store.port}`] };
  expect((await run({ bundles: { app: allowed }, files: to("a") })).code).toBe(0);
  expect(store.requests[0]?.headers.authorization).toBeUndefined();
  expect(tree()).toEqual({ a: "644 hello" });
  const elsewhere = { ...app, redirectHosts: ["other.example", "*"] };
  const refused = await run({ bundles: { app: elsewhere }, files: to("b") });
  expect(refused).toMatchObject({ code: 10, failure: { reason: "redirect" } });
  expect(refused.failure.hint).toContain("bundles.app.redirectHosts");
  expect(refused.stderr + refused.terminationLog).not.toContain("topsecret");
});

const HELLO = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

test("both bundles of the old fork are unpacked into its directories", async () => {
  const { run, folder, tree } = pod();
  const jars = await stageV0(server(), folder, { "app.jar": "jar", "lib-1.jar": "lib" });
  const files = await stageV0(server(), folder, { "data.csv": "1,2" });
  const remote = await webServer((_, response) => response.end("remote"));
  folder.mkdir("volume/spark-jars");
  folder.mkdir("volume/spark-files");
  const properties = [
    `spark.kubernetes.resourceStagingServer.uri=${jars.server}`,
    `spark.kubernetes.initcontainer.downloadJarsResourceIdentifier=${jars.id}`,
    `spark.kubernetes.initcontainer.downloadJarsSecretLocation=${jars.secretFile}`,
    `spark.kubernetes.initcontainer.downloadFilesResourceIdentifier=${files.id}`,
    `spark.kubernetes.initcontainer.downloadFilesSecretLocation=${files.secretFile}`,
    `spark.kubernetes.mountdependencies.jarsDownloadDir=${folder.at("volume/spark-jars")}`,
    `spark.kubernetes.mountdependencies.filesDownloadDir=${folder.at("volume/spark-files")}`,
    `spark.kubernetes.initcontainer.remoteJars=${remote.uri}/far.jar`,
  ];
  const path = folder.write("spark-init.properties", properties.join("\n"));
  for (const time of ["first", "second"]) {
    const { code, stderr } = await run({ files: [] }, { args: [path] });
    expect(code, `${time}: ${stderr}`).toBe(0);
    expect(tree()).toEqual({
      "spark-jars/": "755",
      "spark-jars/app.jar": "644 jar",
      "spark-jars/lib-1.jar": "644 lib",
      "spark-jars/far.jar": "755 remote",
      "spark-files/": "755",
      "spark-files/data.csv": "644 1,2",
    });
  }
});

test("a wrong secret of the old wire is an error at once, where the fork hung for five minutes", async () => {
  const { run, volume, folder } = pod();
  const old = await stageV0(server(), folder, { a: "a" });
  const bundles = { jars: { ...old, secretFile: folder.write("wrong", "wrong-secret") } };
  const { code, failure } = await run({ bundles, files: [{ from: { bundle: "jars" }, to: volume }] });
  expect(code).toBe(4);
  expect(failure.reason).toBe("refused");
});

test("a link in the way to a target is refused, and nothing is written behind it", async () => {
  const { run, volume, folder } = pod();
  const staged = await stage(server(), folder, { a: "a" });
  symlinkSync(folder.mkdir("outside"), `${volume}/jars`);
  const { code, failure } = await run({
    bundles: { app: staged.config },
    files: [described(staged, "a", `${volume}/jars/a`)],
  });
  expect(code).toBe(6);
  expect(failure.message).toBe(`${volume}/jars is a link or a file, where a directory should be`);
  expect(folder.tree("outside")).toEqual({});
});

test("links at the very place of a file are replaced, not followed", async () => {
  const { run, volume, folder, tree } = pod();
  const staged = await stage(server(), folder, { a: "new" });
  const outside = folder.write("outside", "old");
  symlinkSync(outside, `${volume}/a`);
  symlinkSync(outside, `${volume}/a.part`);
  const files = [described(staged, "a", `${volume}/a`)];
  expect((await run({ bundles: { app: staged.config }, files })).code).toBe(0);
  expect(tree()).toEqual({ a: "644 new" });
  expect(folder.tree()["outside"]).toBe("644 old");
});
