import { join } from "node:path";
import type { Environment } from "../config/environment.ts";
import { readSmallFile } from "../read-small-file.ts";
import { LocalizerError } from "../report/localizer-error.ts";
import type { Redactor } from "@kindling/core-spec";
import {
  keysOf,
  parseHadoopTokens,
  parseProfile,
  type AwsKeys,
  type HadoopToken,
} from "@kindling/object-store/credential-files";
import { headersFor, headersOfNetrc, parseHeadersFile, type HostHeaders } from "./host-headers.ts";
import { parseNetrc } from "./netrc.ts";

/** The credentials of a mounted secret, by the places that they may be sent to. */
export interface Credentials {
  /** The header fields for requests to a URL, and only to it. */
  headersFor(url: URL): Readonly<Record<string, string>>;
  readonly awsKeys: AwsKeys | undefined;
  readonly hadoopTokens: readonly HadoopToken[];
  /** PEM certificates of further authorities. */
  readonly authorities: string | undefined;
}

/** The files of a credentials directory. Each may be missing. */
export const CREDENTIAL_FILES = {
  netrc: "netrc",
  headers: "headers.json",
  aws: "aws-credentials",
  hadoop: "hadoop-tokens",
  authorities: "ca.crt",
} as const;

/** @throws LocalizerError `config` that names the file, and never shows its contents */
export function loadCredentials(
  directory: string | undefined,
  profile: string,
  env: Environment,
  redactor: Redactor,
): Credentials {
  const path = (name: string): string | undefined => (directory === undefined ? undefined : join(directory, name));
  const netrc = understand(path(CREDENTIAL_FILES.netrc), (source) => {
    const entries = parseNetrc(source);
    if (typeof entries === "string") return entries;
    for (const { password } of entries) redactor.hide(password);
    return headersOfNetrc(entries);
  });
  const headers = understand(path(CREDENTIAL_FILES.headers), parseHeadersFile);
  const both: readonly HostHeaders[] = [netrc ?? new Map(), headers ?? new Map()];
  for (const fields of both.flatMap((each) => [...each.values()])) hideFields(fields, redactor);

  const aws = path(CREDENTIAL_FILES.aws);
  const awsSource = aws === undefined ? undefined : readSmallFile(aws);
  const awsKeys = awsSource === undefined ? undefined : keysOf(parseProfile(awsSource.toString("utf8"), profile));
  if (awsKeys !== undefined) hideKeys(awsKeys, redactor);

  const hadoopFile = env["HADOOP_TOKEN_FILE_LOCATION"] ?? path(CREDENTIAL_FILES.hadoop);
  const hadoop = hadoopFile === undefined ? undefined : readSmallFile(hadoopFile);
  const hadoopTokens = hadoop === undefined ? [] : parseHadoopTokens(hadoop);
  if (hadoopTokens === undefined) throw unusable(hadoopFile ?? "", "it is no file of Hadoop tokens of the form 0");
  for (const { urlString } of hadoopTokens) redactor.hide(urlString);

  return {
    headersFor: (url) => Object.assign({}, ...both.map((each) => headersFor(each, url))) as Record<string, string>,
    awsKeys,
    hadoopTokens,
    authorities: understand(path(CREDENTIAL_FILES.authorities), (source) => ({ source }))?.source,
  };
}

function hideKeys({ secretAccessKey, sessionToken }: AwsKeys, redactor: Redactor): void {
  redactor.hide(secretAccessKey);
  if (sessionToken !== undefined) redactor.hide(sessionToken);
}

function hideFields(fields: Readonly<Record<string, string>>, redactor: Redactor): void {
  for (const value of Object.values(fields)) {
    redactor.hide(value);
    const [, token] = /^\S+ +(\S.*)$/.exec(value) ?? [];
    if (token !== undefined) redactor.hide(token);
  }
}

function understand<T extends object>(path: string | undefined, parse: (source: string) => T | string): T | undefined {
  const bytes = path === undefined ? undefined : readSmallFile(path);
  if (path === undefined || bytes === undefined) return undefined;
  const result = parse(bytes.toString("utf8"));
  if (typeof result === "string") throw unusable(path, result);
  return result;
}

function unusable(path: string, problem: string): LocalizerError {
  return new LocalizerError("config", `cannot use ${path}: ${problem}`, {
    hint: "see the localizer's README for the form of the files in credentialsDir",
  });
}
