import type { SparkConf } from "@kindling/core-spec";
import { tokenIdentifier, type HadoopToken } from "@kindling/kerberos";
import { KEYTAB } from "@kindling/steps";
import { KERBEROS_RENEWER } from "../../keys/kerberos-keys.ts";

/** A notice about how long the application has access with these tokens. */
export function tokensEnd(tokens: readonly HadoopToken[], conf: SparkConf): string {
  const ends = tokens.flatMap((token) => tokenIdentifier(token)?.maxDate ?? []);
  const latest = ends.length === 0 ? "" : ` at ${new Date(Math.min(...ends)).toISOString()}`;
  const renewer = conf.get(KERBEROS_RENEWER);
  return renewer === undefined
    ? "nobody renews the delegation tokens: the application loses its access to Hadoop when the name node's interval for " +
        `renewal ends, usually after 24 h. For longer ones, use ${KEYTAB.key}, or ${KERBEROS_RENEWER.key} with a gateway that renews`
    : `the delegation tokens end${latest}, if ${renewer} renews them; then the application loses its access to Hadoop`;
}
