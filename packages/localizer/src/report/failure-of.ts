import { isKindlingError } from "@kindling/core-spec";
import { isStagingError, type StagingFault } from "@kindling/staging-client";
import type { ResolvedConfig, ResolvedFile } from "../config/localizer-config.ts";
import { diskError } from "./disk-error.ts";
import { isLocalizerError, LocalizerError, type Reason } from "./localizer-error.ts";

const REASON_OF: Readonly<Record<StagingFault, Reason>> = {
  connect: "unreachable",
  tls: "tls",
  stalled: "unreachable",
  insecure: "config",
  unauthorized: "refused",
  forbidden: "refused",
  "not-found": "not-found",
  gone: "not-found",
  "too-large": "too-large",
  "no-space": "protocol",
  quota: "protocol",
  overloaded: "unreachable",
  server: "unreachable",
  digest: "digest",
  protocol: "protocol",
  redirect: "redirect",
  rejected: "protocol",
  file: "disk",
  "file-changed": "disk",
  cancelled: "interrupted",
};

const OWN_HINTS: ReadonlySet<Reason> = new Set(["refused", "not-found", "digest", "redirect", "tls"]);

/** Turns an error into a message about the file: which file, why, and what to do. */
export function failureOf(error: unknown, file: ResolvedFile, config: ResolvedConfig): LocalizerError {
  const where = `${shownOrigin(file)} to ${file.to}`;
  if (isLocalizerError(error)) {
    return new LocalizerError(error.reason, error.message, { hint: error.hint, cause: error.cause, file: where });
  }
  if (isStagingError(error)) {
    const reason = REASON_OF[error.fault];
    if (reason === "disk") {
      const { message, hint } = diskError(file.to, error.cause ?? error);
      return new LocalizerError(reason, message, { hint, cause: error, file: where });
    }
    // The staging client's hints for these are about uploads; the sources of stores have better hints.
    const foreign = OWN_HINTS.has(reason) && (reason === "redirect" || isOfStagingClient(file));
    const hint = speaksNoTls(error)
      ? error.hint
      : ((foreign ? undefined : error.hint) ?? hintsFor(file, config)[reason] ?? error.hint);
    return new LocalizerError(reason, error.message, { hint, cause: error, file: where });
  }
  if (isKindlingError(error)) {
    return new LocalizerError("config", error.message, { hint: error.hint, cause: error, file: where });
  }
  return new LocalizerError("internal", "this should not have happened", {
    hint: "please report it, with the version and the line before",
    cause: error,
    file: where,
  });
}

/** In this case no certificate helps. */
function speaksNoTls({ message }: Error): boolean {
  return message.includes("the server answers in plain http");
}

function isOfStagingClient({ from }: ResolvedFile): boolean {
  return from.kind !== "remote" || /^https?:/i.test(from.uri);
}

/** Where a file comes from, without parts that may be secret. */
export function shownOrigin({ from }: ResolvedFile): string {
  if (from.kind === "staged") return `${from.file} of bundle ${from.bundle}`;
  if (from.kind === "whole-bundle") return `bundle ${from.bundle}`;
  return from.uri.replace(/\?.*$/s, "?***");
}

type Hints = Readonly<Partial<Record<Reason, string>>>;

function hintsFor({ from }: ResolvedFile, config: ResolvedConfig): Hints {
  if (from.kind === "remote") {
    const redirect = `add that host to ${isOfHdfs(from.uri) ? "dataNodeHosts" : "redirectHosts"}`;
    return { ...REMOTE_HINTS, redirect, refused: refusedHint(from.uri) };
  }
  const { secretFile = "the secret", id = from.bundle } = config.bundles.get(from.bundle) ?? {};
  return {
    refused: `${secretFile} does not open bundle ${id}, or the bundle is gone: submit again`,
    "not-found": "the bundle is gone, or never was on this server: submit again",
    digest: "submit again",
    redirect: `add that host to bundles.${from.bundle}.redirectHosts`,
    tls: `set bundles.${from.bundle}.caFile to the authority's certificate`,
    "too-large": TOO_LARGE_HINT,
  };
}

const TOO_LARGE_HINT =
  "if it has to be that large, raise limits.maxFileBytes; a submission does so by spark.kindling.localizer.limits.*";

const REMOTE_HINTS: Hints = {
  "not-found": "check the URI",
  digest: "the file is not the one that was submitted: submit again",
  "too-large": TOO_LARGE_HINT,
  tls: "put the authority's certificate as ca.crt into credentialsDir, if it is not a public one",
};

function refusedHint(uri: string): string {
  if (/^s3/i.test(uri)) return "check the keys, and that they may read this object";
  if (isOfHdfs(uri)) return "check HADOOP_USER_NAME or the delegation tokens, and the file's permissions";
  return "put credentials for this host into netrc or headers.json of credentialsDir";
}

function isOfHdfs(uri: string): boolean {
  return /^(hdfs|s?webhdfs):/i.test(uri);
}
