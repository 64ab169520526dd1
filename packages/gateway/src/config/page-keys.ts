import { confType, KindlingError } from "@kindling/core-spec";
import { issuerSettings, type IssuerSettings, type OidcSettings } from "@kindling/oidc/settings";
import { port, seconds, settingMissing, type Settings, text } from "@kindling/service/settings";

/** Settings of the page for people who sign in. */
export interface PageSettings {
  readonly "page.port": number | undefined;
  readonly "page.host": string;
  readonly "page.url": string | undefined;
  readonly "page.clientSecretFile": string | undefined;
  readonly "page.scopes": readonly string[];
  readonly "page.session": number;
}

const { checked, list } = confType;

export const PAGE_KEYS: Settings<PageSettings> = {
  "page.port": {
    type: port,
    default: undefined,
    doc:
      "Port of a page for people who sign in at `oidc.issuerUrl`: each sees all queues, and the applications of the " +
      "namespaces in which the cluster lets that user get pods. In plain HTTP, for a proxy that speaks TLS. Unset: " +
      "there is no such page. The page on the admin port is another one: it asks nobody to sign in.",
  },
  "page.host": { type: text, default: "0.0.0.0", doc: "Address of that page." },
  "page.url": {
    type: checked(text, isPageUrl, "an https URL without a path, or http://localhost:PORT"),
    default: undefined,
    doc: "The address at which browsers reach that page. Its `/oidc/callback` is the redirect URI of the client.",
  },
  "page.clientSecretFile": {
    type: text,
    default: undefined,
    doc: "File with the secret of the client `oidc.clientId`. Unset: it is a public client, which PKCE protects.",
  },
  "page.scopes": {
    type: checked(list, (scopes) => scopes.includes("openid"), "scopes with openid among them"),
    default: "openid,profile,email",
    doc: "What is asked for at sign-in. Many issuers put the groups into a token only with `groups` here.",
  },
  "page.session": {
    type: seconds,
    default: "1h",
    doc: "How long somebody stays signed in. After that the issuer is asked again, usually unnoticed.",
  },
};

/** The page for people who sign in, and its issuer. */
export interface SignedInPage {
  readonly issuer: IssuerSettings;
  readonly url: URL;
  readonly port: number;
}

/**
 * @returns undefined if there is no such page
 * @throws KindlingError `CONF_MISSING`, `CONF_CONFLICT`
 */
export function signedInPage(config: PageSettings & OidcSettings): SignedInPage | undefined {
  const issuer = issuerSettings(config);
  const { "page.port": port, "page.url": url } = config;
  if (port === undefined) {
    if (issuer === undefined) return undefined;
    throw new KindlingError(
      "CONF_CONFLICT",
      "oidc.issuerUrl is set, and page.port is not: nothing would use the issuer",
      {
        hint: "set page.port and page.url, or leave out the settings of oidc",
      },
    );
  }
  if (issuer === undefined) throw settingMissing("oidc.issuerUrl", "page.port needs an issuer at which people sign in");
  if (url === undefined) throw settingMissing("page.url", "the issuer has to know where it sends people back to");
  return { issuer, port, url: new URL(url) };
}

function isPageUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(value);
  const isLocal = protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1");
  return (protocol === "https:" || isLocal) && pathname === "/" && search === "" && hash === "";
}
