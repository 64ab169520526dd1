import { expect, test } from "vitest";
import { loadClusterAccess, type ClusterAccess } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

function load(provider: object): Promise<ClusterAccess> {
  const config = {
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: "https://api.example.com" } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "ann" } }],
    users: [{ name: "ann", user: { "auth-provider": provider } }],
  };
  return loadClusterAccess({ env: {}, kubeconfigPath: scratchFolder().write("config", JSON.stringify(config)) });
}

/** A JSON Web Token that nobody has signed. */
function idToken(expiresAt: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: Math.floor(expiresAt / 1000) })}.${Buffer.from("x").toString("base64url")}`;
}

test("an OIDC user's token comes by way of client-node", async () => {
  const token = idToken(Date.now() + 3_600_000);
  const oidc = { "id-token": token, "client-id": "kubernetes", "idp-issuer-url": "https://issuer.example.com" };
  const access = await load({ name: "oidc", config: oidc });
  expect(await access.credentials.current()).toEqual({ authorization: `Bearer ${token}` });
});

test("a provider that fails is named with its user, without its secrets", async () => {
  const access = await load({ name: "oidc", config: { "id-token": "secret" } });
  const error = await caught(Promise.resolve(access.credentials.current()));
  expect(error.kind).toBe("credentials");
  expect(error.message).toMatch(/^user "ann" in .*\(auth-provider oidc\)/);
  expect(error.message).not.toContain("secret");
});
