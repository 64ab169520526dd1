import type { AwsKeys } from "./aws-keys.ts";

/** One profile of the shared files of AWS's tools: its settings, by their names in lower case. */
export type Profile = ReadonlyMap<string, string>;

/** Reads a file of the form `[name]` or `[profile name]` and `key = value`; `undefined` if it has no such profile. */
export function parseProfile(source: string, name: string): Profile | undefined {
  let values: Map<string, string> | undefined;
  let current = "";
  for (const line of source.split(/\r?\n/)) {
    const [, section] = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line) ?? [];
    if (section !== undefined) current = section;
    if (current === name) values ??= new Map();
    if (/^\s*[#;[]/.test(line) || current !== name) continue;
    const [, key, value] = /^([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values?.set(key.toLowerCase(), value);
  }
  return values;
}

/** The keys in a profile; `undefined` if it has none. */
export function keysOf(profile: Profile | undefined): AwsKeys | undefined {
  const accessKeyId = profile?.get("aws_access_key_id");
  const secretAccessKey = profile?.get("aws_secret_access_key");
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: profile?.get("aws_session_token") };
}
