import { isKindlingError, KindlingError } from "@kindling/core-spec";
import { RecorderError } from "@kindling/recorder-client";
import { clusterError } from "@kindling/submit";

/** An error of a recorder or of the cluster, for the user. */
export function archiveError(error: unknown): KindlingError {
  if (!(error instanceof RecorderError)) return isKindlingError(error) ? error : clusterError(error);
  const { status, message } = error;
  const hint = error.hint ?? (status === undefined ? undefined : HINTS[status]);
  return new KindlingError(codeOf(status), message, { ...(hint !== undefined && { hint }), cause: error });
}

function codeOf(status: number | undefined): KindlingError["code"] {
  switch (status) {
    case undefined:
      return "CLUSTER_UNREACHABLE";
    case 400:
      return "ARGUMENT_INVALID";
    case 401:
    case 403:
      return "CLUSTER_FORBIDDEN";
    case 404:
      return "OBJECT_NOT_FOUND";
    case 503:
      return "CLUSTER_UNREACHABLE";
    default:
      return "CLUSTER_REFUSED";
  }
}

/** For answers of the API server in between, which says nothing about what to do. */
const HINTS: Readonly<Record<number, string>> = {
  403: "the chart lets everybody reach the recorder through the API server; an administrator can grant it: get services/proxy",
  404: "check that the recorder is installed: kubectl get services -A -l app.kubernetes.io/component=recorder",
  503: "check that the recorder runs: kubectl get pods -A -l app.kubernetes.io/component=recorder",
};
