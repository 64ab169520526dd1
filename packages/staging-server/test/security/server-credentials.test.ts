import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommittedBundle } from "@kindling/staging-client";
import { expect, it, onTestFinished } from "vitest";
import { AZURITE_ACCOUNT, AZURITE_KEY, hasAzurite, startAzurite } from "@kindling/test-kit/azurite";
import { hasFakeGcsServer, startFakeGcsServer } from "@kindling/test-kit/fake-gcs-server";
import { found, recordingPeer, type RecordingPeer } from "@kindling/test-kit/recording-peer";
import { startStub } from "@kindling/test-kit/stub-server";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { connectCluster } from "../../src/cluster/connect-cluster.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { makeAccount, tokenOf } from "@kindling/test-cluster/accounts";
import { servedCluster, type ServedCluster } from "../support/served-cluster.ts";
import { fakeHdfs } from "@kindling/test-kit/fake-hdfs";
import { fakeS3 } from "@kindling/test-kit/fake-s3";
import { hdfsSettings } from "../support/hdfs-storage.ts";
import { httpCall } from "../support/http-call.ts";
import { s3Settings } from "../support/s3-storage.ts";
import { manifestOf, sample } from "../support/stage.ts";
import { jsonCall, openLease, TEST_OWNER, testServer, type TestServer } from "../support/test-server.ts";

const SUBMITTER = { namespace: "default", name: "kindling-submitter" };

interface Scene {
  readonly server: TestServer;
  readonly served: ServedCluster;
  /** All bytes that the API server receives. */
  readonly peer: RecordingPeer;
  /** The token of a submitter's account. */
  readonly token: string;
}

/** A server that uses a recorded API server, with a token of its own. */
async function scene(settings: Partial<ServerConfig>, env: Record<string, string> = {}): Promise<Scene> {
  const served = await servedCluster();
  await makeAccount(served.cluster, SUBMITTER);
  const peer = await recordingPeer(served.cluster.url);
  const kubeconfig = kubeconfigFor(peer, { token: served.token });
  const more = { "auth.mode": "kubernetes", "cluster.kubeconfig": kubeconfig, "log.level": "debug" } as const;
  const server = await testServer({ ...more, ...settings }, { connectCluster, env });
  return { server, served, peer, token: tokenOf(served.cluster, SUBMITTER) };
}

/** Uploads a bundle of one file with a token. */
async function upload(server: TestServer, token: string): Promise<CommittedBundle> {
  const headers = { authorization: `Bearer ${token}` };
  const lease = await openLease(server, "default", headers);
  const one = sample(1000);
  await server.call(`api/v1/blobs/${one.digest}?lease=${lease}`, { method: "PUT", headers, body: one.bytes });
  const commit = jsonCall({ lease, owner: TEST_OWNER, files: manifestOf({ a: one }) }, headers);
  const answer = await server.call("api/v1/bundles", commit);
  expect(answer.status).toBe(201);
  return answer.json as CommittedBundle;
}

/** The places where these texts were found, by the names of the texts. */
async function places(
  texts: Readonly<Record<string, string>>,
  { server, peer }: Scene,
  store?: RecordingPeer,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const recordings: Record<string, string> = {
    "API server": peer.received(),
    store: store?.received() ?? "",
    disk: onDisk(server),
    log: server.logLines.join(""),
    metrics: (await httpCall(`${server.adminUri}metrics`)).body.toString(),
  };
  return Object.fromEntries(
    Object.keys(texts).map((name) => [
      name,
      Object.keys(recordings).filter((place) => found(texts, recordings[place] ?? "").includes(name)),
    ]),
  );
}

/** Everything that the server keeps in its folder. */
function onDisk({ config }: TestServer): string {
  return readdirSync(config["store.path"], { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

it("C15, C16: its own token, and those of submitters, go to the API server and nowhere else", async () => {
  const one = await scene({ "store.path": scratchFolder().path });
  const { token } = one;
  const { secret } = await upload(one.server, token);
  const texts = { own: one.served.token, token, secret };
  expect(await places(texts, one)).toEqual({ own: ["API server"], token: ["API server"], secret: [] });
  // The token is in the review request, but it is not used to authenticate.
  expect(one.peer.received()).not.toContain(`Bearer ${token}`);
});

it.each([200, 400, 500])(
  "C16: a submitter's token that is quoted in an answer of status %d is not logged",
  async (status) => {
    const one = await scene({ "store.path": scratchFolder().path });
    const { token } = one;
    one.served.cluster.api.fault = ({ body }) => {
      const message = JSON.stringify(body);
      const quoted = { kind: "Status", apiVersion: "v1", status: "Failure", code: status, message };
      return { kind: "instead", status, text: status === 200 ? message.slice(1) : JSON.stringify(quoted) };
    };
    const answer = await one.server.call("api/v1/leases", {
      ...jsonCall({ namespace: "default" }, { authorization: `Bearer ${token}` }),
    });
    expect(answer.status).toBe(503);
    expect(one.server.logLines.join("")).toMatch(/TokenReview/);
    expect(await places({ token }, one)).toEqual({ token: ["API server"] });
    expect(JSON.stringify(answer)).not.toContain(token.slice(0, 40));
  },
);

it("C17: what others prove themselves with is kept as a hash", async () => {
  const tokenSha256 = createHash("sha256").update("canary-of-an-access-file").digest("hex");
  const file = join(scratchFolder().path, "access.json");
  await writeFile(file, JSON.stringify({ subjects: [{ name: "ci", tokenSha256, namespaces: ["default"] }] }));
  const one = await scene({ "auth.mode": "token", "auth.accessFile": file, "store.path": scratchFolder().path });
  const { secret } = await upload(one.server, "canary-of-an-access-file");
  const texts = { token: "canary-of-an-access-file", secret };
  expect(await places(texts, one)).toEqual({ token: [], secret: [] });
  expect(onDisk(one.server)).toContain(createHash("sha256").update(secret).digest("hex"));
});

it("C18: an S3 store gets signatures, and presigned URLs end", async () => {
  const s3 = await fakeS3();
  const store = await recordingPeer(s3.endpoint);
  const texts = { id: "canary-of-the-key-id", key: "canary-of-the-secret-key", session: "canary-of-the-session" };
  const env = { AWS_ACCESS_KEY_ID: texts.id, AWS_SECRET_ACCESS_KEY: texts.key, AWS_SESSION_TOKEN: texts.session };
  const one = await scene({ ...s3Settings(store.url), "auth.mode": "none", "store.path": scratchFolder().path }, env);
  const { bundleId, secret } = await upload(one.server, "nobody looks at it");
  const found = await places({ ...texts, secret }, one, store);
  expect(found).toEqual({ id: ["store"], key: [], session: ["store"], secret: [] });

  const headers = { authorization: `Bearer ${secret}` };
  const answer = await one.server.call(`api/v1/bundles/${bundleId}/files/a`, { headers });
  const location = new URL(String(answer.headers["location"]));
  expect([answer.status, location.host]).toEqual([307, new URL(store.url).host]);
  expect(location.searchParams.get("X-Amz-Expires")).toBe("900");
  expect(location.searchParams.get("X-Amz-SignedHeaders")).toBe("host");
  expect(location.href).not.toContain(texts.key);
  expect(one.server.logLines.join("")).not.toContain(location.searchParams.get("X-Amz-Signature") ?? "none");
  expect((await one.server.call(`api/v1/bundles/${bundleId}/files/a`)).status).toBe(401);
});

it.skipIf(!hasAzurite)("C18: an account of Azure gets signatures, and not its key", async () => {
  const azurite = await startAzurite(scratchFolder().path, "jobs");
  onTestFinished(() => azurite.stop());
  const store = await recordingPeer(new URL(azurite.endpoint).origin);
  const settings = {
    "store.kind": "adls",
    "store.adls.uri": `abfss://jobs@${AZURITE_ACCOUNT}.dfs.core.windows.net/x`,
    "store.adls.endpoint": `${store.url}/${AZURITE_ACCOUNT}`,
    "auth.mode": "none",
    "store.path": scratchFolder().path,
  } as const;
  const one = await scene(settings, { AZURE_STORAGE_KEY: AZURITE_KEY });
  const { secret } = await upload(one.server, "nobody looks at it");
  expect(await places({ key: AZURITE_KEY, secret }, one, store)).toEqual({ key: [], secret: [] });
  expect(store.received()).toContain(`authorization: SharedKey ${AZURITE_ACCOUNT}:`);
});

it.skipIf(!hasFakeGcsServer)("C18: a store of Google without TLS gets no token", async () => {
  const google = await startFakeGcsServer("jobs");
  onTestFinished(() => google.stop());
  const store = await recordingPeer(google.endpoint);
  const tokens = await startStub((_, response) => {
    response.end('{"access_token":"canary-of-the-token","expires_in":3600}');
  });
  const settings = {
    "store.kind": "gcs",
    "store.gcs.uri": "gs://jobs/x",
    "store.gcs.endpoint": store.url,
    "auth.mode": "none",
    "store.path": scratchFolder().path,
  } as const;
  const one = await scene(settings, { GCE_METADATA_HOST: new URL(tokens.url).host });
  await upload(one.server, "nobody looks at it");
  expect(await places({ token: "canary-of-the-token" }, one, store)).toEqual({ token: [] });
  expect(store.received()).toContain("POST /upload/storage/v1/b/jobs/o");
});

it("C19: WebHDFS gets a delegation token in its query, a gateway its login; a data node gets neither", async () => {
  const hdfs = await fakeHdfs();
  const store = await recordingPeer(hdfs.endpoint);
  const folder = scratchFolder().path;
  const texts = { token: "canary-of-the-delegation-token", password: "canary-of-the-password" };
  await writeFile(join(folder, "token"), texts.token);
  await writeFile(join(folder, "basic"), `me:${texts.password}`);
  const one = await scene({
    ...hdfsSettings([store.url]),
    "store.webhdfs.tokenFile": join(folder, "token"),
    "store.webhdfs.basicAuthFile": join(folder, "basic"),
    "auth.mode": "none",
    "store.path": scratchFolder().path,
  });
  await upload(one.server, "nobody looks at it");
  expect(await places(texts, one, store)).toEqual({ token: ["store"], password: ["store"] });
  expect(store.received()).toContain(`delegation=${texts.token}`);
  expect(hdfs.dataAuthorizations.length).toBeGreaterThan(0);
  expect(new Set(hdfs.dataAuthorizations)).toEqual(new Set([undefined]));
});
