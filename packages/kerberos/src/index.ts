export {
  fetchDelegationTokens,
  tokenFileSystems,
  type DelegationTokenMeans,
  type DelegationTokenRequest,
  type WantedFileSystems,
} from "./hadoop/fetch-delegation-tokens.ts";
export type { AskHttp, HttpAnswer, HttpRequest } from "./hadoop/ask-name-node.ts";
export type { FileSystemsOf, TokenFileSystem } from "./hadoop/file-system.ts";
export {
  hadoopConfiguration,
  parseHadoopXml,
  type HadoopConfiguration,
  type ReadIncluded,
} from "./hadoop/hadoop-configuration.ts";
export { credentialsFile, parseCredentialsFile, withEarlierCredentials } from "./hadoop/credentials-file.ts";
export { HadoopTokenError, type HadoopToken } from "./hadoop/hadoop-token.ts";
export { tokenIdentifier, type TokenIdentifier } from "./hadoop/token-identifier.ts";
export {
  tokenRenewer,
  type RenewableToken,
  type Renewal,
  type TokenRenewer,
  type TokenRenewerOptions,
} from "./hadoop/token-renewer.ts";
export { needsTrust, trustedAuthorities, type TrustSources } from "./hadoop/trusted-authorities.ts";
export type { AskKdc, FindServers } from "./kdc/kdc-client.ts";
export { askByTcp } from "./kdc/ask-by-tcp.ts";
export { parsePrincipal } from "./keytab/keytab.ts";
export { keytabLogin, type KeytabLoginMeans, type KeytabUser } from "./keytab/keytab-login.ts";
export type { KdcAddress, Krb5Settings } from "./krb5-conf/krb5-settings.ts";
export { readKrb5Settings } from "./krb5-conf/krb5-settings.ts";
export type { Krb5Files } from "./krb5-conf/parse-krb5-conf.ts";
export { kerberosLogin, type KerberosLogin, type LoginSources } from "./login/kerberos-login.ts";
export { shortName, type NameRules } from "./login/short-name.ts";
export { openTokenMeans, type OpenTokenMeans, type TokenMeansOptions } from "./network/open-token-means.ts";
export type { SystemUser } from "./ticket/cache-file.ts";
export type { Principal } from "./ticket/principal.ts";
export type { SessionKey, Ticket, UsableTicket } from "./ticket/ticket.ts";
