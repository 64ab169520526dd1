import type { CommandContext } from "@kindling/command-line";
import {
  type CredentialsField,
  isKindlingError,
  KindlingError,
  messageOf,
  sparkConf,
  type SparkConf,
  USUAL_NAMESPACE,
} from "@kindling/core-spec";
import { environmentProxies, type HttpTransport, httpTransport } from "@kindling/http";
import { type KubeClient, serviceTransport, serviceUrl } from "@kindling/kube";
import { connectRecorder, type RecorderClient } from "@kindling/recorder-client";
import {
  accountToken,
  effectiveEntries,
  findInstallation,
  INSTALLATION,
  type Installation,
  parseServiceUri,
  type Reach,
  RECORDER_AUDIENCE,
  RECORDER_SERVICE_ACCOUNT,
  RECORDER_URI,
  type ServiceOfCluster,
} from "@kindling/submit";
import { reachHere } from "../installed-here.ts";
import { reachCluster } from "../target.ts";

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
const LIMITS = { maxConnections: 4, connectTimeoutMs: 10_000, stallTimeoutMs: 30_000, answerTimeoutMs: 60_000 };
const USER_AGENT = "kindling";
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
export async function openArchive(
  scope: "namespace" | "all",
  reach: Reach,
  context: CommandContext,
): Promise<OpenArchive> {
  const { outside, signal } = context;
  const { client, conf, uri, service } = await findRecorder(scope, reach, context);
  try {
    const tokenOf = (account: string, place: string): AccountToken =>
      accountToken(
        { account, audience: conf.get(RECORDER_AUDIENCE), purpose: PURPOSE },
        (ask) => ask(client, place),
        outside.clock,
      );
    const ofAll = tokenOf(ADMINISTRATOR, service?.namespace ?? client.namespace);
    const token =
      scope === "all" ? ofAll : elseOfAll(tokenOf(conf.get(RECORDER_SERVICE_ACCOUNT), client.namespace), ofAll);
    const asksForToken = !isOfThisMachine(uri);
    // Every question to the recorder needs it, so it is asked for at once.
    if (asksForToken) token().catch(() => undefined);
    const recorder = connectRecorder({
      ...routeTo(uri, service, client, context),
      token: asksForToken ? token : undefined,
      signal,
    });
    const close = (): void => {
      recorder.close();
      client.close();
    };
    return { recorder, namespace: client.namespace, conf, close };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** The same; `undefined` where there is no recorder. */
export async function archiveIfThere(reach: Reach, context: CommandContext): Promise<OpenArchive | undefined> {
  try {
    return await openArchive("namespace", reach, context);
  } catch (error) {
    if (isKindlingError(error) && error.code === "CONF_MISSING") return undefined;
    throw error;
  }
}

export interface FoundRecorder {
  /** To be closed by the caller. */
  readonly client: KubeClient;
  readonly conf: SparkConf;
  readonly uri: string;
  /** `undefined` if the recorder is none of this cluster's. */
  readonly service: ServiceOfCluster | undefined;
}

/**
 * Where the recorder is, without asking it anything.
 *
 * @throws KindlingError `CONF_MISSING` if there is none
 */
export async function findRecorder(
  scope: "namespace" | "all",
  reach: Reach,
  context: CommandContext,
): Promise<FoundRecorder> {
  const here = reachHere(effectiveEntries({ conf: reach.conf }, context.outside), reach);
  const { client } = await reachCluster(here, context);
  try {
    const conf = await recorderConf(client, scope, here, context);
    const uri = conf.get(RECORDER_URI);
    if (uri === undefined) throw noRecorder();
    const service = parseServiceUri(uri, { key: RECORDER_URI.key, example: "kindling/kindling-recorder:8080" });
    return { client, conf, uri, service };
  } catch (error) {
    client.close();
    throw error;
  }
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

async function recorderConf(
  client: KubeClient,
  scope: "namespace" | "all",
  { conf }: Reach,
  context: CommandContext,
): Promise<SparkConf> {
  const { outside, signal } = context;
  const written = (entries: Readonly<Record<string, string>>): SparkConf =>
    sparkConf(entries, { sparkVersion: "", env: (name) => outside.env[name] });
  const given = written(conf);
  const named = given.get(INSTALLATION);
  if (given.get(RECORDER_URI) !== undefined || named === "none") return given;
  const find = (namespace: string): Promise<Installation | undefined> =>
    findInstallation(client, { namespace, named, signal });
  // An installation that does not serve the command's own namespace may serve others.
  const installation = (await find(client.namespace)) ?? (scope === "all" ? await find(USUAL_NAMESPACE) : undefined);
  return written({ ...installation?.entries, ...conf });
}

interface Route {
  readonly uri: URL;
  readonly http: HttpTransport;
  readonly credentialsField: CredentialsField;
}

function routeTo(
  uri: string,
  service: ServiceOfCluster | undefined,
  { access }: KubeClient,
  { outside: { clock, env } }: CommandContext,
): Route {
  if (service !== undefined) {
    const http = serviceTransport(access, { ...LIMITS, clock, userAgent: USER_AGENT });
    return {
      uri: serviceUrl(access, { ...service, scheme: "https" }),
      http,
      credentialsField: "kindling-authorization",
    };
  }
  const isSafe = URL.canParse(uri) && (new URL(uri).protocol === "https:" || isOfThisMachine(uri));
  if (!isSafe) {
    throw new KindlingError("CONF_INVALID", `${RECORDER_URI.key}: a token is sent to an https URI only`, {
      hint: "write it as https://HOST:PORT, or as k8s+https://NAMESPACE/SERVICE:PORT",
    });
  }
  const http = httpTransport({ ...LIMITS, clock, tls: {}, proxies: environmentProxies(env) });
  return { uri: new URL(uri.endsWith("/") ? uri : `${uri}/`), http, credentialsField: "authorization" };
}

/** A recorder of this machine asks for no token. */
function isOfThisMachine(uri: string): boolean {
  return /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d+)?(?:\/|$)/.test(uri);
}

function noRecorder(): KindlingError {
  return new KindlingError("CONF_MISSING", "no recorder is known, which would keep what is gone from the cluster", {
    hint: `the chart installs one with recorder.enabled=true; ${RECORDER_URI.key} names another one`,
  });
}
