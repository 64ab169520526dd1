import { confType, isApiServerAudience, isDnsSubdomain } from "@kindling/core-spec";
import { seconds, text } from "@kindling/settings";
import type { KeysOf } from "../keys-of.ts";

const { list, oneOf } = confType;

/** Who may do what. */
export const AUTH_KEYS: KeysOf<"auth" | "v0"> = {
  "auth.mode": {
    type: oneOf("none", "token", "kubernetes", "mtls"),
    default: undefined,
    doc:
      "How submitters prove who they are: `token` (see `auth.accessFile`), `kubernetes` (a token of the cluster for " +
      "`auth.audiences`, see `auth.submitters`), `mtls` (a client certificate), `none`. Must be set unless " +
      "`listen.host` is a loopback address. Downloads need the bundle's secret in any mode.",
  },
  "auth.accessFile": {
    type: text,
    default: undefined,
    doc: "Who may do what with `auth.mode` `token` or `mtls`, as JSON; read again when it changes.",
  },
  "auth.audiences": {
    type: confType.checked(list, (audiences) => !audiences.some(isApiServerAudience), "audiences of this server's own"),
    default: "kindling-staging",
    doc:
      "Audiences of which a token must have one, and beside which it may have no other, with `auth.mode=kubernetes`. " +
      "Never the API server's own: whoever takes its tokens could act with them in the cluster.",
  },
  "auth.submitters": {
    type: confType.checked(list, (names) => names.every(isDnsSubdomain), "names of service accounts"),
    default: "kindling-submitter",
    doc:
      "Service accounts of that name may upload for their own namespace with `auth.mode=kubernetes`, and for no other. " +
      "Anybody else may upload where they may create pods.",
  },
  "auth.cache": {
    type: confType.checked(seconds, (value) => value <= 60, "a duration of at most 60s"),
    default: "60s",
    doc: "How long the API server's answers about tokens and rights are believed; at most 60s.",
  },

  "v0.uploads": {
    type: oneOf("authenticated", "open", "off"),
    default: "authenticated",
    doc:
      "Uploads on the old fork's wire, whose client cannot prove who it is: `authenticated` as any other upload, `open` " +
      "as the fork did, `off`.",
  },
};
