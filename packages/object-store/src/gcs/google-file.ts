import { createSign } from "node:crypto";
import type { CredentialsContext, LentKeys } from "../credentials/aws-keys.ts";
import { askForKeys, secondsUntil } from "../credentials/ask-for-keys.ts";
import {
  askForToken,
  membersOf,
  recordOf,
  refusedToken,
  secretsUrl,
  type BearerToken,
} from "../credentials/bearer-token.ts";
import { ObjectStoreError } from "../object-store-error.ts";

type Members = Readonly<Record<string, unknown>>;

/** The part of a credentials file that is read, with the path for messages. */
interface File {
  readonly path: string;
  readonly members: Members;
}

const TOKEN_URL = "https://oauth2.googleapis.com/token";
const STORAGE_SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
const CLOUD_SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const JWT_SECONDS = 3600;

/**
 * The token of a credentials file (Google Cloud, "How Application Default Credentials works"): the key of a service account,
 * a workload identity federation, a user's login, or an account that another one may act as.
 *
 * @param path names the file in messages
 * @throws ObjectStoreError `settings` for a file that cannot be used, `credentials` if Google refuses it
 */
export async function tokenOfFile(
  path: string,
  text: string,
  context: CredentialsContext,
): Promise<LentKeys<BearerToken>> {
  return await tokenOfMembers({ path, members: membersOf(text) }, context, STORAGE_SCOPE);
}

async function tokenOfMembers(file: File, context: CredentialsContext, scope: string): Promise<LentKeys<BearerToken>> {
  const type = file.members["type"];
  switch (type) {
    case "service_account":
      return await serviceAccount(file, context, scope);
    case "external_account":
      return await federation(file, context, scope);
    case "authorized_user":
      return await user(file, context);
    case "impersonated_service_account": {
      const source = { path: file.path, members: recordOf(file.members["source_credentials"]) };
      const { keys } = await tokenOfMembers(source, context, CLOUD_SCOPE);
      return await impersonate(file, context, keys, scope);
    }
    default:
      throw unusable(file, `its type is ${typeof type === "string" ? JSON.stringify(type) : "missing"}`);
  }
}

/** A JWT that the account's key signs, for a token (RFC 7523, 2.1; "Using OAuth 2.0 for Server to Server Applications"). */
async function serviceAccount(file: File, context: CredentialsContext, scope: string): Promise<LentKeys<BearerToken>> {
  const [account, key] = [needed(file, "client_email"), needed(file, "private_key")];
  context.hide?.(key);
  const audience = optional(file, "token_uri") ?? TOKEN_URL;
  const issued = Math.floor(context.clock.now() / 1000);
  const claims = { iss: account, scope, aud: audience, iat: issued, exp: issued + JWT_SECONDS };
  const keyId = optional(file, "private_key_id");
  const head = { alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) };
  const signed = `${encode(head)}.${encode(claims)}`;
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: `${signed}.${signature(file, signed, key)}`,
  };
  const hint = `check that the key in ${file.path} still exists, and this machine's clock`;
  return await askForToken(context, secretsUrl(`${file.path}: token_uri`, audience), form, hint);
}

function signature(file: File, text: string, key: string): string {
  try {
    return createSign("RSA-SHA256").update(text).sign(key, "base64url");
  } catch {
    // Node's own message could quote parts of the key.
    throw unusable(file, "its private_key is no key in the form of PEM");
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** The token of another issuer in exchange for one of Google's (RFC 8693; AIP-4117). */
async function federation(file: File, context: CredentialsContext, scope: string): Promise<LentKeys<BearerToken>> {
  const subject = await subjectToken(file, context);
  const actsAs = optional(file, "service_account_impersonation_url");
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    audience: needed(file, "audience"),
    scope: actsAs === undefined ? scope : CLOUD_SCOPE,
    requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
    subject_token: subject,
    subject_token_type: needed(file, "subject_token_type"),
  };
  const url = secretsUrl(`${file.path}: token_url`, needed(file, "token_url"));
  const lent = await askForToken(context, url, form, "check the workload identity pool and its provider");
  return actsAs === undefined ? lent : await impersonate(file, context, lent.keys, scope);
}

async function subjectToken(file: File, context: CredentialsContext): Promise<string> {
  const source = recordOf(file.members["credential_source"]);
  const format = recordOf(source["format"]);
  const read = async (): Promise<string | undefined> => {
    if (typeof source["file"] === "string") return await context.readFile(source["file"]);
    if (typeof source["url"] !== "string" || "environment_id" in source) {
      throw unusable(file, "its credential_source is neither a file nor a URL");
    }
    const headers = Object.fromEntries(
      Object.entries(recordOf(source["headers"])).filter(
        (each): each is [string, string] => typeof each[1] === "string",
      ),
    );
    const url = new URL(source["url"]);
    const answer = await askForKeys(context, { method: "GET", url, headers, nearby: url.protocol === "http:" });
    return answer.status === 200 ? answer.text : undefined;
  };
  const text = (await read())?.trim();
  const member = format["subject_token_field_name"];
  const token = format["type"] === "json" ? membersOf(text ?? "")[String(member)] : text;
  if (typeof token !== "string" || token === "") throw unusable(file, "its credential_source gives no token");
  context.hide?.(token);
  return token;
}

/** The refresh token of `gcloud auth application-default login`. */
async function user(file: File, context: CredentialsContext): Promise<LentKeys<BearerToken>> {
  const [secret, refresh] = [needed(file, "client_secret"), needed(file, "refresh_token")];
  context.hide?.(secret);
  context.hide?.(refresh);
  const form = {
    grant_type: "refresh_token",
    client_id: needed(file, "client_id"),
    client_secret: secret,
    refresh_token: refresh,
  };
  const url = secretsUrl(`${file.path}: token_uri`, optional(file, "token_uri") ?? TOKEN_URL);
  return await askForToken(context, url, form, "log in again: gcloud auth application-default login");
}

/** Another account's token (IAM Service Account Credentials API, `generateAccessToken`). */
async function impersonate(
  file: File,
  context: CredentialsContext,
  { token }: BearerToken,
  scope: string,
): Promise<LentKeys<BearerToken>> {
  context.hide?.(token);
  const setting = "service_account_impersonation_url";
  const answer = await askForKeys(context, {
    method: "POST",
    url: secretsUrl(`${file.path}: ${setting}`, needed(file, setting)),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ scope: [scope] })),
  });
  const { accessToken, expireTime } = membersOf(answer.text);
  if (answer.status !== 200 || typeof accessToken !== "string") {
    const hint = "the identity needs the role roles/iam.workloadIdentityUser or iam.serviceAccountTokenCreator there";
    throw refusedToken(context, answer, hint);
  }
  const end = typeof expireTime === "string" ? expireTime : undefined;
  return { keys: { token: accessToken }, seconds: secondsUntil(end, answer.date, context.clock) };
}

function needed(file: File, member: string): string {
  const value = optional(file, member);
  if (value === undefined) throw unusable(file, `it has no ${member}`);
  return value;
}

function optional({ members }: File, member: string): string | undefined {
  const value = members[member];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function unusable({ path }: File, why: string): ObjectStoreError {
  return new ObjectStoreError("settings", `${path} is no credentials file that can be used here: ${why}`, {
    hint: "supported are service_account, external_account (with a file or a URL), impersonated_service_account and authorized_user",
  });
}
