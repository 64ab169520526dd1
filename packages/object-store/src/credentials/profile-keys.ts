import { join } from "node:path";
import { ObjectStoreError } from "../object-store-error.ts";
import type { CredentialsContext, KeySource } from "./aws-keys.ts";
import { keysOf, parseProfile, type Profile } from "./profile.ts";

// Tools such as `aws sso login` write new keys while this program runs: the files are read again within a minute.
const FILE_SECONDS = 120;

/** Settings with which AWS's own tools get the keys of a profile from another place. */
const ELSEWHERE = ["role_arn", "credential_process", "sso_session", "sso_start_url", "web_identity_token_file"];

/**
 * The keys of a profile in the shared files, `~/.aws/credentials` and `~/.aws/config` unless the environment says
 * otherwise (AWS SDKs and Tools Reference Guide, "Shared config and credentials files").
 */
export const profileKeys: KeySource = {
  name: "the shared files",
  async lend(context) {
    const name = context.env["AWS_PROFILE"] || context.env["AWS_DEFAULT_PROFILE"] || "default";
    const profiles: Profile[] = [];
    for (const path of sharedFiles(context)) {
      const source = await context.readFile(path);
      const profile = source === undefined ? undefined : parseProfile(source, name);
      const keys = keysOf(profile);
      if (keys !== undefined) return { keys, seconds: FILE_SECONDS };
      if (profile !== undefined) profiles.push(profile);
    }
    const elsewhere = ELSEWHERE.find((setting) => profiles.some((profile) => profile.has(setting)));
    if (elsewhere === undefined) return undefined;
    throw new ObjectStoreError("credentials", `the AWS profile ${name} has ${elsewhere} in place of keys`, {
      hint: `run: eval "$(aws configure export-credentials --profile ${name} --format env)"`,
    });
  },
};

function sharedFiles({ env }: CredentialsContext): readonly string[] {
  const home = env["HOME"] || env["USERPROFILE"];
  const inHome = (name: string): string | undefined => (home ? join(home, ".aws", name) : undefined);
  return [
    env["AWS_SHARED_CREDENTIALS_FILE"] || inHome("credentials"),
    env["AWS_CONFIG_FILE"] || inHome("config"),
  ].filter((path) => path !== undefined);
}
