import { ObjectStoreError } from "../object-store-error.ts";
import type { CredentialsContext } from "./aws-keys.ts";

/** Reads the token that a variable of the environment names. It may be replaced at any time, so it is read each time. */
export async function readToken(variable: string, path: string, context: CredentialsContext): Promise<string> {
  const token = (await context.readFile(path))?.trim();
  if (!token) throw new ObjectStoreError("settings", `${variable}: ${path} does not exist or is empty`);
  context.hide?.(token);
  return token;
}
