import type { CommandContext } from "@kindling/command-line";
import { type CredentialsField, isKindlingError, KindlingError, messageOf, type SparkConf } from "@kindling/core-spec";
import { environmentProxies, type HttpTransport, httpTransport } from "@kindling/http";
import { type KubeClient, serviceUrl } from "@kindling/kube";
import { connectRecorder, type RecorderClient } from "@kindling/recorder-client";
import {
  accountToken,
  type Reach,
  RECORDER_AUDIENCE,
  RECORDER_SERVICE_ACCOUNT,
  RECORDER_URI,
  type ServiceOfCluster,
} from "@kindling/submit";
import { type ArchiveScope, findRecorder, type FoundRecorder } from "./find-recorder.ts";

/** What a recorder keeps, as this user may read it. */
export interface OpenArchive {
  readonly recorder: RecorderClient;
  /** The namespace of the command. */
  readonly namespace: string;
  /** What this machine, the command line and the installation say. */
  readonly conf: SparkConf;
  close(): void;
}

/** An account of the chart that may read all of the archive. */
const ADMINISTRATOR = "kindling-archive-reader";
const LIMITS = { stallTimeoutMs: 30_000, answerTimeoutMs: 60_000 };
const CONNECTIONS = { maxConnections: 4, connectTimeoutMs: 10_000 };
const PURPOSE = {
  service: "the recorder",
  allows: "read what is kept of",
  instead: "let an administrator grant it: the chart's value submitters, or its role kindling-archive-user",
};

/**
 * The recorder that the configuration names, or that of the installation that a submission from here would use.
 *
 * @param scope whether what is kept of the command's namespace is wanted, or of all namespaces
 * @throws KindlingError `CONF_MISSING` if there is none
 */
export async function openArchive(scope: ArchiveScope, reach: Reach, context: CommandContext): Promise<OpenArchive> {
  return connectArchive(await findRecorder(scope, reach, context), scope, context);
}

/**
 * The same; `undefined` where there is no recorder.
 *
 * @param open the client of the command
 */
export async function archiveIfThere(
  reach: Reach,
  context: CommandContext,
  open: KubeClient,
): Promise<OpenArchive | undefined> {
  const found = await recorderIfThere(reach, context, open);
  return found === undefined ? undefined : connectArchive(found, "namespace", context);
}

/** Where the recorder is; `undefined` where there is none. */
export async function recorderIfThere(
  reach: Reach,
  context: CommandContext,
  open: KubeClient,
): Promise<FoundRecorder | undefined> {
  try {
    return await findRecorder("namespace", reach, context, open);
  } catch (error) {
    if (isKindlingError(error) && error.code === "CONF_MISSING") return undefined;
    throw error;
  }
}

/**
 * Asks for a token at once, because every question to the recorder needs it.
 *
 * @param found is closed with the archive
 * @throws KindlingError `CONF_INVALID`
 */
export function connectArchive(found: FoundRecorder, scope: ArchiveScope, context: CommandContext): OpenArchive {
  const { client, conf, uri, service } = found;
  try {
    const route = routeTo(uri, service, client, context);
    const token = isOfThisMachine(uri) ? undefined : tokenFor(found, scope, context);
    token?.().catch(() => undefined);
    const recorder = connectRecorder({ ...route, token, signal: context.signal });
    const close = (): void => {
      recorder.close();
      found.close();
    };
    return { recorder, namespace: client.namespace, conf, close };
  } catch (error) {
    found.close();
    throw error;
  }
}

function tokenFor(
  { client, conf, service }: FoundRecorder,
  scope: ArchiveScope,
  { outside: { clock } }: CommandContext,
): AccountToken {
  const tokenOf = (account: string, place: string): AccountToken =>
    accountToken(
      { account, audience: conf.get(RECORDER_AUDIENCE), purpose: PURPOSE },
      (ask) => ask(client, place),
      clock,
    );
  const ofAll = tokenOf(ADMINISTRATOR, service?.namespace ?? client.namespace);
  return scope === "all" ? ofAll : elseOfAll(tokenOf(conf.get(RECORDER_SERVICE_ACCOUNT), client.namespace), ofAll);
}

type AccountToken = ReturnType<typeof accountToken>;

/** Only administrators read what is kept of a namespace that is gone: its account is gone with it. */
function elseOfAll(ofNamespace: AccountToken, ofAll: AccountToken): AccountToken {
  return async (refused) => {
    try {
      return await ofNamespace(refused);
    } catch (error) {
      if (!isOfGoneNamespace(error)) throw error;
      return await ofAll(refused).catch(() => {
        throw error;
      });
    }
  };
}

function isOfGoneNamespace(error: unknown): boolean {
  if (!isKindlingError(error)) return false;
  return error.code === "OBJECT_NOT_FOUND" || messageOf(error.cause).includes("because it is being terminated");
}

interface Route {
  readonly uri: URL;
  readonly http: HttpTransport;
  readonly credentialsField: CredentialsField;
}

function routeTo(
  uri: string,
  service: ServiceOfCluster | undefined,
  client: KubeClient,
  { outside: { clock, env } }: CommandContext,
): Route {
  if (service !== undefined) {
    return {
      uri: serviceUrl(client.access, { ...service, scheme: "https" }),
      // Over connections that are open already: a new one costs two round trips.
      http: client.services(LIMITS),
      credentialsField: "kindling-authorization",
    };
  }
  const isSafe = URL.canParse(uri) && (new URL(uri).protocol === "https:" || isOfThisMachine(uri));
  if (!isSafe) {
    throw new KindlingError("CONF_INVALID", `${RECORDER_URI.key}: a token is sent to an https URI only`, {
      hint: "write it as https://HOST:PORT, or as k8s+https://NAMESPACE/SERVICE:PORT",
    });
  }
  const http = httpTransport({ ...LIMITS, ...CONNECTIONS, clock, tls: {}, proxies: environmentProxies(env) });
  return { uri: new URL(uri.endsWith("/") ? uri : `${uri}/`), http, credentialsField: "authorization" };
}

/** A recorder of this machine asks for no token. */
function isOfThisMachine(uri: string): boolean {
  return /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d+)?(?:\/|$)/.test(uri);
}
