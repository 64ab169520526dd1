import type { CredentialSource, Credentials } from "./credential-source.ts";

/** Credentials that never change. */
export function staticCredentials(credentials: Credentials, description: string): CredentialSource {
  return { description, current: () => credentials, reject: () => undefined };
}

export function bearer(token: string): string {
  return `Bearer ${token}`;
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
