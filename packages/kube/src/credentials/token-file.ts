import type { Clock } from "@kindling/outside";
import { kubeError } from "../errors/kube-error.ts";
import type { ReadFile } from "../files-outside.ts";
import type { CredentialSource } from "./credential-source.ts";
import { expiringCredentials } from "./expiring-credentials.ts";
import { bearer } from "./static-credentials.ts";

/** As client-go and fabric8 do: the kubelet replaces projected tokens well before they expire. */
const REREAD_MS = 60_000;

/** A bearer token in a file that another program keeps up to date. */
export function tokenFile(path: string, readFile: ReadFile, clock: Clock, description: string): CredentialSource {
  return expiringCredentials(
    async (signal) => ({
      credentials: { authorization: bearer(await readToken(path, (name) => readFile(name, signal), description)) },
      until: clock.now() + REREAD_MS,
    }),
    clock,
    description,
  );
}

async function readToken(path: string, readFile: ReadFile, description: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(path)).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw kubeError({ kind: "credentials" }, `${description}: the token file ${path} cannot be read (${code})`, {
      cause: error,
    });
  }
  if (token === "") throw kubeError({ kind: "credentials" }, `${description}: the token file ${path} is empty`);
  return token;
}
