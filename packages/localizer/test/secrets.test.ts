import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pod, type RunningLocalizer } from "./support/localizer-process.ts";
import { webServer, type WebServer } from "./support/web-server.ts";

const BUNDLE_SECRET = "topsecret-bundle";
const PASSWORD = "topsecret-p@ss/word";
const HEADER = "topsecret-header";
const SIGNATURE = "topsecret+signature/==";

/** A secret in every form that it may be shown in. */
function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
}

/** A server whose answers contain all that it received, as debug pages of proxies do, and more. */
async function echo(status: number, secrets: readonly string[]): Promise<WebServer> {
  return await webServer((request, response) => {
    const detail = `line 1\n\u001b[31mline 2 ${request.url} ${JSON.stringify(request.headers)} ${secrets.join(" ")}`;
    response.writeHead(status, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ type: "about:blank", status, title: detail, detail }));
  });
}

/** The secrets that a run reveals; first checks that the run shows the server's text, so that the test means something. */
async function leaked(secrets: readonly string[], { child, ended }: RunningLocalizer): Promise<string[]> {
  const argv = process.platform === "linux" ? readFileSync(`/proc/${child.pid}/cmdline`, "latin1") : "";
  const { stderr, terminationLog } = await ended;
  expect(stderr).toContain("line 1 \\u{1b}[31mline 2");
  return secrets.filter((secret) => `${stderr}${terminationLog}${argv}`.includes(secret));
}

const STATUSES = [400, 401, 403, 404, 409, 422, 500, 503];

test.each(STATUSES)("a bundle's secret is not shown, whatever a server answers with status %i", async (status) => {
  const { start, volume, folder } = pod();
  const secrets = formsOf(BUNDLE_SECRET);
  const server = await echo(status, secrets);
  const app = { server: server.uri, id: "b", secretFile: folder.write("s", BUNDLE_SECRET) };
  const files = [{ from: { bundle: "app", file: "a" }, to: `${volume}/a` }];
  expect(await leaked(secrets, start({ deadlineSeconds: 1, bundles: { app }, files }))).toEqual([]);
});

test.each(STATUSES)("nor are credentials and signatures, with status %i", async (status) => {
  const { start, volume, folder } = pod();
  const basic = Buffer.from(`user:${PASSWORD}`).toString("base64");
  const secrets = [...[PASSWORD, HEADER, SIGNATURE].flatMap(formsOf), basic];
  const server = await echo(status, secrets);
  folder.write("credentials/netrc", `machine ${server.uri} login user password ${PASSWORD}`);
  folder.write("credentials/headers.json", JSON.stringify({ [server.uri]: { "X-Token": HEADER } }));
  const uri = `${server.uri}/a?X-Amz-Signature=${encodeURIComponent(SIGNATURE)}`;
  const files = [{ from: { uri }, to: `${volume}/b` }];
  const config = { deadlineSeconds: 1, credentialsDir: folder.at("credentials"), files };
  expect(await leaked(secrets, start(config))).toEqual([]);
});
