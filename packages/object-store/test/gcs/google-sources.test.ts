import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { googleCredentials, googleFile, googleSources } from "../../src/gcs/google-sources.ts";
import { credentialsContext, type TestContext } from "../support/credentials-context.ts";
import { keyService } from "../support/key-service.ts";

// A machine that is none of Google's: the name of the metadata service is the only difference.
const ELSEWHERE = { GCE_METADATA_HOST: "no-such-host.invalid" };
const TOKEN = { access_token: "hidden-token", expires_in: 3599, token_type: "Bearer" };

function chain(context: TestContext): ReturnType<typeof googleCredentials> {
  return googleCredentials(googleSources(), context, "what to do");
}

function fileContext(file: object, more: Readonly<Record<string, string>> = {}): TestContext {
  const env = { ...ELSEWHERE, GOOGLE_APPLICATION_CREDENTIALS: "/key.json" };
  return credentialsContext(env, { "/key.json": JSON.stringify(file), ...more });
}

test("no credentials at all are an error that says where was looked", async () => {
  await expect(chain(credentialsContext(ELSEWHERE))()).rejects.toMatchObject({
    fault: "credentials",
    message:
      "there are no credentials for Google Cloud (looked in: GOOGLE_APPLICATION_CREDENTIALS, the file of gcloud, " +
      "the metadata service)",
    hint: "what to do",
  });
});

describe("the metadata service", () => {
  test("gives the token of the pod's workload identity, which is asked for once", async () => {
    const service = await keyService((_, response) => response.end(JSON.stringify(TOKEN)));
    const context = credentialsContext({ GCE_METADATA_HOST: new URL(service.url).host });
    const credentials = chain(context);
    expect([await credentials(), await credentials()]).toEqual([{ token: "hidden-token" }, { token: "hidden-token" }]);
    expect(service.requests.map(({ request: { url, headers } }) => [url, headers["metadata-flavor"]])).toEqual([
      ["/computeMetadata/v1/instance/service-accounts/default/token", "Google"],
    ]);
    expect(context.hidden).toEqual(["hidden-token"]);
  });

  test("is asked again while a new pod is not known to it yet", async () => {
    let asked = 0;
    const service = await keyService((_, response) => {
      asked++;
      if (asked === 1) response.destroy();
      else if (asked === 2) response.writeHead(503).end();
      else response.end(JSON.stringify(TOKEN));
    });
    const context = credentialsContext({ GCE_METADATA_HOST: new URL(service.url).host });
    expect(await chain(context)()).toEqual({ token: "hidden-token" });
    expect(asked).toBe(3);
  });

  test("says that the pod's account is not bound", async () => {
    const service = await keyService((_, response) => {
      response.writeHead(403).end(JSON.stringify({ error: "forbidden", error_description: "no permission" }));
    });
    const context = credentialsContext({ GCE_METADATA_HOST: new URL(service.url).host });
    await expect(chain(context)()).rejects.toMatchObject({
      fault: "credentials",
      message: expect.stringMatching(/gives no token: no permission \(forbidden, HTTP 403\)$/) as string,
      hint: expect.stringContaining("Workload Identity") as string,
    });
  });
});

describe("a service account's key", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = {
    type: "service_account",
    client_email: "spark@jobs.iam.gserviceaccount.com",
    private_key_id: "k1",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };

  test("signs what is exchanged for a token", async () => {
    const service = await keyService((_, response) => response.end(JSON.stringify(TOKEN)));
    const context = fileContext({ ...key, token_uri: service.url });
    expect(await chain(context)()).toEqual({ token: "hidden-token" });
    const form = new URLSearchParams(service.requests[0]?.body);
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    const parse = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
    expect(parse(head)).toEqual({ alg: "RS256", typ: "JWT", kid: "k1" });
    const { iat, ...rest } = parse(claims) as Record<string, unknown>;
    expect(rest).toEqual({
      iss: "spark@jobs.iam.gserviceaccount.com",
      scope: "https://www.googleapis.com/auth/devstorage.read_write",
      aud: service.url,
      exp: Number(iat) + 3600,
    });
    const signed = Buffer.from(`${head}.${claims}`);
    expect(verify("RSA-SHA256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
    expect(context.hidden).toContain(key.private_key);
  });

  test("is refused in Google's words", async () => {
    const service = await keyService((_, response) => {
      response.writeHead(400).end('{"error":"invalid_grant","error_description":"Invalid JWT Signature."}');
    });
    await expect(chain(fileContext({ ...key, token_uri: service.url }))()).rejects.toMatchObject({
      message: expect.stringContaining("Invalid JWT Signature. (invalid_grant, HTTP 400)") as string,
      hint: "check that the key in /key.json still exists, and this machine's clock",
    });
  });

  test.each<[string, object, RegExp]>([
    ["without a key", { type: "service_account", client_email: "x" }, /it has no private_key$/],
    [
      "with another text as key",
      { ...key, private_key: "hidden-nonsense" },
      /its private_key is no key in the form of PEM$/,
    ],
    ["of another type", { type: "gdch_service_account" }, /its type is "gdch_service_account"$/],
    ["that is something else", [], /its type is missing$/],
    [
      "whose address is plain http elsewhere",
      { ...key, token_uri: "http://example.com" },
      /token_uri is no https URL$/,
    ],
  ])("%s cannot be used", async (_, file, message) => {
    const attempt = chain(fileContext(file))();
    await expect(attempt).rejects.toMatchObject({
      fault: "settings",
      message: expect.stringMatching(message) as string,
    });
    await expect(attempt).rejects.not.toThrow(/hidden/);
  });

  test("that is not there is not passed over", async () => {
    const context = credentialsContext({ GOOGLE_APPLICATION_CREDENTIALS: "/nowhere" });
    await expect(chain(context)()).rejects.toMatchObject({
      message: expect.stringContaining("/nowhere does not exist") as string,
    });
    const own = googleCredentials([googleFile("store.gcs.credentialsFile", "/nowhere")], context, "");
    await expect(own()).rejects.toThrow(/^store\.gcs\.credentialsFile: \/nowhere does not exist$/);
  });
});

describe("a workload identity federation", () => {
  const federation = {
    type: "external_account",
    audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/eks",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  };

  test("exchanges the pod's token, and then acts as a service account", async () => {
    const service = await keyService(({ url }, response) => {
      if (url === "/sts") response.end(JSON.stringify({ ...TOKEN, access_token: "hidden-federated" }));
      else
        response.end(
          JSON.stringify({ accessToken: "hidden-own", expireTime: new Date(Date.now() + 3.6e6).toISOString() }),
        );
    });
    const file = {
      ...federation,
      token_url: `${service.url}/sts`,
      service_account_impersonation_url: `${service.url}/v1/spark:generateAccessToken`,
      credential_source: { file: "/token" },
    };
    const context = fileContext(file, { "/token": "hidden-subject\n" });
    expect(await chain(context)()).toEqual({ token: "hidden-own" });
    const [exchange, impersonation] = service.requests;
    expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience: federation.audience,
      scope: "https://www.googleapis.com/auth/cloud-platform",
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      subject_token: "hidden-subject",
      subject_token_type: federation.subject_token_type,
    });
    expect(impersonation?.request.headers.authorization).toBe("Bearer hidden-federated");
    expect(JSON.parse(impersonation?.body ?? "")).toEqual({
      scope: ["https://www.googleapis.com/auth/devstorage.read_write"],
    });
    expect(context.hidden).toEqual(expect.arrayContaining(["hidden-subject", "hidden-federated", "hidden-own"]));
  });

  test("reads the subject's token out of a JSON answer of a service of the platform", async () => {
    const service = await keyService(({ url, headers }, response) => {
      if (url === "/sts") response.end(JSON.stringify(TOKEN));
      else response.end(JSON.stringify({ id_token: `subject-for-${String(headers["x-who"])}` }));
    });
    const source = {
      url: `${service.url}/subject`,
      headers: { "x-who": "me" },
      format: { type: "json", subject_token_field_name: "id_token" },
    };
    const file = { ...federation, token_url: `${service.url}/sts`, credential_source: source };
    expect(await chain(fileContext(file))()).toEqual({ token: "hidden-token" });
    expect(new URLSearchParams(service.requests[1]?.body).get("subject_token")).toBe("subject-for-me");
  });

  test.each<[string, object]>([
    ["an AWS environment", { environment_id: "aws1", url: "http://169.254.169.254/x" }],
    ["a program", { executable: { command: "/bin/token" } }],
  ])("does not use %s", async (_, source) => {
    const file = { ...federation, token_url: "https://sts.googleapis.com/v1/token", credential_source: source };
    await expect(chain(fileContext(file))()).rejects.toThrow(/its credential_source is neither a file nor a URL$/);
  });
});

test("a user's login is refreshed", async () => {
  const service = await keyService((_, response) => response.end(JSON.stringify(TOKEN)));
  const login = { client_id: "c", client_secret: "hidden-s", refresh_token: "hidden-r", token_uri: service.url };
  const files = {
    "/home/me/.config/gcloud/application_default_credentials.json": JSON.stringify({
      type: "authorized_user",
      ...login,
    }),
  };
  const context = credentialsContext({ ...ELSEWHERE, HOME: "/home/me" }, files);
  expect(await chain(context)()).toEqual({ token: "hidden-token" });
  expect(Object.fromEntries(new URLSearchParams(service.requests[0]?.body))).toEqual({
    grant_type: "refresh_token",
    client_id: "c",
    client_secret: "hidden-s",
    refresh_token: "hidden-r",
  });
});
