import { randomBytes } from "node:crypto";
import { createServer } from "node:https";
import { Provider } from "oidc-provider";
import { testAuthority } from "./certificates.ts";
import { freePort } from "./free-port.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { signingKey } from "./oidc-issuer.ts";
import { onTestFinished } from "vitest";

/** A client of a provider. */
export interface ProvidedClient {
  readonly id: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
  readonly redirectUri: string;
}

export interface RealProvider {
  readonly url: string;
  /** The authority of its certificate, as PEM, and a file with it. */
  readonly ca: string;
  readonly caFile: string;
}

/**
 * A provider of OpenID Connect, certified as such (npm's `oidc-provider`), over TLS. Anybody may sign in there under any name,
 * which becomes the `sub` and the `email`; `groups` says the groups of a name.
 */
export async function startRealProvider(
  client: ProvidedClient,
  groups: (name: string) => readonly string[] = () => [],
): Promise<RealProvider> {
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const authority = testAuthority("providers");
  const { cert, key } = authority.issue("provider");
  const { privateKey } = signingKey("signer");
  const secret =
    client.secret === undefined ? { token_endpoint_auth_method: "none" as const } : { client_secret: client.secret };
  const provider = new Provider(url, {
    clients: [
      {
        client_id: client.id,
        redirect_uris: [client.redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        ...secret,
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
    // Claims go into the ID token, as with most issuers that clusters use.
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(16).toString("hex")] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "signer", alg: "RS256", use: "sig" }] },
    pkce: { required: () => true },
    ttl: { Session: 3600, Interaction: 600, Grant: 3600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({ sub: name, email: `${name}@example.org`, email_verified: true, groups: [...groups(name)] }),
    }),
  });
  const answer = provider.callback();
  const server = createServer({ cert, key }, (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, ca: authority.cert, caFile: scratchFolder().write("provider-ca.crt", authority.cert) };
}
