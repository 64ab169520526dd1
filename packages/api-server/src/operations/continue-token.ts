import { isObject } from "@kindling/kube-objects";
import { badRequest } from "../status/errors.ts";

/** Where a paged list continues: from a key, in the state of a revision (-1: the current one). */
export interface ContinueToken {
  readonly revision: number;
  readonly start: string;
}

export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start })).toString("base64url");
}

/** @throws ApiError 400 if the text is not a token of this server. */
export function decodeContinue(text: string): ContinueToken {
  let token: unknown;
  try {
    token = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    throw badRequest(`invalid continue token: continue key is not valid: not a token of this server`);
  }
  if (!isObject(token) || token["v"] !== "meta.k8s.io/v1") {
    throw badRequest(
      "invalid continue token: continue key is not valid: server does not recognize this encoded version",
    );
  }
  const { rv, start } = token;
  if (typeof rv !== "number" || typeof start !== "string" || start === "") {
    throw badRequest(
      "invalid continue token: continue key is not valid: encoded start key or resourceVersion is missing",
    );
  }
  return { revision: rv, start };
}
