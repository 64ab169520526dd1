import type { Clock } from "@kindling/outside";
import type { ReviewedUser } from "@kindling/service";
import { decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { Issuer } from "../issuer/issuer.ts";
import type { IssuerSettings } from "../settings.ts";
import { type Claims, userOfClaims } from "./user-of-claims.ts";

/** What a token proves. A reason is one clause for the client: it has no part of the token but names of claims. */
export type Verification =
  | { readonly kind: "user"; readonly user: ReviewedUser; readonly claims: Claims }
  | { readonly kind: "refused"; readonly reason: string }
  /** It is no token of this issuer, and may be good for something else. */
  | { readonly kind: "foreign" };

export interface TokenVerifier {
  /** @throws IssuerUnavailable */
  verify(token: string): Promise<Verification>;
}

/** Clocks differ. kube-apiserver allows five minutes for `nbf`, and nothing for `exp`. */
const SKEW_SECONDS = 60;
/** How many keys are tried for a token that names none. */
const MOST_TRIED = 16;

/** Checks tokens (OpenID Connect Core 1.0, 3.1.3.7; RFC 7519; RFC 8725). */
export function tokenVerifier(issuer: Issuer, settings: IssuerSettings, clock: Clock): TokenVerifier {
  const audience = settings["oidc.clientId"];

  async function check(token: string, keyFor: JWTVerifyGetKey): Promise<Claims> {
    const options = {
      issuer: issuer.url,
      audience,
      algorithms: [...settings["oidc.signingAlgs"]],
      requiredClaims: ["exp"],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
    };
    try {
      return (await jwtVerify(token, keyFor, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      let tried = 0;
      for await (const key of error) {
        tried += 1;
        if (tried > MOST_TRIED) break;
        try {
          return (await jwtVerify(token, key, options)).payload;
        } catch (fault) {
          if (!(fault instanceof errors.JWSSignatureVerificationFailed)) throw fault;
        }
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  }

  async function checkWithNewKeys(token: string): Promise<Claims> {
    const keys = await issuer.keys();
    try {
      return await check(token, keys.keyFor);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await issuer.newerThan(keys);
      if (newer === undefined) throw error;
      return await check(token, newer.keyFor);
    }
  }

  return {
    async verify(token) {
      if (issuerOf(token) !== issuer.url) return { kind: "foreign" };
      let claims: Claims;
      try {
        claims = await checkWithNewKeys(token);
      } catch (error) {
        const reason = reasonOf(error, audience);
        if (reason === undefined) throw error;
        return { kind: "refused", reason };
      }
      const claimed = userOfClaims(claims, settings);
      return claimed.kind === "user" ? { ...claimed, claims } : claimed;
    },
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown, audience: string): string | undefined {
  if (error instanceof errors.JWTExpired)
    return error.claim === "exp" && error.reason === "check_failed" ? "it has expired" : "its times cannot be read";
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error, audience);
  if (error instanceof errors.JOSEAlgNotAllowed) return "oidc.signingAlgs does not have the algorithm of its signature";
  if (error instanceof errors.JWKSNoMatchingKey) return "it is signed with a key that its issuer does not publish";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is wrong";
  if (error instanceof errors.JOSEError) return "it is not a token of the form that is read here";
  // A key of the issuer that cannot be used: it is too short, or its members do not fit.
  return error instanceof TypeError || error instanceof DOMException
    ? "the issuer's key for it cannot be used"
    : undefined;
}

function claimReason({ claim, reason }: errors.JWTClaimValidationFailed, audience: string): string {
  if (claim === "aud") return `it is not for the client ${audience}`;
  if (claim === "nbf" && reason === "check_failed") return "it is not valid yet";
  return reason === "missing" ? `it has no claim ${claim}` : `its claim ${claim} is wrong`;
}
