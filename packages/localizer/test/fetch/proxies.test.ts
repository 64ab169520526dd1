import { testAuthority } from "@kindling/test-kit/certificates";
import { startHttpProxy, startSocksProxy } from "@kindling/test-kit/proxies";
import { expect, test } from "vitest";
import { pod } from "../support/localizer-process.ts";
import { stage } from "../support/staged-bundle.ts";
import { sharedServer } from "../support/staging-server.ts";
import { webServer } from "../support/web-server.ts";

const staging = sharedServer();
const LOGIN = `Basic ${Buffer.from("ann:p@ss").toString("base64")}`;

test("files of the web come through the environment's proxies, with TLS and without", async () => {
  const { run, volume, tree, folder } = pod();
  const authority = testAuthority("the repository's authority");
  const secure = await webServer((_, response) => response.end("secure"), {
    tls: authority.issue("repository", { names: ["repo.example"] }),
  });
  const plain = await webServer((_, response) => response.end("plain"));
  const hosts = { "repo.example:443": secure.port, "repo.example:80": plain.port };
  const proxy = await startHttpProxy({ hosts, authorization: LOGIN });
  folder.write("credentials/ca.crt", authority.cert);
  const { code, stderr } = await run(
    {
      credentialsDir: folder.at("credentials"),
      files: [
        { from: { uri: "https://repo.example/a.jar" }, to: `${volume}/a` },
        { from: { uri: "http://repo.example/b.jar" }, to: `${volume}/b` },
      ],
    },
    { env: { ALL_PROXY: `http://ann:p%40ss@127.0.0.1:${proxy.port}` } },
  );
  expect([stderr, code]).toEqual([expect.any(String), 0]);
  expect(tree()).toEqual({ a: "644 secure", b: "644 plain" });
  expect(proxy.targets).toEqual(["repo.example:443"]);
  expect(proxy.requests.map(({ url }) => url)).toEqual(["http://repo.example/b.jar"]);
  expect([...secure.requests, ...plain.requests].map(({ headers }) => headers["proxy-authorization"])).toEqual([
    undefined,
    undefined,
  ]);
});

test.each(["http", "socks5h"])("staged files come through a proxy of %s", async (scheme) => {
  const { run, volume, tree, folder } = pod();
  const staged = await stage(staging(), folder, { "a.jar": "a" });
  const hosts = { "staging.example:10000": Number(new URL(staged.config.server).port) };
  const proxy = scheme === "http" ? await startHttpProxy({ hosts }) : await startSocksProxy({ hosts });
  const { code, stderr } = await run(
    {
      bundles: { app: { ...staged.config, server: "http://staging.example:10000/" } },
      files: [{ from: { bundle: "app", file: "a.jar" }, to: `${volume}/a.jar` }],
    },
    { env: { http_proxy: `${scheme}://127.0.0.1:${proxy.port}` } },
  );
  expect([stderr, code]).toEqual([expect.any(String), 0]);
  expect(tree()).toEqual({ "a.jar": "644 a" });
  expect(proxy.targets.length + proxy.requests.length).toBeGreaterThan(0);
});

test("a proxy that refuses is named in the termination log with its variable, without its password", async () => {
  const { run, volume } = pod();
  const proxy = await startHttpProxy({ status: 407 });
  const files = [{ from: { uri: "https://repo.example/a.jar" }, to: `${volume}/a` }];
  const env = { HTTPS_PROXY: `http://ann:topsecret@127.0.0.1:${proxy.port}` };
  const { code, stderr, failure } = await run({ files, deadlineSeconds: 60 }, { env });
  expect(code).not.toBe(0);
  expect(failure).toMatchObject({
    reason: "unreachable",
    message: expect.stringContaining(
      `the proxy http://127.0.0.1:${proxy.port} (HTTPS_PROXY): it answered 407 Proxy Authentication Required`,
    ) as string,
    hint: "check the user and password in HTTPS_PROXY",
  });
  expect(stderr + JSON.stringify(failure)).not.toContain("topsecret");
});

test("a proxy that cannot be one is an error that names its variable", async () => {
  const { run, volume } = pod();
  const files = [{ from: { uri: "https://repo.example/a.jar" }, to: `${volume}/a` }];
  const { code, stderr, failure } = await run({ files }, { env: { HTTPS_PROXY: "gopher://ann:topsecret@host" } });
  expect(code).not.toBe(0);
  expect(failure.message).toContain("HTTPS_PROXY: it has the scheme gopher");
  expect(stderr + JSON.stringify(failure)).not.toContain("topsecret");
});

test("no proxy is asked for what this machine has, nor for what NO_PROXY exempts", async () => {
  const { run, volume, tree } = pod();
  const server = await webServer((_, response) => response.end("here"));
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
  const { code } = await run({ files }, { env: { ALL_PROXY: "http://127.0.0.1:1", NO_PROXY: ".svc,10.0.0.0/8" } });
  expect(code).toBe(0);
  expect(tree()).toEqual({ a: "644 here" });
});
