import {
  confKey,
  confType,
  KindlingError,
  optionalConfKey,
  type ConfKey,
  type Container,
  type SparkConf,
  type VolumeMount,
} from "@kindling/core-spec";
import { SHUFFLE } from "./shuffle-keys.ts";

const { boolean, text } = confType;

const ENABLED: ConfKey<boolean> = confKey({
  key: "spark.ssl.rpc.enabled",
  type: boolean,
  default: "false",
  since: "4.0.0",
  readBy: ["submit", "driver"],
  doc: "Whether driver and executors speak TLS among each other.",
});

const pemFile = (key: string, doc: string): ConfKey<string | undefined> =>
  optionalConfKey({ key, type: text, since: "4.0.0", readBy: ["submit", "driver"], doc });

const CERTIFICATE = pemFile("spark.ssl.rpc.certChain", "The file of their certificate, in PEM.");
const KEY = pemFile("spark.ssl.rpc.privateKey", "The file of its key, in PEM.");
const PASSWORD = pemFile("spark.ssl.rpc.privateKeyPassword", "The password of that key.");
/** Keys for all of Spark's TLS: they count where the same key for `rpc` is missing (SSLOptions.scala, parse). */
const ANY_CERTIFICATE = pemFile("spark.ssl.certChain", "The same for all of Spark's TLS.");
const ANY_KEY = pemFile("spark.ssl.privateKey", "The same for all of Spark's TLS.");

/** The keys of Spark's that say with what executors speak TLS. Only the submission looks for a password, and no step reads it. */
export const SHUFFLE_TLS_KEYS: readonly ConfKey<unknown>[] = [ENABLED, CERTIFICATE, KEY, ANY_CERTIFICATE, ANY_KEY];

/** Files with the key of executors, as they are in their pods. */
export interface ShuffleTls {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The key with which executors speak TLS among each other (Spark 4.0 and later); `undefined` if they do not. */
export function shuffleTls(conf: SparkConf): ShuffleTls | undefined {
  if (!hasTls(conf)) return undefined;
  const certificateFile = pathIn(conf, [CERTIFICATE, ANY_CERTIFICATE]);
  const keyFile = pathIn(conf, [KEY, ANY_KEY]);
  return certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile };
}

/** @throws KindlingError `CONF_CONFLICT` if executors speak TLS with a key that the server of kept shuffle files cannot read */
export function refuseUnreadableKey(conf: SparkConf): void {
  if (!hasTls(conf)) return;
  const isReadable = shuffleTls(conf) !== undefined && conf.get(PASSWORD) === undefined;
  if (isReadable) return;
  throw new KindlingError(
    "CONF_CONFLICT",
    `${SHUFFLE.key}=keep needs the key of ${ENABLED.key} in PEM files without a password`,
    {
      hint: `name them with ${CERTIFICATE.key} and ${KEY.key}, as absolute paths in a Secret that executors mount; or set spark.kindling.seal=true, which makes them`,
    },
  );
}

/** The volumes of the executor's container in which these files are. */
export function mountsWith({ volumeMounts = [] }: Container, tls: ShuffleTls | undefined): readonly VolumeMount[] {
  if (tls === undefined) return [];
  return volumeMounts.filter(({ mountPath }) =>
    [tls.certificateFile, tls.keyFile].some((file) =>
      file.startsWith(mountPath.endsWith("/") ? mountPath : `${mountPath}/`),
    ),
  );
}

function hasTls(conf: SparkConf): boolean {
  return conf.version.has("rpc-tls") && conf.get(ENABLED);
}

function pathIn(conf: SparkConf, keys: readonly ConfKey<string | undefined>[]): string | undefined {
  const path = keys.map((key) => conf.get(key)).find((value) => value !== undefined);
  return path?.startsWith("/") === true ? path : undefined;
}
