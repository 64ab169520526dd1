import { isObject } from "@kindling/kube-objects";
import { objectAt, textAt, textsAt } from "../../json/fields.ts";

/** The claims of a token. They are not verified: they can be a reason to refuse a request, but never to accept it. */
export interface TokenClaims {
  readonly audiences: readonly string[];
  /** Seconds since the epoch. */
  readonly expires: number;
  readonly namespace: string;
  readonly podName: string;
  readonly podUid: string;
}

/** Reads the claims of a token that is bound to a pod (RFC 7519; KEP-1205); undefined for any other. */
export function tokenClaims(token: string): TokenClaims | undefined {
  const payload = payloadOf(token);
  const own = objectAt(payload, "kubernetes.io");
  const audience = textAt(payload, "aud");
  const [namespace, podName, podUid] = [
    textAt(own, "namespace"),
    textAt(own, "pod", "name"),
    textAt(own, "pod", "uid"),
  ];
  if (payload === undefined || namespace === undefined || podName === undefined || podUid === undefined)
    return undefined;
  const { exp } = payload;
  return {
    audiences: audience === undefined ? textsAt(payload, "aud") : [audience],
    expires: typeof exp === "number" ? exp : 0,
    namespace,
    podName,
    podUid,
  };
}

function payloadOf(token: string): Record<string, unknown> | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
