import { confType, KindlingError } from "@kindling/core-spec";
import { settingMissing, type Settings, text } from "@kindling/service/settings";

/** How tokens of an OpenID Connect issuer are accepted: kube-apiserver's flags of the same names, `--oidc-*`. */
export interface OidcSettings {
  readonly "oidc.issuerUrl": string | undefined;
  readonly "oidc.clientId": string | undefined;
  readonly "oidc.usernameClaim": string;
  readonly "oidc.usernamePrefix": string | undefined;
  readonly "oidc.groupsClaim": string | undefined;
  readonly "oidc.groupsPrefix": string | undefined;
  readonly "oidc.requiredClaim": readonly string[];
  readonly "oidc.signingAlgs": readonly string[];
  readonly "oidc.caFile": string | undefined;
}

/** The settings for an issuer that is there. */
export interface IssuerSettings extends OidcSettings {
  readonly "oidc.issuerUrl": string;
  readonly "oidc.clientId": string;
}

const { checked, list } = confType;

/** Those of kube-apiserver (pkg/apis/apiserver/validation): signatures with a private key. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512"];

/** The declarations, for the settings of a service. */
export const OIDC_KEYS: Settings<OidcSettings> = {
  "oidc.issuerUrl": {
    type: checked(text, isIssuerUrl, "an https URL without query and fragment"),
    default: undefined,
    doc:
      "URL of the OpenID Connect issuer whose tokens are accepted; https only. It has to be exactly the `iss` of its " +
      "tokens. All settings of `oidc` mean what kube-apiserver's flags of the same names mean.",
  },
  "oidc.clientId": {
    type: text,
    default: undefined,
    doc: "The client that tokens must be for: it has to be in their `aud`.",
  },
  "oidc.usernameClaim": {
    type: text,
    default: "sub",
    doc: "The claim that becomes the user's name. With `email`, a token with `email_verified: false` is refused.",
  },
  "oidc.usernamePrefix": {
    type: text,
    default: undefined,
    doc: "Put before each user's name. Unset: the issuer's URL and `#`, and nothing for the claim `email`. `-` is no prefix.",
  },
  "oidc.groupsClaim": {
    type: text,
    default: undefined,
    doc: "The claim with the user's groups, a text or a list of texts. Unset: users have no groups.",
  },
  "oidc.groupsPrefix": {
    type: text,
    default: undefined,
    doc: "Put before the name of each group.",
  },
  "oidc.requiredClaim": {
    type: checked(list, (pairs) => pairs.every((pair) => /^[^=]+=/.test(pair)), "claims such as hd=example.org"),
    default: "",
    doc: "`claim=value`, several with commas: each token must have these claims with exactly these texts.",
  },
  "oidc.signingAlgs": {
    type: checked(
      list,
      (names) => names.length > 0 && names.every((name) => ALGORITHMS.includes(name)),
      `some of ${ALGORITHMS.join(", ")}`,
    ),
    default: "RS256",
    doc: `The algorithms by which tokens may be signed: some of ${ALGORITHMS.join(", ")}.`,
  },
  "oidc.caFile": {
    type: text,
    default: undefined,
    doc:
      "Authorities that sign the issuer's TLS certificate, as PEM, instead of Node's own list. It is read again each " +
      "time the issuer is asked.",
  },
};

/**
 * The settings of the issuer; undefined if there is none.
 *
 * @throws KindlingError `CONF_MISSING`, `CONF_CONFLICT` if settings of `oidc` need others that are not set
 */
export function issuerSettings(config: OidcSettings): IssuerSettings | undefined {
  const { "oidc.issuerUrl": issuerUrl, "oidc.clientId": clientId } = config;
  if (issuerUrl === undefined) {
    const lonely = (["oidc.clientId", "oidc.groupsClaim", "oidc.usernamePrefix", "oidc.caFile"] as const).find(
      (name) => config[name] !== undefined,
    );
    if (lonely === undefined) return undefined;
    throw settingMissing("oidc.issuerUrl", `${lonely} is of no use without an issuer`);
  }
  if (clientId === undefined)
    throw settingMissing("oidc.clientId", "without it, tokens for any client of the issuer would be accepted");
  if (config["oidc.groupsPrefix"] !== undefined && config["oidc.groupsClaim"] === undefined)
    throw new KindlingError("CONF_CONFLICT", "oidc.groupsPrefix is set, and oidc.groupsClaim is not", {
      hint: "name the claim with the groups, such as groups",
    });
  return { ...config, "oidc.issuerUrl": issuerUrl, "oidc.clientId": clientId };
}

/** OpenID Connect Discovery 1.0, section 3: "https … with no query or fragment components". */
function isIssuerUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash, username, password } = new URL(value);
  return protocol === "https:" && search === "" && hash === "" && username === "" && password === "";
}
