import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestOf } from "@kindling/staging-client";
import { START_LIMIT_MS } from "@kindling/test-kit/real-server";
import { hasVersitygw, startVersitygw, type S3Server } from "@kindling/test-kit/versitygw";
import { pod } from "../support/localizer-process.ts";
import { sendFile, webServer } from "../support/web-server.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "access", AWS_SECRET_ACCESS_KEY: "topsecret-key" };

function refusal(code: string, message: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
}

describe.skipIf(!hasVersitygw)("a real S3 server (versitygw; see the test kit's servers)", () => {
  const folder = mkdtempSync(join(tmpdir(), "versitygw-"));
  let server: S3Server | undefined;
  const s3 = (): { endpoint: string } => ({ endpoint: server?.endpoint ?? "" });
  const put = async (key: string, bytes: Buffer | string): Promise<void> => {
    const path = join(server?.root ?? "", "jars", key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  };

  beforeAll(async () => {
    server = await startVersitygw(folder, "jars", KEYS);
  }, START_LIMIT_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("gives objects by keys of the mounted secret, whatever characters are in their names", async () => {
    const { run, volume, folder: own, tree } = pod();
    const jar = randomBytes(300_000);
    await put("lib/app.jar", jar);
    await put("lib/a b+c(1)ü.jar", "odd");
    await put("lib/empty", "");
    own.write("credentials/aws-credentials", "[team]\naws_access_key_id=access\naws_secret_access_key=topsecret-key\n");
    const { code, stderr } = await run({
      s3: { ...s3(), profile: "team" },
      credentialsDir: own.at("credentials"),
      files: [
        { from: { uri: "s3a://jars/lib/app.jar" }, to: `${volume}/app.jar`, digest: digestOf(jar) },
        { from: { uri: "s3://jars/lib/a b+c(1)ü.jar" }, to: `${volume}/odd.jar` },
        { from: { uri: "s3a://jars/lib/empty" }, to: `${volume}/empty` },
      ],
    });
    expect(code, stderr).toBe(0);
    expect(tree()).toEqual({ "app.jar": `644 ${jar.toString("latin1")}`, "odd.jar": "644 odd", empty: "644 " });
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    ["an object that is not there", "s3a://jars/none", KEYS, 3, "(NoSuchKey, HTTP 404)"],
    ["a bucket that is not there", "s3a://none-such/x", KEYS, 3, "(NoSuchBucket, HTTP 404)"],
    [
      "a wrong secret key",
      "s3a://jars/x",
      { ...KEYS, AWS_SECRET_ACCESS_KEY: "wrong" },
      4,
      "(SignatureDoesNotMatch, HTTP 403)",
    ],
    ["no keys at all", "s3a://jars/x", {}, 4, "there are no credentials for S3"],
  ])("%s ends the run at once", async (_, uri, env, exitCode, problem) => {
    const { run, volume } = pod();
    await put("x", "x");
    const { code, failure } = await run({ s3: s3(), files: [{ from: { uri }, to: `${volume}/x` }] }, { env });
    expect([code, failure.file]).toEqual([exitCode, `${uri} to ${volume}/x`]);
    expect(failure.message).toContain(problem);
    expect(failure.hint).not.toBe("");
  });
});

test("a store that throttles or breaks off is tried again, and gone on with where it stopped", async () => {
  const { run, volume, tree } = pod();
  const bytes = randomBytes(200_000);
  const store = await webServer((request, response) => {
    const { length } = store.requests;
    if (length === 1) response.writeHead(503).end(refusal("SlowDown", "Reduce your request rate."));
    else {
      const cut = length === 2 && { cutAfter: 70_000, cutOnceIn: `${volume}/x.part` };
      sendFile(request, response, { bytes, etag: '"1"', ...cut });
    }
  });
  const files = [{ from: { uri: "s3a://bucket/x" }, to: `${volume}/x` }];
  const { code, stderr } = await run({ s3: { endpoint: store.uri }, files }, { env: KEYS });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("Reduce your request rate. (SlowDown, HTTP 503)");
  expect(store.requests[2]?.headers.range).toBe("bytes=70000-");
  expect(tree()).toEqual({ x: `644 ${bytes.toString("latin1")}` });
});

test("a bucket of another region is an error that names it", async () => {
  const { run, volume } = pod();
  const store = await webServer((_, response) =>
    response
      .writeHead(301, { "x-amz-bucket-region": "eu-central-1", location: "http://169.254.169.254/" })
      .end(refusal("PermanentRedirect", "The bucket must be addressed otherwise.")),
  );
  const files = [{ from: { uri: "s3a://bucket/x" }, to: `${volume}/x` }];
  const { code, failure } = await run({ s3: { endpoint: store.uri }, files }, { env: KEYS });
  expect(code).toBe(11);
  expect(failure.hint).toBe("the bucket is in eu-central-1: set s3.region or AWS_REGION");
});

test("keys of the pod's identity are asked for once, used for all files, and never shown", async () => {
  const { run, volume, folder } = pod();
  const temporary = { AccessKeyId: "ASIA1", SecretAccessKey: "topsecret-temporary", Token: "topsecret-session" };
  const agent = await webServer((_, response) => response.end(JSON.stringify(temporary)));
  const store = await webServer((request, response) =>
    response.writeHead(403).end(refusal("AccessDenied", JSON.stringify([temporary, request.headers]))),
  );
  const env = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.uri}/v1/credentials`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: folder.write("token", "topsecret-pod"),
  };
  const files = ["x", "y"].map((name) => ({ from: { uri: `s3a://bucket/${name}` }, to: `${volume}/${name}` }));
  const { code, stderr, terminationLog } = await run({ s3: { endpoint: store.uri }, files }, { env });
  expect(code).toBe(4);
  expect(agent.requests.map(({ headers }) => headers.authorization)).toEqual(["topsecret-pod"]);
  expect(store.requests[0]?.headers).toMatchObject({ "x-amz-security-token": "topsecret-session" });
  expect(stderr + terminationLog).not.toContain("topsecret");
});

test("a role of the service account is taken on by its token", async () => {
  const { run, volume, folder, tree } = pod();
  const sts = await webServer((_, response) =>
    response.end(
      "<R><Credentials><AccessKeyId>ASIA2</AccessKeyId><SecretAccessKey>s</SecretAccessKey>" +
        "<SessionToken>session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>",
    ),
  );
  const store = await webServer((_, response) => response.end("x"));
  const env = {
    AWS_ROLE_ARN: "arn:aws:iam::1:role/spark",
    AWS_WEB_IDENTITY_TOKEN_FILE: folder.write("token", "jwt"),
    AWS_ENDPOINT_URL_STS: sts.uri,
    AWS_REGION: "eu-west-1",
  };
  const files = [{ from: { uri: "s3a://bucket/x" }, to: `${volume}/x` }];
  expect((await run({ s3: { endpoint: store.uri }, files }, { env })).code).toBe(0);
  expect(store.requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=ASIA2\/\d+\/eu-west-1\/s3\//);
  expect(tree()).toEqual({ x: "644 x" });
});

test("a service that gives no keys is an error that says which", async () => {
  const { run, volume, folder } = pod();
  const sts = await webServer((_, response) =>
    response.writeHead(400).end(refusal("InvalidIdentityToken", "No OpenIDConnect provider found")),
  );
  const env = {
    AWS_ROLE_ARN: "arn:aws:iam::1:role/spark",
    AWS_WEB_IDENTITY_TOKEN_FILE: folder.write("token", "jwt-topsecret"),
    AWS_ENDPOINT_URL_STS: sts.uri,
  };
  const files = [{ from: { uri: "s3a://bucket/x" }, to: `${volume}/x` }];
  const { code, failure, stderr } = await run({ files }, { env });
  expect(code).toBe(4);
  expect(failure.message).toContain("No OpenIDConnect provider found (InvalidIdentityToken, HTTP 400)");
  expect(failure.hint).toContain("AWS_ROLE_ARN");
  expect(stderr).not.toContain("topsecret");
});
