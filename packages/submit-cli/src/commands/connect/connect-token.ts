import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CommandContext, CommandLine } from "@kindling/command-line";
import { isDnsSubdomain, KindlingError, messageOf, quotedName, type SparkConf } from "@kindling/core-spec";
import { tokenClaims } from "@kindling/staging-client";
import { accountToken, CONNECT_AUDIENCE, CONNECT_SERVICE_ACCOUNT } from "@kindling/submit";
import { parseDuration } from "../parse-duration.ts";
import type { ClusterOnDemand } from "./find-connect.ts";

/** What proves to kindling-connect who its user is. */
export interface ConnectToken {
  readonly token: string;
  /** Whose it is, for people; `undefined` if the token does not say so. */
  readonly owner: string | undefined;
  /** RFC 3339; `undefined` if the token does not say so. */
  readonly expires: string | undefined;
}

/** Clients keep the token that they begin with, so it must last as long as a day's notebook. */
const LIFE = "8h";
const LEAST_SECONDS = 600;
const LONGEST_TOKEN = 16 * 1024;

const PURPOSE = {
  service: "kindling-connect",
  allows: "connect as accounts of",
  instead: "name the file of another token with --token-file",
};

/**
 * The token in the file of the command line, or one of the service account that it names; `undefined` if it names neither.
 *
 * @throws KindlingError
 */
export async function connectToken(
  line: CommandLine,
  conf: SparkConf,
  cluster: ClusterOnDemand,
  context: CommandContext,
): Promise<ConnectToken | undefined> {
  const [file, account] = [line.value("token-file"), line.value("as-account")];
  if (file !== undefined && account !== undefined)
    throw new KindlingError("ARGUMENT_INVALID", "--token-file and --as-account both name a token: give one of them");
  const lifeSeconds = lifeOf(line);
  const found =
    file === undefined
      ? await tokenOf(account ?? conf.get(CONNECT_SERVICE_ACCOUNT), { conf, lifeSeconds }, cluster, context)
      : await tokenIn(file, context);
  if (found === undefined) return undefined;
  context.secrets.hide(found);
  const { subject, expires } = tokenClaims(found) ?? {};
  return {
    token: found,
    owner: subject,
    expires: expires === undefined ? undefined : new Date(expires * 1000).toISOString().replace(".000Z", "Z"),
  };
}

function lifeOf(line: CommandLine): number {
  const seconds = Math.ceil(parseDuration("--duration", line.value("duration") ?? LIFE) / 1000);
  if (seconds >= LEAST_SECONDS) return seconds;
  throw new KindlingError("ARGUMENT_INVALID", "--duration: an API server makes no token for less than 10m");
}

async function tokenOf(
  account: string | undefined,
  { conf, lifeSeconds }: { readonly conf: SparkConf; readonly lifeSeconds: number },
  cluster: ClusterOnDemand,
  { outside: { clock } }: CommandContext,
): Promise<string | undefined> {
  if (account === undefined) return undefined;
  if (!isDnsSubdomain(account)) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--as-account ${quotedName(account)}: not the name of a service account`,
      {
        hint: "its namespace is that of -n",
      },
    );
  }
  const wanted = { account, audience: conf.get(CONNECT_AUDIENCE), purpose: PURPOSE, lifeSeconds };
  const token = accountToken(
    wanted,
    async (ask) => {
      const client = await cluster.client();
      return await ask(client, client.namespace);
    },
    clock,
  );
  return await token();
}

/** @throws KindlingError that shows nothing of the file */
async function tokenIn(file: string, { outside: { cwd } }: CommandContext): Promise<string> {
  let text: string;
  try {
    text = (await readFile(resolve(cwd, file), "utf8")).trim();
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `--token-file: cannot read ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  // Other characters cannot be in a header field (RFC 9110, 5.5; RFC 6750, 2.1).
  if (text.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(text)) return text;
  const what = text === "" ? "it is empty" : "it holds no token";
  throw new KindlingError("FILE_UNPARSABLE", `--token-file ${file}: ${what}`);
}
