import { confType, isApiServerAudience, isDnsSubdomain } from "@kindling/core-spec";
import type { AuthenticationMode } from "@kindling/staging-client";
import { seconds, text, type Settings } from "@kindling/service/settings";

const { list, oneOf } = confType;

/** The settings about authentication and rights. */
export interface AuthConfig {
  readonly "auth.mode": AuthenticationMode | undefined;
  readonly "auth.accessFile": string | undefined;
  readonly "auth.audiences": readonly string[];
  readonly "auth.submitters": readonly string[];
  readonly "auth.cache": number;

  readonly "v0.uploads": "authenticated" | "open" | "off";
}

export const AUTH_KEYS: Settings<AuthConfig> = {
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
    doc: "A JSON file that says who may do what with `auth.mode` `token` or `mtls`. It is read again when it changes.",
  },
  "auth.audiences": {
    type: confType.checked(list, (audiences) => !audiences.some(isApiServerAudience), "audiences of this server's own"),
    default: "kindling-staging",
    doc:
      "The audiences that the server accepts with `auth.mode=kubernetes`. A token must have at least one of them, " +
      "and no other audience. Never name the API server's own audience here: whoever gets a token for it can act in " +
      "the cluster.",
  },
  "auth.submitters": {
    type: confType.checked(list, (names) => names.every(isDnsSubdomain), "names of service accounts"),
    default: "kindling-submitter",
    doc:
      "With `auth.mode=kubernetes`, service accounts of this name may upload for their own namespace, and for no " +
      "other. Anybody else may upload for namespaces in which they may create pods.",
  },
  "auth.cache": {
    type: confType.checked(seconds, (value) => value <= 60, "a duration of at most 60s"),
    default: "60s",
    doc: "How long the API server's answers about tokens and rights are cached; at most 60s.",
  },

  "v0.uploads": {
    type: oneOf("authenticated", "open", "off"),
    default: "authenticated",
    doc:
      "Uploads by the old fork's protocol. Its client cannot prove who it is. `authenticated`: the same rules as for " +
      "any other upload. `open`: anybody may upload, as with the fork. `off`: nobody may.",
  },
};
