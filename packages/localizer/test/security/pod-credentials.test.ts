import { expect, test } from "vitest";
import { found, recordingPeer, type RecordingPeer } from "@kindling/test-kit/recording-peer";
import { testAuthority } from "@kindling/test-kit/certificates";
import { NS1_TOKEN, TOKEN_FILE } from "@kindling/test-kit/hadoop-token-file";
import { pod, type Finished } from "../support/localizer-process.ts";
import { webServer } from "../support/web-server.ts";

const HELLO = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

/** The peers that received these texts, and whether the output shows them, by the names of the texts. */
function places(
  texts: Readonly<Record<string, string>>,
  peers: Readonly<Record<string, RecordingPeer>>,
  { stderr, terminationLog }: Finished,
): Readonly<Record<string, readonly string[]>> {
  const recordings: Record<string, string> = { output: stderr + terminationLog };
  for (const [name, { received }] of Object.entries(peers)) recordings[name] = received();
  return Object.fromEntries(
    Object.keys(texts).map((name) => [
      name,
      Object.keys(recordings).filter((place) => found(texts, recordings[place] ?? "").includes(name)),
    ]),
  );
}

test("C6: a bundle's secret goes to its staging server, and not along the redirect to the store", async () => {
  const store = await recordingPeer((await webServer((_, response) => response.end("hello"))).uri);
  const location = `${store.url}/blob?X-Amz-Signature=canary-of-the-signature`;
  const front = await webServer((_, response) => response.writeHead(307, { location }).end());
  const staging = await recordingPeer(front.uri);
  const { run, volume, folder } = pod();
  const secret = "canary-of-the-bundle-secret-0123456789abcdef";
  const app = {
    server: staging.url,
    id: "b",
    secretFile: folder.write("secret", secret),
    redirectHosts: [new URL(store.url).host],
  };
  const file = { from: { bundle: "app", file: "a" }, to: `${volume}/a`, digest: HELLO, size: 5, mode: 0o644 };
  const ended = await run({ bundles: { app }, files: [file] });
  expect(ended.code, ended.stderr).toBe(0);
  expect(places({ secret }, { staging, store }, ended)).toEqual({ secret: ["staging"] });
});

test("C11: a presigned URL goes to its store without any other credentials, and is not told", async () => {
  const store = await recordingPeer((await webServer((_, response) => response.end("hello"))).uri);
  const signature = "canary-of-the-signature";
  const { run, volume, folder } = pod();
  folder.write("credentials/netrc", "machine other.example login me password canary-of-another-host");
  const ended = await run({
    credentialsDir: folder.at("credentials"),
    files: [{ from: { uri: `${store.url}/blob?X-Amz-Signature=${signature}` }, to: `${volume}/a` }],
  });
  expect(ended.code, ended.stderr).toBe(0);
  const texts = { signature, other: "canary-of-another-host" };
  expect(places(texts, { store }, ended)).toEqual({ signature: ["store"], other: [] });
});

test("C12: logins and header fields go to their host over TLS, and no more once a redirect has led away", async () => {
  const authority = testAuthority("authority");
  const other = await recordingPeer((await webServer((_, response) => response.end("hello"))).uri);
  const plain = await webServer((request, response) => {
    if (request.url === "/away") response.writeHead(302, { location: `${other.url}/there` }).end();
    else response.end("hello");
  });
  const [repository, withoutTls] = [
    await recordingPeer(plain.uri, authority.issue("server")),
    await recordingPeer(plain.uri),
  ];
  const texts = { password: "canary-of-the-password", field: "canary-of-the-field" };
  const { run, volume, folder } = pod();
  folder.write("credentials/netrc", `machine 127.0.0.1 login me password ${texts.password}`);
  const { host } = new URL(repository.url);
  folder.write("credentials/headers.json", JSON.stringify({ [host]: { "X-Token": texts.field } }));
  folder.write("credentials/ca.crt", authority.cert);
  const peers = { repository, withoutTls, other };
  const ended = await run({
    credentialsDir: folder.at("credentials"),
    files: [`${repository.url}/here`, `${withoutTls.url}/here`].map((uri, index) => ({
      from: { uri },
      to: `${volume}/${index}`,
    })),
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(places(texts, peers, ended)).toEqual({ password: ["repository"], field: ["repository"] });
  const away = await run({
    credentialsDir: folder.at("credentials"),
    redirectHosts: [new URL(other.url).host],
    files: [{ from: { uri: `${repository.url}/away` }, to: `${volume}/c` }],
  });
  // A redirect from https to http is never followed.
  expect(away.code, away.stderr).toBe(10);
  expect(places(texts, peers, away)).toEqual({ password: ["repository"], field: ["repository"] });
});

test("C13: a store gets signatures and the session's token, and never the secret key", async () => {
  const store = await recordingPeer((await webServer((_, response) => response.end("hello"))).uri);
  const texts = { id: "canary-of-the-key-id", key: "canary-of-the-secret-key", session: "canary-of-the-session" };
  const env = { AWS_ACCESS_KEY_ID: texts.id, AWS_SECRET_ACCESS_KEY: texts.key, AWS_SESSION_TOKEN: texts.session };
  const { run, volume } = pod();
  const files = [{ from: { uri: "s3a://bucket/x" }, to: `${volume}/x` }];
  const ended = await run({ s3: { endpoint: store.url }, files }, { env });
  expect(ended.code, ended.stderr).toBe(0);
  expect(places(texts, { store }, ended)).toEqual({ id: ["store"], key: [], session: ["store"] });
});

test("C13: the token of a web identity goes to STS, and what STS gives is used like keys", async () => {
  const texts = {
    identity: "canary-of-the-identity",
    key: "canary-of-the-given-key",
    session: "canary-of-the-session",
  };
  const given =
    `<R><Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>${texts.key}</SecretAccessKey>` +
    `<SessionToken>${texts.session}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>`;
  const sts = await recordingPeer((await webServer((_, response) => response.end(given))).uri);
  const store = await recordingPeer((await webServer((_, response) => response.end("hello"))).uri);
  const { run, volume, folder } = pod();
  const env = {
    AWS_ROLE_ARN: "arn:aws:iam::1:role/spark",
    AWS_WEB_IDENTITY_TOKEN_FILE: folder.write("token", texts.identity),
    AWS_ENDPOINT_URL_STS: sts.url,
  };
  const files = [{ from: { uri: "s3a://bucket/x" }, to: `${volume}/x` }];
  const ended = await run({ s3: { endpoint: store.url }, files }, { env });
  expect(ended.code, ended.stderr).toBe(0);
  expect(places(texts, { sts, store }, ended)).toEqual({ identity: ["sts"], key: [], session: ["store"] });
});

test("C14: a delegation token goes to the name nodes of its HDFS; a data node gets what a name node put into its address", async () => {
  const data = await recordingPeer((await webServer((_, response) => response.end("hello"))).uri);
  const name = await recordingPeer(
    (
      await webServer((request, response) => {
        const isStatus = request.url?.includes("GETFILESTATUS") === true;
        if (isStatus) response.end(JSON.stringify({ FileStatus: { length: 5, modificationTime: 1, type: "FILE" } }));
        else response.writeHead(307, { location: `${data.url}/webhdfs/v1/x?op=OPEN&offset=0` }).end();
      })
    ).uri,
  );
  const { run, volume, folder } = pod();
  folder.write("credentials/hadoop-tokens", TOKEN_FILE);
  const ended = await run({
    webhdfs: { ns1: [name.url] },
    credentialsDir: folder.at("credentials"),
    files: [{ from: { uri: "hdfs://ns1/x" }, to: `${volume}/x` }],
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(places({ token: NS1_TOKEN }, { name, data }, ended)).toEqual({ token: ["name"] });
});
