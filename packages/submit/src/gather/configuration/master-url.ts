import { KindlingError } from "@kindling/core-spec";
import { withoutUserInfo } from "../../secrets/redact.ts";

/** Whether a master URL means Kubernetes. */
export function isKubernetesMaster(master: string): boolean {
  return master.startsWith("k8s");
}

/**
 * The address of the API server in a `k8s://…` master URL (Utils.checkAndGetK8sMasterUrl): without a scheme it is `https`. A
 * path is kept; it is the prefix of every request.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function apiServerUrl(master: string): string {
  if (!master.startsWith("k8s://")) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--master ${withoutUserInfo(master)}: a Kubernetes master URL must start with k8s://`,
    );
  }
  const address = master.slice("k8s://".length);
  const url = address.includes("://") ? address : `https://${address}`;
  const scheme = url.slice(0, url.indexOf("://")).toLowerCase();
  if (scheme !== "https" && scheme !== "http") {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--master ${withoutUserInfo(master)}: ${scheme} is no scheme for an API server`,
      {
        hint: "use k8s://https://host:port",
      },
    );
  }
  if (!URL.canParse(url))
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--master ${withoutUserInfo(master)}: ${withoutUserInfo(url)} is not a URL`,
    );
  return url;
}
