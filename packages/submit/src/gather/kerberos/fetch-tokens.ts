import { resolve } from "node:path";
import { KindlingError, isKindlingError, type SparkConf } from "@kindling/core-spec";
import {
  fetchDelegationTokens,
  hadoopConfiguration,
  needsTrust,
  openTokenMeans,
  tokenFileSystems,
  trustedAuthorities,
  type HadoopConfiguration,
  type HadoopToken,
  type TokenFileSystem,
} from "@kindling/kerberos";
import type { Env } from "@kindling/outside";
import { KEYTAB, TOKEN_SECRET_NAME } from "@kindling/steps";
import {
  HADOOPFS_TOKENS,
  KERBEROS_FILE_SYSTEMS,
  KERBEROS_NOT_RENEWED,
  KERBEROS_RENEWER,
  KERBEROS_TOKENS,
} from "../../keys/kerberos-keys.ts";
import type { Gathering } from "../gathering.ts";
import { TOKENS_NOT_FETCHED } from "../../plan/plan-input.ts";
import type { HadoopLogin } from "./hadoop-login.ts";
import { readSmallFile } from "../files/read-small-file.ts";
import { hadoopFile } from "./hadoop-files.ts";
import { krb5Missing } from "./krb5-missing.ts";
import { otherTokens } from "./other-tokens.ts";
import { givenTokens, joined, TOKEN_FILE } from "./token-file.ts";
import { tokensEnd } from "./tokens-end.ts";

const WAY_OUT = `${KERBEROS_TOKENS.key}=optional submits without tokens`;

/**
 * Fetches the delegation tokens that a driver needs and cannot get itself, as Spark does when it submits
 * (KerberosConfDriverFeatureStep): if there are neither a keytab nor a Secret of tokens. Tokens that the user has already are
 * handed on. Spark goes on without tokens if it gets none, and the driver fails later.
 *
 * @returns the file of tokens in base64; `undefined` if there are none
 * @throws KindlingError `KERBEROS_FAILED`, `KDC_UNREACHABLE`, `TOKEN_REFUSED`, `FILE_UNREADABLE`
 */
export async function fetchTokens(
  login: HadoopLogin,
  conf: SparkConf,
  env: Env,
  gathering: Gathering,
): Promise<string | undefined> {
  const { outside, notices, secrets } = gathering;
  const remark = krb5Missing(conf);
  if (remark !== undefined) notices.add(remark);
  if (conf.has(KEYTAB) || conf.has(TOKEN_SECRET_NAME)) return undefined;
  const given = givenTokens(env, outside.clock);
  const tokens = await fetchWanted(login, conf, { env, hasTokens: given !== undefined }, gathering);
  if (tokens === "not now") return TOKENS_NOT_FETCHED;
  const file = joined(tokens, given, notices);
  if (file === undefined) return undefined;
  const encoded = file.toString("base64");
  secrets.hide(encoded);
  return encoded;
}

interface Beside {
  readonly env: Env;
  /** Whether the user has tokens already. */
  readonly hasTokens: boolean;
}

/** @returns `not now` if a plan is only shown */
async function fetchWanted(
  login: HadoopLogin,
  conf: SparkConf,
  { env, hasTokens }: Beside,
  gathering: Gathering,
): Promise<readonly HadoopToken[] | "not now"> {
  const { notices, connection, outside } = gathering;
  const mode = conf.get(KERBEROS_TOKENS);
  if (mode === "none") return [];
  const hadoop = withSparkHadoop(login.site, conf);
  const { fileSystems, others } = tokenFileSystems({
    conf: hadoop,
    fileSystems: conf.get(KERBEROS_FILE_SYSTEMS) ?? [],
    origin: KERBEROS_FILE_SYSTEMS.key,
  });
  if (!hasTokens) {
    for (const notice of otherTokens(others, { conf, hadoop, env, clock: outside.clock })) notices.add(notice);
  }
  if (!conf.get(HADOOPFS_TOKENS) || fileSystems.length === 0) return [];
  try {
    if (isKindlingError(login.ticket)) throw login.ticket;
    if (connection.kind === "none") return "not now";
    const tokens = await fetchFrom(fileSystems, login, { conf, hadoop, env }, gathering);
    notices.add(tokensEnd(tokens, conf));
    return tokens;
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    if (mode === "required" && !hasTokens) throw withWayOut(error);
    if (!hasTokens) notices.add(`no delegation tokens of Hadoop are handed to the driver: ${error.message}`);
    else notices.add(`only the tokens of ${TOKEN_FILE} are handed to the driver: ${error.message}`);
    return [];
  }
}

/** Spark's own entries for Hadoop are over those of the files (SparkHadoopUtil.appendSparkHadoopConfigs). */
function withSparkHadoop(site: HadoopLogin["site"], { entries }: SparkConf): HadoopConfiguration {
  const own = Object.entries(entries).filter(([key]) => key.startsWith("spark.hadoop."));
  return hadoopConfiguration(
    new Map([...site, ...own.map(([key, value]) => [key.slice("spark.hadoop.".length), value] as const)]),
  );
}

interface FetchSettings {
  readonly conf: SparkConf;
  readonly hadoop: HadoopConfiguration;
  readonly env: Env;
}

async function fetchFrom(
  fileSystems: readonly TokenFileSystem[],
  { ticket, user, proxyUser }: HadoopLogin,
  { conf, hadoop, env }: FetchSettings,
  { outside: { clock, random, cwd }, signal, secrets }: Gathering,
): Promise<readonly HadoopToken[]> {
  if (isKindlingError(ticket)) throw ticket;
  const notRenewed = (conf.get(KERBEROS_NOT_RENEWED) ?? []).flatMap((uri) =>
    URL.canParse(uri) ? [new URL(uri).hostname] : [],
  );
  const renewer = conf.get(KERBEROS_RENEWER) ?? user;
  const request = { conf: hadoop, fileSystems, notRenewed, renewer, proxyUser: proxyUser && user };
  const authorities = needsTrust(fileSystems)
    ? trustedAuthorities(hadoop, {
        hadoopFile: (name) => hadoopFile(name, env, clock),
        readBytes: (path) => readSmallFile(resolve(cwd, path), clock),
      })
    : undefined;
  const { means, close } = openTokenMeans({ clock, random, signal, authorities });
  try {
    const tokens = await fetchDelegationTokens(ticket, request, means);
    for (const { password } of tokens) secrets.hide(password.toString("base64"));
    return tokens;
  } finally {
    close();
  }
}

function withWayOut(error: KindlingError): KindlingError {
  const { code, message, hint, cause } = error;
  return new KindlingError(code, message, { hint: hint === undefined ? WAY_OUT : `${hint}; ${WAY_OUT}`, cause });
}
