/** Long-lived or temporary keys of AWS. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Reads one profile of a file in the AWS shared credentials format; `undefined` where it has no keys. */
export function awsProfile(source: string, profile: string): AwsKeys | undefined {
  const values = new Map<string, string>();
  let current = "";
  for (const line of source.split(/\r?\n/)) {
    const [, section] = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line) ?? [];
    if (section !== undefined) current = section;
    if (/^\s*[#;[]/.test(line) || current !== profile) continue;
    const [, key, value] = /^([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values.set(key.toLowerCase(), value);
  }
  const accessKeyId = values.get("aws_access_key_id");
  const secretAccessKey = values.get("aws_secret_access_key");
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: values.get("aws_session_token") };
}
