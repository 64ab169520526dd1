import { createKubeClient, isKubeError, loadClusterAccess, resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestStaging } from "../clusters/staging.ts";
import { TestNamespace } from "../clusters/test-cluster.ts";

// Pods download nothing here.
const SETUP = { host: "127.0.0.1", image: "" };

describe("the token that uploads for a namespace", () => {
  let namespace: TestNamespace;
  let staging: TestStaging;
  let another: TestStaging;

  beforeAll(async () => {
    namespace = await TestNamespace.create("staging-token");
    staging = await TestStaging.start(SETUP);
    another = await TestStaging.start(SETUP, { "auth-audiences": "another-staging" });
  });
  afterAll(async () => {
    await Promise.all([staging.stop(), another.stop()]);
    await namespace.remove();
  });

  async function tokenOf(account: string, audiences: readonly string[]): Promise<string> {
    return await namespace.tokenOf(account, { audiences, expirationSeconds: 600 });
  }

  /** The API server's status for a client with only this token. */
  async function atApiServer(token: string): Promise<number> {
    const access = await loadClusterAccess({ env: process.env, overlays: { token } });
    const client = createKubeClient(access, { namespace: namespace.name });
    try {
      await client.listAll(resources.pods);
      return 200;
    } catch (error) {
      if (isKubeError(error) && error.kind === "status") return error.status;
      throw error;
    } finally {
      client.close();
    }
  }

  /** A staging server's answer for a token; its status if it refuses the token. */
  async function at({ server }: TestStaging, token: string, where: string = namespace.name): Promise<unknown> {
    const answer = await fetch(new URL("api/v1/access", server.uri), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ namespace: where }),
    });
    return answer.ok ? await answer.json() : answer.status;
  }

  test("is worth nothing at the API server, and nothing at a staging server of another audience", async () => {
    const token = await tokenOf("kindling-submitter", ["kindling-staging"]);
    const subject = `system:serviceaccount:${namespace.name}:kindling-submitter`;
    expect(await at(staging, token)).toEqual({ subject, allowed: true });
    expect(await at(staging, token, "default")).toMatchObject({ subject, allowed: false });
    expect(await atApiServer(token)).toBe(401);
    expect(await at(another, token)).toBe(401);
    expect(await at(another, await tokenOf("kindling-submitter", ["another-staging"]))).toMatchObject({
      allowed: true,
    });
  });

  test("is none that the API server takes, not even where it is good for staging as well", async () => {
    const own = await tokenOf("spark", []);
    expect(await atApiServer(own)).toBe(200);
    expect(await at(staging, own)).toBe(401);
    const [, payload = ""] = own.split(".");
    const { aud } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { aud: string[] };
    const both = await tokenOf("spark", ["kindling-staging", ...aud]);
    expect(await atApiServer(both)).toBe(200);
    expect(await at(staging, both)).toBe(401);
  });

  test("may be that of an account that can create pods", async () => {
    const spark = await tokenOf("spark", ["kindling-staging"]);
    expect(await at(staging, spark)).toMatchObject({ allowed: true });
    expect(await at(staging, spark, "default")).toMatchObject({ allowed: false });
  });
});
