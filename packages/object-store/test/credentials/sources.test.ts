import { describe, expect, test } from "vitest";
import { awsSources, credentialsChain } from "../../src/credentials/credentials-chain.ts";
import { staticKeys } from "../../src/credentials/static-keys.ts";
import { credentialsContext } from "../support/credentials-context.ts";
import { keyService } from "../support/key-service.ts";

const OPTIONS = { region: "eu-west-1", sessionName: "test", instance: true };
const NO_INSTANCE = { AWS_EC2_METADATA_DISABLED: "true" };
const TEMPORARY = { AccessKeyId: "ASIA", SecretAccessKey: "hidden-key", Token: "hidden-session" };
const GIVEN = { accessKeyId: "ASIA", secretAccessKey: "hidden-key", sessionToken: "hidden-session" };

function chain(context: ReturnType<typeof credentialsContext>): ReturnType<typeof credentialsChain> {
  return credentialsChain(awsSources(OPTIONS), context, "what to do");
}

describe("the environment", () => {
  test("gives keys before anything else", async () => {
    const env = { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "hidden-key", AWS_ROLE_ARN: "r", HOME: "/home/me" };
    const context = credentialsContext(env);
    expect(await chain(context)()).toEqual({
      accessKeyId: "AKIA",
      secretAccessKey: "hidden-key",
      sessionToken: undefined,
    });
    expect(context.hidden).toEqual(["hidden-key"]);
  });

  test.each([{}, { AWS_ACCESS_KEY_ID: "AKIA" }, { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "" }])(
    "of %j gives none, which is an error that says where was looked",
    async (env) => {
      await expect(chain(credentialsContext({ ...NO_INSTANCE, ...env }))()).rejects.toMatchObject({
        fault: "credentials",
        message:
          "there are no credentials for S3 (looked in: the environment, the shared files, a web identity, " +
          "the container's own service, the machine's metadata service)",
        hint: "what to do",
        retryable: false,
      });
    },
  );

  test("does not count where the caller has keys itself", async () => {
    const own = { accessKeyId: "own", secretAccessKey: "s", sessionToken: undefined };
    const context = credentialsContext({ AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "x" });
    const sources = [staticKeys("the settings", own), ...awsSources(OPTIONS)];
    expect(await credentialsChain(sources, context, "")()).toBe(own);
  });
});

describe("the shared files", () => {
  const KEYS = "aws_access_key_id=AKIA\naws_secret_access_key=hidden-key\n";

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["the default profile", {}, { "/home/me/.aws/credentials": `[default]\n${KEYS}` }],
    ["a named profile of the other file", { AWS_PROFILE: "x" }, { "/home/me/.aws/config": `[profile x]\n${KEYS}` }],
    ["a file elsewhere", { AWS_SHARED_CREDENTIALS_FILE: "/c" }, { "/c": `[default]\n${KEYS}` }],
  ])("give the keys of %s", async (_, env, files) => {
    const context = credentialsContext({ HOME: "/home/me", ...env }, files);
    expect(await chain(context)()).toMatchObject({ accessKeyId: "AKIA", secretAccessKey: "hidden-key" });
  });

  test("say what to do with a profile that gets its keys from somewhere else", async () => {
    const files = { "/home/me/.aws/config": "[profile x]\nsso_session = corp\n" };
    await expect(chain(credentialsContext({ HOME: "/home/me", AWS_PROFILE: "x" }, files))()).rejects.toMatchObject({
      fault: "credentials",
      message: "the AWS profile x has sso_session in place of keys",
      hint: 'run: eval "$(aws configure export-credentials --profile x --format env)"',
    });
  });
});

describe("a web identity", () => {
  const env = { AWS_ROLE_ARN: "arn:aws:iam::1:role/spark", AWS_WEB_IDENTITY_TOKEN_FILE: "/token" };
  const files = { "/token": "hidden-token\n" };

  test("is shown to the token service, once, for keys that hold for a while", async () => {
    const sts = await keyService((_, response) =>
      response.end(
        "<R><Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>hidden-key</SecretAccessKey>" +
          "<SessionToken>hidden-session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>",
      ),
    );
    const context = credentialsContext({ ...env, AWS_ENDPOINT_URL_STS: sts.url }, files);
    const credentials = chain(context);
    expect(await credentials()).toEqual(GIVEN);
    expect(await credentials()).toEqual(GIVEN);
    expect(sts.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      {
        Action: "AssumeRoleWithWebIdentity",
        Version: "2011-06-15",
        RoleArn: "arn:aws:iam::1:role/spark",
        RoleSessionName: "test",
        WebIdentityToken: "hidden-token",
      },
    ]);
    expect(context.hidden).toEqual(["hidden-token", "hidden-key", "hidden-session"]);
  });

  test.each<[number, boolean]>([
    [400, false],
    [503, true],
  ])("that is refused with %s is an error in the service's words", async (status, retryable) => {
    const sts = await keyService((_, response) =>
      response.writeHead(status).end("<R><Error><Code>Invalid</Code><Message>No such\nprovider</Message></Error></R>"),
    );
    const failed = chain(credentialsContext({ ...env, AWS_ENDPOINT_URL_STS: sts.url }, files))();
    await expect(failed).rejects.toMatchObject({
      fault: "credentials",
      message: `${new URL(sts.url).host} gives no keys for the role: No such provider (Invalid, HTTP ${status})`,
      retryable,
    });
  });

  test("without a token is an error that names its variable and file", async () => {
    await expect(chain(credentialsContext(env))()).rejects.toMatchObject({
      fault: "settings",
      message: "AWS_WEB_IDENTITY_TOKEN_FILE: /token does not exist or is empty",
    });
  });
});

describe("the container's own service", () => {
  test("gives keys for the token that the platform mounts", async () => {
    const agent = await keyService((_, response) => response.end(JSON.stringify(TEMPORARY)));
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/token",
    };
    expect(await chain(credentialsContext(env, { "/token": "hidden-token" }))()).toEqual(GIVEN);
    expect(agent.requests[0]?.request.headers.authorization).toBe("hidden-token");
  });

  test.each([
    ["http://169.254.169.254/latest", "is at 169.254.169.254 without TLS"],
    ["http://keys.example/", "is at keys.example without TLS"],
    ["file:///etc/passwd", "without TLS"],
    ["nonsense", "is no URI"],
  ])("is not asked at %s", async (address, message) => {
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: address, AWS_CONTAINER_AUTHORIZATION_TOKEN: "hidden-token" };
    await expect(chain(credentialsContext(env))()).rejects.toMatchObject({
      fault: "settings",
      message: expect.stringContaining(message) as string,
    });
  });

  test("is not followed to another place, which would see the token", async () => {
    const elsewhere = await keyService((_, response) => response.end(JSON.stringify(TEMPORARY)));
    const agent = await keyService((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: agent.url, AWS_CONTAINER_AUTHORIZATION_TOKEN: "hidden-token" };
    await expect(chain(credentialsContext(env))()).rejects.toMatchObject({ fault: "credentials", status: 307 });
    expect(elsewhere.requests).toEqual([]);
  });
});

describe("the machine's metadata service", () => {
  test("gives keys within a session, which a PUT begins", async () => {
    const service = await keyService((request, response) => {
      if (request.method === "PUT" && request.url === "/latest/api/token") response.end("hidden-token");
      else if (request.headers["x-aws-ec2-metadata-token"] !== "hidden-token") response.writeHead(401).end();
      else if (request.url === "/latest/meta-data/iam/security-credentials/") response.end("node-role");
      else if (request.url === "/latest/meta-data/iam/security-credentials/node-role") {
        response.end(JSON.stringify({ Code: "Success", ...TEMPORARY }));
      } else response.writeHead(404).end();
    });
    const context = credentialsContext({ AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url });
    expect(await chain(context)()).toEqual(GIVEN);
    expect(service.requests[0]?.request.headers["x-aws-ec2-metadata-token-ttl-seconds"]).toBe("21600");
    expect(context.hidden).toEqual(["hidden-token", "hidden-key", "hidden-session"]);
  });

  test.each<[string, number]>([
    ["of version 1 alone", 404],
    ["that is something else", 403],
  ])("%s counts as none", async (_, status) => {
    const service = await keyService((_request, response) => response.writeHead(status).end());
    const env = { AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url };
    await expect(chain(credentialsContext(env))()).rejects.toThrow("there are no credentials for S3");
    expect(service.requests.map(({ request }) => request.method)).toEqual(["PUT"]);
  });

  test("is not asked over plain http anywhere but on this machine's own wire", async () => {
    const env = { AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://keys.example" };
    await expect(chain(credentialsContext(env))()).rejects.toMatchObject({ fault: "settings" });
  });

  test("is not asked where the caller does not want it", async () => {
    const service = await keyService((_, response) => response.writeHead(500).end());
    const context = credentialsContext({ AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url });
    const credentials = credentialsChain(awsSources({ ...OPTIONS, instance: false }), context, "");
    await expect(credentials()).rejects.toThrow("there are no credentials");
    expect(service.requests).toEqual([]);
  });
});
