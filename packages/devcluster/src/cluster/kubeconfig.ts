import type { Certificate } from "@kindling/x509";

/** The credentials of a user. */
export interface KubeconfigOptions {
  readonly url: string;
  /** The CA of the server's certificate; undefined over plain HTTP. */
  readonly authority: string | undefined;
  readonly client?: Certificate | undefined;
  readonly token?: string | undefined;
}

/** A kubeconfig as text, with one context, which is the current one. */
export function kubeconfigText({ url, authority, client, token }: KubeconfigOptions): string {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const user =
    client !== undefined
      ? [`client-certificate-data: ${base64(client.certificate)}`, `client-key-data: ${base64(client.key)}`]
      : token === undefined
        ? []
        : [`token: ${token}`];
  return [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    "- name: kindling",
    "  cluster:",
    `    server: ${url}`,
    ...(authority === undefined ? [] : [`    certificate-authority-data: ${base64(authority)}`]),
    "users:",
    "- name: kindling",
    user.length === 0 ? "  user: {}" : "  user:",
    ...user.map((line) => `    ${line}`),
    "contexts:",
    "- name: kindling",
    "  context:",
    "    cluster: kindling",
    "    user: kindling",
    "    namespace: default",
    "current-context: kindling",
    "",
  ].join("\n");
}
