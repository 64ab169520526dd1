/** Takes secrets out of texts. Messages are made without secrets; this is for those of others that are passed on. */
export interface Redactor {
  /** Never to be shown, in this or any usual encoding. */
  hide(secret: string): void;
  clean(text: string): string;
}

// Shorter ones would take parts out of ordinary words, and are no secrets.
const SHORTEST = 4;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let longestFirst: readonly string[] = [];
  return {
    hide(secret) {
      const bytes = Buffer.from(secret);
      const base64 = bytes.toString("base64");
      const forms = [
        secret,
        encodeURIComponent(secret),
        base64,
        base64.replace(/=+$/, ""),
        bytes.toString("base64url"),
      ];
      for (const form of forms) {
        if (form.length >= SHORTEST) secrets.add(form);
      }
    },
    clean(text) {
      let clean = text;
      // One secret may be part of another.
      if (longestFirst.length < secrets.size) longestFirst = [...secrets].sort((a, b) => b.length - a.length);
      for (const secret of longestFirst) clean = clean.replaceAll(secret, "***");
      return clean.replaceAll(/https?:\/\/[^\s"']+/g, withoutCredentials);
    },
  };
}

/** Signed URLs, and user and password in one. */
function withoutCredentials(url: string): string {
  const query = url.indexOf("?");
  const shown = query === -1 || query === url.length - 1 ? url : `${url.slice(0, query)}?***`;
  return shown.replaceAll(/(https?:\/\/)[^\s/@"']+@/g, "$1***@");
}
