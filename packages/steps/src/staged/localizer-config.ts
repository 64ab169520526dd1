import type { SparkConf } from "@kindling/core-spec";
import type { Dependency } from "./dependency-set.ts";
import { LOCALIZER_CREDENTIALS_SECRET, LOCALIZER_DIRECTORY, LOCALIZER_TIMEOUT } from "./localizer-keys.ts";
import { localizerLimits, type LocalizerLimits } from "./localizer-limits.ts";

/** Where the content of its Secret is mounted in the localizer. */
export const LOCALIZER_SECRET_MOUNT = "/var/run/secrets/kindling/dependencies";
export const LOCALIZER_CREDENTIALS_MOUNT = "/var/run/secrets/kindling/credentials";

/** The entries of that Secret besides the configurations. */
export const BUNDLE_SECRET = "bundle-secret";
export const STAGING_CA = "staging-ca.crt";

/** A bundle of files that a staging server holds for the submission. */
export interface StagedBundle {
  /** The server's URI for pods. */
  readonly server: string;
  readonly id: string;
  /** Opens the bundle. */
  readonly secret: string;
  /** CA certificates in PEM for the server, instead of the well-known ones. */
  readonly ca: string | undefined;
  /** Digest and size of each file, by its name in the bundle. */
  readonly files: Readonly<Record<string, { readonly digest: string; readonly size: number; readonly mode: number }>>;
}

/** The one bundle of a submission. */
const BUNDLE = "submission";

/** A file that a localizer brings: from the bundle or from elsewhere. */
interface LocalizedFile {
  readonly from: { readonly bundle: string; readonly file: string } | { readonly uri: string };
  readonly to: string;
  readonly unpack?: true;
}

/** The work of a localizer, as far as it is known before the files are staged. Plain data. */
export interface LocalizerConfig {
  readonly files: readonly LocalizedFile[];
  readonly roots: readonly string[];
  readonly deadlineSeconds: number;
  readonly credentialsDir?: string;
  readonly limits?: LocalizerLimits;
}

/**
 * The work of the localizer in a driver's or an executor's pod. Executors need everything except the application itself,
 * which only a driver runs; a JVM application's jar is one of the jars.
 */
export function localizerConfig(
  conf: SparkConf,
  dependencies: readonly Dependency[],
  role: "driver" | "executor",
): LocalizerConfig {
  const directory = conf.get(LOCALIZER_DIRECTORY);
  const limits = localizerLimits(conf);
  return {
    files: dependencies
      .filter(({ kind }) => role === "driver" || kind !== "application")
      .map(({ kind, from, name }) => ({
        from: "uri" in from ? from : { bundle: BUNDLE, file: name },
        to: `${directory}/${name}`,
        ...(kind === "archive" && { unpack: true }),
      })),
    roots: [directory],
    deadlineSeconds: conf.get(LOCALIZER_TIMEOUT),
    ...(conf.get(LOCALIZER_CREDENTIALS_SECRET) !== undefined && { credentialsDir: LOCALIZER_CREDENTIALS_MOUNT }),
    ...(limits !== undefined && { limits }),
  };
}

/** The same with the bundle's values, as the localizer reads it: version 1 of its configuration. */
export function withBundle({ files, ...rest }: LocalizerConfig, bundle: StagedBundle | undefined): object {
  return {
    version: 1,
    bundles: bundle === undefined ? {} : { [BUNDLE]: bundleEntry(bundle) },
    files: files.map(({ from, to, unpack }) => {
      const staged = "file" in from ? bundle?.files[from.file] : undefined;
      return {
        from,
        to,
        ...(staged && { digest: staged.digest, size: staged.size, mode: staged.mode | 0o444 }),
        ...(unpack === true && { unpack }),
      };
    }),
    ...rest,
  };
}

function bundleEntry({ server, id, ca }: StagedBundle): object {
  return {
    server,
    id,
    secretFile: `${LOCALIZER_SECRET_MOUNT}/${BUNDLE_SECRET}`,
    ...(ca !== undefined && { caFile: `${LOCALIZER_SECRET_MOUNT}/${STAGING_CA}` }),
  };
}
