import { quotedName } from "@kindling/core-spec";
import { idleKeys, type KeysInUse } from "./idle-keys.ts";
import { closedUriIn, isOpenFile, refusal, uriRefusal, type OpenFolder } from "./operator-files.ts";

const ACCOUNT = "configure the service account via the CRD spec instead";
const CREDENTIALS = "authentication credentials are managed by the operator";
const MANAGED = "this value is managed by the operator";
const IMAGE = "use the image field on the CRD instead";

/**
 * The keys that stock denies, each with stock's reason (kubeflow/spark-operator v2.5.2,
 * internal/webhook/sparkconf_validator.go).
 */
export const STOCK_DENIED_KEYS: Readonly<Record<string, string>> = {
  "spark.kubernetes.authenticate.driver.serviceAccountName": ACCOUNT,
  "spark.kubernetes.authenticate.executor.serviceAccountName": ACCOUNT,
  "spark.kubernetes.authenticate.oauthTokenFile": CREDENTIALS,
  "spark.kubernetes.authenticate.oauthToken": CREDENTIALS,
  "spark.kubernetes.authenticate.driver.oauthTokenFile": CREDENTIALS,
  "spark.kubernetes.authenticate.driver.oauthToken": CREDENTIALS,
  "spark.kubernetes.authenticate.executor.oauthTokenFile": CREDENTIALS,
  "spark.kubernetes.authenticate.executor.oauthToken": CREDENTIALS,
  "spark.master": MANAGED,
  "spark.kubernetes.driver.master": MANAGED,
  "spark.kubernetes.container.image": IMAGE,
  "spark.kubernetes.driver.container.image": IMAGE,
  "spark.kubernetes.executor.container.image": IMAGE,
};

/** What the decision about a key depends on, besides the key itself. */
interface Judged {
  readonly value: string;
  readonly openFolder: OpenFolder;
}

interface Denial {
  readonly isMeant: (key: string) => boolean;
  /** Why the key may not have this value; undefined if it may. */
  readonly why: (judged: Judged) => string | undefined;
}

const AUTHENTICATE = "spark.kubernetes.authenticate.";

/** Kindling's own keys that concern only the application. */
const OPEN_KINDLING_KEYS = [
  "spark.kindling.sparkVersion",
  "spark.kindling.localizer.*",
  "spark.kindling.scheduler",
  "spark.kindling.scheduler.queue",
  "spark.kindling.scheduler.priority",
  "spark.kindling.scheduler.minExecutors",
  "spark.kindling.scheduler.gate",
  "spark.kindling.scheduler.earlyStart",
  "spark.kindling.scheduler.executorSteps",
];

// One process serves all users. So no user may choose its files, its cluster or its credentials for that cluster.
const DENIALS: readonly Denial[] = [
  { isMeant: among(["spark.kubernetes.context"]), why: () => "the operator works in its own cluster" },
  { isMeant: (key) => key.startsWith(`${AUTHENTICATE}submission.`), why: () => CREDENTIALS },
  {
    // The files of `driver.mounted.*` are in the driver's own pod. The process that submits never reads them.
    isMeant: (key) =>
      key.startsWith(AUTHENTICATE) && key.endsWith("File") && !key.startsWith(`${AUTHENTICATE}driver.mounted.`),
    why: file("mount the file in the pod and set spark.kubernetes.authenticate.driver.mounted.*"),
  },
  {
    isMeant: among([
      "spark.kubernetes.driver.podTemplateFile",
      "spark.kubernetes.executor.podTemplateFile",
      "spark.kubernetes.scheduler.volcano.podGroupTemplateFile",
    ]),
    why: file("give the pod template in the template field of the role"),
  },
  {
    isMeant: among(["spark.kerberos.keytab", "spark.yarn.keytab"]),
    why: ({ value, openFolder }) =>
      value.startsWith("local:") && !value.includes("${")
        ? undefined
        : file("give the path of a keytab in the image, local:///path")({ value, openFolder }),
  },
  {
    isMeant: among(["spark.kubernetes.kerberos.krb5.path"]),
    why: file("set spark.kubernetes.kerberos.krb5.configMapName"),
  },
  {
    isMeant: among(["spark.jars", "spark.files", "spark.archives", "spark.submit.pyFiles"]),
    why: ({ value, openFolder }) => closedUriText(value, openFolder),
  },
  {
    // The submission writes to this path, and uses it only for files of the operator's disk.
    isMeant: among(["spark.kubernetes.file.upload.path"]),
    why: ({ value }) => closedUriText(value, undefined),
  },
  {
    isMeant: (key) => key.startsWith("spark.kindling.") && !OPEN_KINDLING_KEYS.some((open) => matches(open, key)),
    why: () => MANAGED,
  },
];

/**
 * The keys of `sparkConf` that are not allowed, in order, each with the reason in stock's form of words. Stock reports
 * only one key, the first in a random order. Keys that have no effect in this application are left out.
 */
export function deniedKeys(
  spec: KeysInUse,
  { namespace, openFolder }: { readonly namespace: string; readonly openFolder: OpenFolder },
): string[] {
  const idle = new Set(idleKeys(spec).map(({ key }) => key));
  return Object.entries(spec.sparkConf ?? {})
    .filter(([key]) => !idle.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([written, value]) => {
      // The code that reads a key may trim it.
      const key = written.trim();
      return refusedKey(key, stockDenial(key, value, namespace) ?? ownDenial(key, { value, openFolder }));
    });
}

/**
 * The keys of `sparkConf` that stock denies, in order, each with stock's reason. This is for an object whose keys are read in
 * its own pod, where Kindling's further denials have no meaning.
 */
export function stockDeniedKeys(sparkConf: KeysInUse["sparkConf"], namespace: string): string[] {
  return Object.entries(sparkConf ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([written, value]) => refusedKey(written.trim(), stockDenial(written.trim(), value, namespace)));
}

function refusedKey(key: string, why: string | undefined): string[] {
  return why === undefined ? [] : [`sparkConf key ${quotedName(key)} is not allowed: ${why}`];
}

function stockDenial(key: string, value: string, namespace: string): string | undefined {
  if (key === "spark.kubernetes.namespace" && value !== namespace) {
    return `must equal the application namespace ${quotedName(namespace)}, got ${quotedName(value)}`;
  }
  return Object.hasOwn(STOCK_DENIED_KEYS, key) ? STOCK_DENIED_KEYS[key] : undefined;
}

function ownDenial(key: string, judged: Judged): string | undefined {
  return DENIALS.find(({ isMeant }) => isMeant(key))?.why(judged);
}

function among(keys: readonly string[]): (key: string) => boolean {
  return (key) => keys.includes(key);
}

function matches(pattern: string, key: string): boolean {
  return pattern.endsWith("*") ? key.startsWith(pattern.slice(0, -1)) : key === pattern;
}

/** For keys whose value is one file of the process that submits, whatever its scheme. */
function file(instead: string): Denial["why"] {
  return ({ value, openFolder }) => (isOpenFile(value, openFolder) ? undefined : refusal(instead));
}

function closedUriText(value: string, openFolder: OpenFolder): string | undefined {
  return closedUriIn(value, openFolder) === undefined ? undefined : uriRefusal(openFolder);
}
